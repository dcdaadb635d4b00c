"""Baskets: sets of items, one for each purchase, patient or visitor."""
