"""One page per step of the rail."""
