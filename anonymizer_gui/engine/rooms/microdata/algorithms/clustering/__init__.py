"""Clustering: rows that are alike form the classes."""
