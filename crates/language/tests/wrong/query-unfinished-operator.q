E<> Gate.Free and
E<> Train(0).Cross
