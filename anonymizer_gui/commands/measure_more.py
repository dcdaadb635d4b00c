"""The longer measurements of the measure command: utility against the original, and attacks."""

import numpy as np

from anonymizer_gui.engine.errors import AnonymizerError, BadParameter
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import SILENT
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, Exposure
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison


def metrics_of(comparison: Comparison, *, same_order: bool) -> dict[str, Json]:
    """Run every utility measure that can be run; the others say why not.

    Raises BadParameter when the published table has more rows than the original, or not as many in the same order.
    """
    rows, published = comparison.original.n_rows, comparison.published.n_rows
    if published > rows or (same_order and published != rows):
        raise BadParameter(
            f"The published table has {published:,} rows, the original {rows:,}.", "Compare a table with its original."
        )
    found: dict[str, Json] = {}
    for metric in METRICS:
        if metric.needs_rows and not same_order:
            found[metric.name] = {"skipped": "It must know which row is which: add --same-order if both tables agree."}
            continue
        try:
            result = metric().measure(comparison, SILENT)
            value = float(result.value)
            found[metric.name] = {"value": value if np.isfinite(value) else None, "details": dict(result.details)}
        except AnonymizerError as error:
            found[metric.name] = {"skipped": str(error)}
    return found


def risks_of(exposure: Exposure) -> dict[str, Json]:
    """Run every risk analysis that can be run; the others say why not."""
    found: dict[str, Json] = {}
    for risk in RISKS:
        try:
            result = risk().measure(exposure, SILENT)
            numbers = {"value": result.value, "hit": result.hit, "people": result.people}
            found[risk.name] = {**numbers, "details": dict(result.details)}
        except AnonymizerError as error:
            found[risk.name] = {"skipped": str(error)}
    return found
