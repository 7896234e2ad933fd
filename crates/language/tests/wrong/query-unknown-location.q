E<> Gate.Fre
