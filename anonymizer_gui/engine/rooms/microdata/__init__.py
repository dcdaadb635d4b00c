"""Microdata: a table about people leaves as a table, generalised until its promises hold."""
