"""Named points: every name is written, equal dots stand side by side, axes begin at zero, shares are percents."""

from typing import Any

from matplotlib.figure import Figure

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.charts.plots import ScatterPlot
from anonymizer_gui.ui.widgets.chart_panel import _COLOR_NAMES

NAMES = ["Bottom-up, k = 2", "Mondrian, k = 2", "Best loss, k = 2", "Auto"]


def drawn(points: ScatterPlot) -> tuple[Any, list[tuple[Any, str, int]]]:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.add_subplot()
    spots = points.draw(axes, {name: theme.color(name).name() for name in _COLOR_NAMES})
    figure.canvas.draw()
    return axes, spots


def alike() -> ScatterPlot:
    return ScatterPlot("Alike", NAMES, [0.2, 0.2, 0.2, 0.2], [0.3, 0.3, 0.3, 0.3], "Risk", "Loss", x_is_share=True)


def test_every_name_stands_beside_its_dot_and_none_covers_another(qapp: object) -> None:
    axes, _ = drawn(alike())
    names = [text for text in axes.texts if text.get_text() in NAMES]
    boxes = [text.get_window_extent() for text in names]
    assert len(names) == len(NAMES)
    assert not [one for i, one in enumerate(boxes) for other in boxes[i + 1 :] if one.overlaps(other)]


def test_equal_dots_stand_side_by_side(qapp: object) -> None:
    _, spots = drawn(alike())
    middles = [artist.get_window_extent().x0 for artist, _, _ in spots]
    assert len({round(middle) for middle in middles}) == len(NAMES)


def test_axes_begin_at_zero_and_shares_are_percents(qapp: object) -> None:
    axes, spots = drawn(alike())
    assert (axes.get_xlim()[0], axes.get_ylim()[0]) == (0, 0)
    assert axes.get_xlim()[1] > 0.2
    assert all(text.get_text().endswith("%") for text in axes.get_xticklabels())
    assert not any(text.get_text().endswith("%") for text in axes.get_yticklabels())
    assert "Risk: 20.0%" in spots[0][1]
    assert alike().numbers()[1][0] == [NAMES[0], "20.0%", "0.3"]
