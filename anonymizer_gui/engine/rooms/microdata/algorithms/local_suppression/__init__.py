"""Local suppression: single cells are emptied, all others stay as they are."""
