E<> Train(1).Cross
