"""MD: the levels that cells have climbed in their hierarchies."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison, Metric, MetricResult
from anonymizer_gui.engine.rooms.microdata.utility.loss import levels_climbed


@METRICS.register
@dataclass(frozen=True, slots=True)
class MinimalDistortion(Metric):
    """One unit per level climbed per cell; a suppressed cell climbs to the root."""

    name: ClassVar[str] = "md"
    title: ClassVar[str] = "Minimal distortion (MD)"
    summary: ClassVar[str] = "How many levels all cells together were lifted in their hierarchies."
    formula: ClassVar[str] = "MD = Σ_cells levels climbed"
    reference: ClassVar[str] = "Samarati, Protecting respondents identities in microdata release, TKDE 13(6), 2001"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "0 to records × sum of heights"
    needs_rows: ClassVar[bool] = True

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the levels climbed from the leaf of every original row; the details hold those of every column."""
        columns = {}
        for done, name in enumerate(comparison.qis):
            progress(done / len(comparison.qis), message("Levels of “{name}”", name=name))
            placed = comparison.columns[name]
            columns[name] = int(levels_climbed(placed.published, placed.cells, placed.leaf, comparison.rows).sum())
        return MetricResult(float(sum(columns.values())), {"columns": columns})
