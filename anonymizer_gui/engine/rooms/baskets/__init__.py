"""Baskets leave as baskets: items become groups or are deleted until the promises hold."""
