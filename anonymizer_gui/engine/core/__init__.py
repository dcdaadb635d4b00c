"""Which room stands first, in a module that costs nothing to load: the window asks before the engine is needed."""

FIRST_ROOM = "microdata"
"""The room of an empty document, and of files from before there were several."""
