P.a
A [] P.a
E<> Q.a
E<> P.c
E<> P
A[] E<> P.a
E<> i = 1
E<> p.a
A<> deadlock
E<> x
E<> P.a -->
E<> (P.a
E<> P.a --> P.b
sup: x - i
E<> forall (k : int) k > i
E<> P.a &
P.a -> P.b
E<> label(a)
EF P.a
A[] not deadlok
