E<> Cross
