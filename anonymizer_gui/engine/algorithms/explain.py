"""Why goals cannot be reached: which fails, where, and the nearest setting that works."""

import numpy as np

from anonymizer_gui.engine.algorithms.contract import Encoded, Limits
from anonymizer_gui.engine.errors import Infeasible
from anonymizer_gui.engine.goals import Goals
from anonymizer_gui.engine.privacy.contract import Groups
from anonymizer_gui.engine.recoding import first_groups


def infeasible(encoded: Encoded, goals: Goals, limits: Limits, groups: Groups | None = None) -> Infeasible:
    """Explain on the most general table (or on the groups given) what fails."""
    if groups is None:
        first = first_groups(encoded)
        groups = encoded.groups(first, int(first.max(initial=-1)) + 1)
    failing = [m for m in goals.models if not np.all(m.satisfied(groups, goals.whole) | (groups.sizes == 0))]
    goal = failing[0].sentence() if failing else ""
    return Infeasible(f"The goals cannot be reached: {goal or 'together they'} fails.", "Lower the goals.", goal)
