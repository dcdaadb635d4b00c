"""The second opinion on released places: plain Python that shares nothing with what made them."""
