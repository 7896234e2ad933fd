// Queries for fischer-3.tck; label(l) holds where some process is in a location labelled l.

// No two processes inside: when a wait is over, nobody is left who could still write.
// expect: not satisfied
E<> label(cs1) and label(cs2)

// The same for the other pairs.
// expect: not satisfied
E<> (label(cs1) and label(cs3)) or (label(cs2) and label(cs3))

// Each of them can get in: the first,
// expect: satisfied
E<> label(cs1)

// the second,
// expect: satisfied
E<> label(cs2)

// and the third.
// expect: satisfied
E<> label(cs3)

// Whoever is inside has its number in turn.
// expect: satisfied
A[] label(cs1) imply turn == 1
