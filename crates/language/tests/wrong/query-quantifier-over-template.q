E<> forall (k : Train) Train(k).Cross
