A[] E<> Gate.Free
