"""The longer measurements of the measure command: utility against the original, and attacks."""

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.core.registry import try_each
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, AttackView, RiskResult
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison, MetricResult, measure_utility


def metrics_of(comparison: Comparison, *, same_order: bool) -> dict[str, Json]:
    """Run every utility measure that can be run; the others say why not.

    Raises BadParameter when the published table has more rows than the original, or not as many in the same order.
    """
    rows, published = comparison.original.n_rows, comparison.published.n_rows
    if published > rows or (same_order and published != rows):
        raise BadParameter(
            f"The published table has {published:,} rows, the original {rows:,}.", "Compare a table with its original."
        )
    found = measure_utility([metric() for metric in METRICS if same_order or not metric.needs_rows], comparison, SILENT)
    return {metric.name: _metric(found.get(metric.name)) for metric in METRICS}


def risks_of(exposure: AttackView) -> dict[str, Json]:
    """Run every risk analysis that can be run; the others say why not."""
    found = try_each([risk() for risk in RISKS], lambda risk, part: risk.measure(exposure, part), SILENT)
    return {name: _risk(result) for name, result in found.items()}


def _metric(result: MetricResult | AnonymizerError | None) -> dict[str, Json]:
    if result is None:
        return {"skipped": "It must know which row is which: add --same-order if both tables agree."}
    if isinstance(result, AnonymizerError):
        return {"skipped": str(result)}
    value = float(result.value)
    return {"value": value if np.isfinite(value) else None, "details": dict(result.details)}


def _risk(result: RiskResult | AnonymizerError) -> dict[str, Json]:
    if isinstance(result, AnonymizerError):
        return {"skipped": str(result)}
    return {"value": result.value, "hit": result.hit, "people": result.people, "details": dict(result.details)}
