A[] (Gate.Free or Train(0).Cross
