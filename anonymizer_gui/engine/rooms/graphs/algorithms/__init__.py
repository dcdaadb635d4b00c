"""Ways to make a graph in which nobody is found by the ties around them, one file each."""
