"""Recommended and prescribed thresholds with sources; limits of green and amber."""

import math

# Short enough for a menu that is not wider than a small screen.
EMA = "European Medicines Agency, guidance on policy 0070, 2018"

_IOM = "Institute of Medicine, Sharing clinical trial data, 2015, app. B"

_CMS = "Centers for Medicare & Medicaid Services, no cell below 11"

PRESCRIBED_RISK = 0.09
"""The lowest that somebody asks for."""

RECOMMENDED_RISKS = (
    (PRESCRIBED_RISK, f"{EMA}; Health Canada, 2019"),
    (0.2, f"{_IOM}: one in 5, data given to few under contract"),
    (0.33, f"{_IOM}: one in 3, the largest that precedents know"),
)

RECOMMENDED_CLASS_SIZES = (
    (3, f"{_IOM}: the smallest that precedents know"),
    (5, f"{_IOM}: data given to few under contract"),
    (11, f"{_CMS}; {EMA}"),
    (20, f"{_IOM}: data that are public and delicate"),
)

_ROUNDING = 1e-9


def class_size_for_risk(risk: float) -> int:
    """Give how many people must look alike for a risk of at most this.

    >>> class_size_for_risk(0.2), class_size_for_risk(0.33), class_size_for_risk(0.09)
    (5, 4, 12)
    """
    return max(1, math.ceil(1 / (risk * (1 + _ROUNDING) + _ROUNDING))) if risk > 0 else 1 << 62


COMFORTABLE_K = 5

COMFORTABLE_RISK = 1 / COMFORTABLE_K

GOOD_LOSS, BAD_LOSS = 0.3, 0.6
"""Of the detail of the cells."""

GOOD_SHARE, BAD_SHARE = 0.02, 0.1
"""Of the rows that are left out."""

GOOD_LEARNING_LOSS = 0.05
"""Of the accuracy of what is learnt."""
