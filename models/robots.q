// Every robot has taken one tool.
// expect: satisfied
E<> deadlock
