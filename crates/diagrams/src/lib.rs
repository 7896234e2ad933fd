//! Decision diagrams: machines with more states than anybody can list, checked as sets.
