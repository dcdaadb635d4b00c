"""Top-down specialisation, of whole columns or of parts."""
