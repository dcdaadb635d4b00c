"""Questions, one file each, in a folder for each shape of data."""
