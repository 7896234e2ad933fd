// Queries for fischer.xta.

// No two processes hold the same lock.
// expect: satisfied
A[] forall (i : pid_t) forall (j : pid_t) P(i).Critical and P(j).Critical and P(i).want == P(j).want imply i == j

// Different locks can be held at the same time.
// expect: satisfied
E<> P(1).Critical and P(2).Critical

// There are only two locks for three processes.
// expect: not satisfied
E<> (sum (i : pid_t) P(i).Critical) > LOCKS

// Someone can always go on.
// expect: satisfied
A[] not deadlock

// A process that tries writes in time.
// expect: satisfied
P(1).Trying --> P(1).Pausing

// The protocol promises no particular process that it gets in.
// expect: not satisfied
P(1).Trying --> P(1).Critical
