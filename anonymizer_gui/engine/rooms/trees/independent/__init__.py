"""The second opinion: reads a released file by its own code and counts in its own way, with plain Python alone."""
