"""Binary formats are read in a process apart: whatever a file does to it, the program lives."""
