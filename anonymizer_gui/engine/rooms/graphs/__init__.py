"""The room of graphs: who knows whom leaves so that nobody is found by the ties around them."""
