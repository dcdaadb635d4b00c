"""Files of our own: saving, half-written ones, digests, JSON text."""
