"""The page of the attack."""
