"""A finished release as the pages look at it: lists, maps and trees made from its values."""
