"""Charts show their plot, answer to pointer and keys, and leave as picture, file and numbers."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.charts.plots import BarPlot, HeatmapPlot, LinePlot, Plot, RectanglePlot, ScatterPlot
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.workspace.document import Document

PLOTS: list[Plot] = [
    BarPlot("Sizes", ["a", "b"], {"before": [1, 4], "after": [2, 3]}, x="Value", y="Rows"),
    BarPlot("Loss", ["age", "zip"], {"LM": [0.25, 0.5]}, sideways=True),
    LinePlot("Sweep", [2, 5, 10], {"LM": [0.1, 0.2, 0.4]}, x="k", y="LM"),
    ScatterPlot("Trade-off", ["r1", "r2"], [0.2, 0.1], [0.3, 0.6], x="Risk", y="Loss", front=[0, 1], chosen=1),
    HeatmapPlot("Change", ["f", "m"], ["x", "y"], [[0.0, 0.5], [1.0, 0.25]]),
    RectanglePlot("Map", [(0, 0, 1, 1), (1, 0, 2, 1)], ["left", "right"], [3, 9], x="Age", y="Zip"),
]


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> ChartPanel:
    made = ChartPanel(document.drawing, "chart_under_test")
    qtbot.addWidget(made)
    made.resize(500, 360)
    made.show()
    return made


@pytest.mark.parametrize("plot", PLOTS, ids=lambda plot: f"{type(plot).__name__}-{plot.title}")
def test_every_plot_is_drawn_and_can_be_read_as_numbers(panel: ChartPanel, plot: Plot) -> None:
    panel.show_plot(plot)
    image = panel.chart.grab().toImage()
    colors = {image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
    assert len(colors) > 3
    assert panel.title.text() == plot.title
    panel.show_numbers(True)
    head, rows = plot.numbers()
    assert panel.numbers.rowCount() == len(rows)
    assert [panel.numbers.item(0, j).text() for j in range(len(head))] == rows[0]


def test_a_bar_that_is_clicked_tells_its_number(panel: ChartPanel, qtbot: QtBot) -> None:
    panel.show_plot(PLOTS[3])
    spot = panel.chart.spots()[1]
    place = QPoint(
        round((spot.left + spot.right) / 2 * panel.chart.width()),
        round((spot.top + spot.bottom) / 2 * panel.chart.height()),
    )
    with qtbot.waitSignal(panel.chart.clicked) as clicked:
        qtbot.mouseClick(panel.chart, Qt.MouseButton.LeftButton, pos=place)
    assert clicked.args == [1]


def test_the_keys_walk_through_the_spots_and_choose_one(panel: ChartPanel, qtbot: QtBot) -> None:
    panel.show_plot(PLOTS[3])
    panel.chart.setFocus()
    qtbot.keyClick(panel.chart, Qt.Key.Key_Right)
    qtbot.keyClick(panel.chart, Qt.Key.Key_Right)
    with qtbot.waitSignal(panel.chart.clicked) as clicked:
        qtbot.keyClick(panel.chart, Qt.Key.Key_Return)
    assert clicked.args == [1]


def test_numbers_are_copied_as_lines_with_tabs(panel: ChartPanel) -> None:
    panel.show_plot(PLOTS[0])
    panel.copy_numbers()
    assert QGuiApplication.clipboard().text() == "Value\tbefore\tafter\na\t1\t2\nb\t4\t3"


@pytest.mark.parametrize(("name", "start"), [("c.png", b"\x89PNG"), ("c.svg", b"<?xml")])
def test_a_chart_is_saved_as_picture(panel: ChartPanel, tmp_path: Path, name: str, start: bytes) -> None:
    panel.show_plot(PLOTS[0])
    panel.save(tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)


def test_a_chart_that_cannot_be_saved_is_told_in_the_messages(
    panel: ChartPanel, document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    panel.show_plot(PLOTS[0])
    with qtbot.waitSignal(document.messages.posted) as posted:
        panel.save(tmp_path / "none" / "c.png")
    assert "could not be written" in posted.args[0].text


def test_a_chart_follows_the_theme(panel: ChartPanel, qapp: QApplication) -> None:
    panel.show_plot(PLOTS[0])
    for mode in ("dark", "light"):
        theme.apply(qapp, mode)
        qapp.processEvents()
        corner = panel.chart.grab().toImage().pixelColor(2, 2)
        assert corner == QColor(theme.color("base").name())


def test_a_plot_that_is_being_drawn_is_not_begun_again(qtbot: QtBot) -> None:
    document = Document()
    panel = ChartPanel(document.drawing, "chart_under_test")
    qtbot.addWidget(panel)
    panel.resize(500, 360)
    panel.show()
    panel.show_plot(PLOTS[0])
    (job,) = [job for job in document.drawing.active if not job.is_cancelled]
    panel.show_plot(PLOTS[0])
    assert not job.is_cancelled
    qtbot.waitUntil(lambda: not document.drawing.active)
    document.close()
