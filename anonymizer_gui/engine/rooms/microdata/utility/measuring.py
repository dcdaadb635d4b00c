"""Several utility measures of one release."""

from collections.abc import Mapping, Sequence

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import try_each
from anonymizer_gui.engine.rooms.microdata.utility.contract import Comparison, Metric, MetricResult


def measure_utility(
    metrics: Sequence[Metric], comparison: Comparison, progress: Progress
) -> Mapping[str, MetricResult | AnonymizerError]:
    """Measure several things; one that cannot be measured gives its error and does not stop the others."""
    return try_each(metrics, lambda metric, part: metric.measure(comparison, part), progress)
