E<> Gate.Free Train(0).Cross
