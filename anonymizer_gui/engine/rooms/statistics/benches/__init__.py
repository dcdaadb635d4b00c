"""Attacks on exact answers, and the same attacks on noisy ones: a bench to learn at, never a release."""
