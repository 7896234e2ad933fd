E<> Train(5).Cross
