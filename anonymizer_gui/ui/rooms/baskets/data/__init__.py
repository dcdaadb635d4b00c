"""The first step: the baskets as they were read."""
