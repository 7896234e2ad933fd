not E<> Gate.Free
