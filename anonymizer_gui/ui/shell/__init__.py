"""The window around the pages: rail, menus, palette, messages, files."""
