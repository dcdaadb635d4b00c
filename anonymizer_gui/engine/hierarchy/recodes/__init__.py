"""Global recode files of μ-ARGUS, which say how the values of a column are put together."""
