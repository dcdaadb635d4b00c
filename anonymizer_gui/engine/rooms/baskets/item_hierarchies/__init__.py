"""Trees of items made from the baskets themselves, one way each."""
