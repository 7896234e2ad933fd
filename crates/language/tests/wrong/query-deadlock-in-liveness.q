A<> deadlock
