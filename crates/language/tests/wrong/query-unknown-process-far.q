E<> Controller.Free
