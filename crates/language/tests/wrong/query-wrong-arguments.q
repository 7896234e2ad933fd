E<> Train(1, 2).Cross
