"""Is this differentially private? Proven, refuted or open, for small mechanisms written as an expression."""
