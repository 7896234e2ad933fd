EF Gate.Free
