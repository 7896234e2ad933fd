// The least that bread costs: 9 minutes of little heat and wages; full heat would be 4 + 3 * (7 + 1) = 28.
// expect: 27
inf{Oven.Done}: cost

// There will be bread. The fastest run takes 3 minutes.
// expect: satisfied
E<> Oven.Done
