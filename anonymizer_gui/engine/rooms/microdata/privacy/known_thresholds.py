"""Thresholds of risk and sizes of classes that somebody recommends or prescribes, each with its source."""

import math

EMA = "European Medicines Agency, External guidance on the implementation of policy 0070, 2018"
_IOM = "Institute of Medicine, Sharing clinical trial data, National Academies Press 2015, appendix B"
_CMS = "Centers for Medicare & Medicaid Services, Cell size suppression policy: no cell below 11"

RISKS = (
    (0.09, f"{EMA}; Health Canada, Public release of clinical information, 2019: 0.09"),
    (0.2, f"{_IOM}: one in 5, data given to few under contract"),
    (0.33, f"{_IOM}: one in 3, the largest that precedents know"),
)
SIZES = (
    (3, f"{_IOM}: the smallest that precedents know"),
    (5, f"{_IOM}: data given to few under contract"),
    (11, f"{_CMS}; {EMA}"),
    (20, f"{_IOM}: data that are public and delicate"),
)
_ROUNDING = 1e-9


def rows_for(risk: float) -> int:
    """Give how many people must look alike for a risk of at most this.

    >>> rows_for(0.2), rows_for(0.33), rows_for(0.09)
    (5, 4, 12)
    """
    return max(1, math.ceil(1 / (risk * (1 + _ROUNDING) + _ROUNDING))) if risk > 0 else 1 << 62
