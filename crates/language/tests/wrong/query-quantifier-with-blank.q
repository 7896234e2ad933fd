A [] Gate.Free
