"""What the ways to cloak have in common to choose: declared once, for a form and an option each."""

from typing import Any

from anonymizer_gui.engine.core.params import Float, Int, param


def spots_wanted() -> Any:
    """Ask for different places in a region."""
    return param(
        Int(low=1, high=1000), default=2, label="Different places (l)",
        help="Fewest different places in a region, against k people at one spot.", series=(1, 2, 5),
    )  # fmt: skip


def least_side_wanted() -> Any:
    """Ask for regions that are not too small."""
    return param(
        Float(low=0, high=1e6), default=0.0, label="Smallest side in metres",
        help="No region is smaller than a square of this side.", series=(0, 100, 500),
    )  # fmt: skip


def moment_wanted() -> Any:
    """Ask when everybody asks."""
    return param(
        Float(low=0, high=1), default=1.0, label="Moment of the query",
        help="How much of the time in the file has passed when everybody asks: 1 is the last place known of each.",
    )  # fmt: skip
