"""Differential privacy: one door to noise, mechanisms, sensitivity and accounting, for every room."""
