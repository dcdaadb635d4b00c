"""What a question may know before it has looked at the data: nothing of it depends on anybody's row."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.hierarchy.tree import Hierarchy


@dataclass(frozen=True, slots=True)
class Public:
    """The unit of protection, the hierarchies and the decimal mark of the columns, and how many rows there may be.

    `rows` is the number of rows where the unit makes it public, that is when rows are only ever changed; `assumed` is
    a number somebody believes, good for expected errors and sizes of grids. `epsilon` and `delta` are
    what the question is given.
    """

    unit: PrivacyUnit = field(default_factory=PrivacyUnit)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    decimal: str = "."
    rows: int | None = None
    assumed: int = 0
    epsilon: Fraction | None = None
    delta: Fraction = Fraction(0)
