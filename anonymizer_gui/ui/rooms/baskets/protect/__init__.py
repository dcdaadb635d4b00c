"""Promises, method, runs, and the tournament of trees."""
