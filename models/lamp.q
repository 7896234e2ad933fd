// Queries for lamp.ta.

// A press after one time unit, a second one when the contact has stopped bouncing.
// expect: satisfied
E<> Lamp.bright and now <= 3

// Not any sooner.
// expect: not satisfied
E<> Lamp.bright and now < 3

// A burning lamp changed at most ten time units ago.
// expect: satisfied
A[] Lamp.off or Lamp.y <= 10

// The lamp goes out, by hand or by itself.
// expect: satisfied
Lamp.low --> Lamp.off

// Three presses can leave it burning low: lit, put out, lit again.
// expect: satisfied
E<> Lamp.low and Visitor.gone

// The visitor may never press at all.
// expect: satisfied
E[] Lamp.off

// The visitor leaves for good.
// expect: not satisfied
A[] not deadlock

// When nothing more can happen the lamp is out and the visitor gone.
// expect: satisfied
A[] deadlock imply Lamp.off and Visitor.gone
