A[] (Gate.Free imply E<> Train(0).Cross)
