"""Learning with noise in every step (DP-SGD): features of public cells, clipped whole gradients, and what is exported."""
