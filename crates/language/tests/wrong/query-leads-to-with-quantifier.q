A[] Gate.Free --> Train(0).Cross
