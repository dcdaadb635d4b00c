"""The threshold that several analyses share."""

from anonymizer_gui.engine.params import Float

THRESHOLD = Float(low=0, high=1)
THRESHOLD_HELP = "Rows whose risk is above it are counted; 0.2 is one in five."
