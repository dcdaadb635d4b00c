"""A second opinion on a release: the accounting once more, by code that shares nothing with what made it."""
