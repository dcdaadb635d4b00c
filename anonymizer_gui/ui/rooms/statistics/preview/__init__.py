"""What a release might look like, on simulated numbers."""
