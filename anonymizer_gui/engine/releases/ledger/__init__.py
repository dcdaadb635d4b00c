"""Ledgers of releases and of privacy budgets."""
