"""What may be known beside a published table when it is measured."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.table import Column, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """All of it may be missing; then what needs it is not measured, or as if every row were another person's.

    `rows` gives the row of the original that each published one was, `person` says for every published row whom it is
    about. With `missing_counts` a missing value is one more value of every l that is told without a goal.
    """

    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    schema: Schema | None = None
    original: Table | None = None
    rows: npt.NDArray[np.int64] | None = None
    population: Table | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    suppressed: int = 0
    missing_counts: bool = False
    person: Column | None = None


NOTHING = Background()
"""The published table is all there is."""
