"""Records, or people, by the size of their class: one picture for the pages that show it."""

from anonymizer_gui.engine.rooms.microdata.views.equivalence_classes import RecordsBySize
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.i18n import format_integer, tr


def size_plot(sizes: RecordsBySize) -> BarPlot:
    """Draw how many are in classes of each size, before and after; before alone while there is no release."""
    series = {tr("before"): sizes.before, tr("after"): sizes.after}
    title = tr("Records by the size of their class, before and after")
    if sizes.are_people:
        title = tr("People by how many are in their class, before and after")
    if not any(sizes.after):
        series = {tr("before"): sizes.before}
        alone, everybody = sum(sizes.before[: int(sizes.labels[:1] == ("1",))]), sum(sizes.before)
        title = tr(
            "As the table is, {alone} of {rows:record looks|records look} like no other in the quasi-identifiers",
            alone=format_integer(alone),
            rows=format_integer(everybody),
        )
    unit = tr("People") if sizes.are_people else tr("Records")
    return BarPlot(title, sizes.labels, series, x=tr("Size of the class"), y=unit)
