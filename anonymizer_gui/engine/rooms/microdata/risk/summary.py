"""Re-identification risk of a table in a few numbers, from its class sizes alone."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.rooms.microdata.comfort import COMFORTABLE_RISK


@dataclass(frozen=True, slots=True)
class RiskSummary:
    """The risk of being picked out by somebody who knows that a person is in the table.

    `highest` is 1 / smallest class, `average` classes / rows (also the share a marketer hits), `unique_rows` the
    rows that are alone in their class, `rows_above` those whose risk exceeds the threshold.
    """

    highest: float
    average: float
    unique_rows: int
    unique_share: float
    rows_above: int
    threshold: float = COMFORTABLE_RISK

    def to_json(self) -> dict[str, Json]:
        """Give the numbers as JSON."""
        return {
            "highest": self.highest,
            "average": self.average,
            "unique_rows": self.unique_rows,
            "unique_share": self.unique_share,
            "rows_above": self.rows_above,
            "threshold": self.threshold,
        }


def summarise(sizes: npt.NDArray[np.int64], threshold: float = COMFORTABLE_RISK) -> RiskSummary:
    """Sum up the risk of classes of these sizes; nobody is at risk in a table without rows.

    >>> summarise(np.array([1, 4, 5])).highest
    1.0
    """
    rows = int(sizes.sum())
    if not rows:
        return RiskSummary(0.0, 0.0, 0, 0.0, 0, threshold)
    held = sizes[sizes > 0]
    unique = int((held == 1).sum())
    above = int(held[1 / held > threshold * (1 + 1e-9)].sum())
    return RiskSummary(1 / int(held.min()), len(held) / rows, unique, unique / rows, above, threshold)
