"""The page of models: anonymise first or noise inside, the synthetic table beside its original, clusters seen ahead."""
