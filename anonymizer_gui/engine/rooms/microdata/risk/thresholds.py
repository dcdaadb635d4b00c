"""The threshold that several analyses share."""

from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.rooms.microdata.comfort import COMFORTABLE_RISK


def threshold_param() -> float:
    """Declare the risk above which rows are counted."""
    told = "Rows whose risk is above it are counted; 0.2 is one in five."
    declared: float = param(Float(low=0, high=1), default=COMFORTABLE_RISK, label="Threshold", help=told)
    return declared
