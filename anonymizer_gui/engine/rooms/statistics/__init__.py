"""Statistics: numbers about a table leave with noise, from a budget that is never overdrawn."""
