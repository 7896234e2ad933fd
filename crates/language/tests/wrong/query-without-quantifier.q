Gate.Free
