E<> Gat.Free
