"""Re-identification risk analyses, one file each."""
