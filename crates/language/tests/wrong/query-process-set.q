E<> Train.Cross
