"""Ways to protect places, one file each."""
