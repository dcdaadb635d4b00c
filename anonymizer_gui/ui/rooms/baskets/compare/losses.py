"""What releases lose, side by side: bars, or lines along the one number that was varied."""

from collections.abc import Sequence

from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.engine.rooms.baskets.sweep import varied_parameter
from anonymizer_gui.ui.charts.plots import BarPlot, LinePlot
from anonymizer_gui.ui.i18n import tr


def losses_of(releases: Sequence[Release]) -> BarPlot | LinePlot:
    """Draw loss, values left, deletions and who is still exposed, each as a share of what there was."""
    found = [release.measured for release in releases]
    series = {
        tr("Values left"): [each.values_left / max(each.items, 1) for each in found],
        tr("Loss (NCP)"): [each.ncp for each in found],
        tr("Deleted"): [each.share_deleted for each in found],
        tr("Exposed"): [each.exposed_after / max(each.baskets, 1) for each in found],
    }
    varied = varied_parameter([release.project for release in releases])
    if varied is None:
        labels = [tr(release.name) for release in releases]
        return BarPlot(tr("What the releases lose"), labels, series, shares=True)
    label, values = varied
    order = sorted(range(len(values)), key=lambda at: values[at])
    sorted_series = {name: [100 * shares[at] for at in order] for name, shares in series.items()}
    title = tr("What is lost along {label}", label=tr(label))
    return LinePlot(title, [values[at] for at in order], sorted_series, x=tr(label), y=tr("Percent"))
