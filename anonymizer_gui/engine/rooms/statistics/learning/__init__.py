"""Learning with noise in every step (DP-SGD): features of public cells, clipped whole gradients, what is exported."""
