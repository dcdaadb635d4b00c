"""How far neighbours move the questions about each shape of data: `MOVES` and `SIZES`, by the name of a question."""
