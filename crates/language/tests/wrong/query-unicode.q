A[] Gate.Free ∨ i > 1
