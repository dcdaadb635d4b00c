"""The pages of the room of places, clicked through as a steward would."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.ui.page import StepState
from anonymizer_gui.ui.rooms.places.attack_page import AttackPage
from anonymizer_gui.ui.rooms.places.compare_page import ComparePage
from anonymizer_gui.ui.rooms.places.data_page import DataPage, OpenPlacesDialog
from anonymizer_gui.ui.rooms.places.map_view import (
    BOXES,
    DOTS,
    LINES,
    RINGS,
    MapExtent,
    MapLayer,
    MapScene,
    MapView,
    render_map,
)
from anonymizer_gui.ui.rooms.places.protect_page import ProtectPage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.widgets.sweep import ParameterSweepDialog
from anonymizer_gui.workspace.document import Document


@pytest.fixture
def town(qtbot: QtBot, request: pytest.FixtureRequest) -> Iterator[Document]:
    document = Document(inline_jobs=True)
    document.open_project(resource_path("samples", getattr(request, "param", "town.anon")), as_copy=True)
    yield document
    document.close()


@pytest.fixture
def window(town: Document, make_window: Callable[[Document], MainWindow]) -> MainWindow:
    return make_window(town)


def test_the_map_is_dragged_zoomed_and_brought_back(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("data")
    assert isinstance(page, DataPage)
    page.map.show_all()
    first = page.map.view
    middle = page.map.rect().center()
    qtbot.mousePress(page.map, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(page.map, middle + QPoint(40, 0))
    qtbot.mouseRelease(page.map, Qt.MouseButton.LeftButton, pos=middle + QPoint(40, 0))
    assert page.map.view.x == pytest.approx(first.x - 40 * first.scale)
    turned = QWheelEvent(
        QPointF(middle), QPointF(middle), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    page.map.wheelEvent(turned)
    assert page.map.view.scale < first.scale
    qtbot.keyClick(page.map, Qt.Key.Key_Up)
    qtbot.keyClick(page.map, Qt.Key.Key_Minus)
    qtbot.keyClick(page.map, Qt.Key.Key_0)
    assert page.map.view == first


def test_a_click_on_the_map_tells_where_it_was(qtbot: QtBot) -> None:
    document = Document(inline_jobs=True)
    view = MapView(document.drawing, "map")
    qtbot.addWidget(view)
    view.resize(400, 400)
    view.show_scene(MapScene("ground", (MapLayer(DOTS, np.array([[0.0, 0.0], [100.0, 100.0]])),)))
    with qtbot.waitSignal(view.clicked) as told:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(200, 200))
    assert told.args == pytest.approx([50.0, 50.0])
    document.close()


def test_every_sort_of_layer_is_drawn() -> None:
    colors = {"base": "#ffffff", "bad": "#ff0000", **{f"series_{n}": "#0000ff" for n in range(1, 7)}}
    line = np.array([[0.0, 0.0], [50.0, 50.0], [10.0, 0.0]])
    for layer in (
        MapLayer(LINES, line, starts=[0, 2]),
        MapLayer(LINES, line, starts=[0, 2], shades=[0, 1]),
        MapLayer(DOTS, line, width=4, shades=[0, 1, 2]),
        MapLayer(BOXES, np.array([[0.0, 0.0, 30.0, 30.0]])),
        MapLayer(RINGS, np.array([[20.0, 20.0, 10.0]]), "bad"),
    ):
        image, _view = render_map(MapScene("one", (layer,)), MapExtent(20.0, 20.0, 1.0), 80, 80, 1.0, colors, SILENT)
        assert isinstance(image, QImage)
        shades = {image.pixelColor(x, y).name() for x in range(80) for y in range(80)}
        assert len(shades) > 1, layer.sort


def test_who_is_found_by_two_points_is_shown_first(window: MainWindow) -> None:
    page = window.show_page("attack")
    assert isinstance(page, AttackPage)
    assert "one track fits: found" in page.points.found.text()
    page.points.known.setValue(1)
    page.points.tile.setValue(10_000)
    assert "tracks fit" in page.points.found.text()
    plot = page.points.curve.chart.plot
    assert plot is not None
    assert "1 known point identifies" in plot.title


@pytest.mark.parametrize("town", ["town_queries.anon"], indirect=True)
def test_an_exposed_user_is_looked_at_by_a_click(window: MainWindow) -> None:
    page = window.show_page("attack")
    assert isinstance(page, AttackPage)
    assert "users send exactly this one" in page.queries.found.text()
    before = page.queries.user.currentIndex()
    page.queries.map.clicked.emit(900.0, 900.0)
    assert page.queries.user.currentIndex() != before
    assert page.queries.curve.chart.plot is not None
    window.document.edit("Another method", algorithm=type(window.document.project.algorithm)(spots=1))
    assert page.queries.figures.card("exposed").text.text() == "0.0%"


def test_a_run_is_clicked_and_its_result_is_told(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("protect")
    assert isinstance(page, ProtectPage)
    assert "Absolute time" in page.cost_words.text()
    page.k.setValue(4)
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    result = window.show_page("result")
    assert isinstance(result, ComparePage)
    assert int(result.figures.card("smallest").text.text()) >= 4
    assert result.classes.rowCount() > 0
    whole = result.map.scene
    result.class_view.selectRow(1)
    assert result.map.scene is not whole
    assert result.map.scene is not None
    assert "One class" in result.map.scene.title
    window.document.undo_stack.undo()
    assert ProtectPage.mark(window.document).state is StepState.STALE


def test_another_way_brings_its_methods_and_costs(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("protect")
    assert isinstance(page, ProtectPage)
    page.way.setCurrentIndex(page.way.findData("cloak"))
    page.way.activated.emit(page.way.currentIndex())
    assert page.method.currentData() == "hilbert"
    page.method.setCurrentIndex(page.method.findData("temporal"))
    page.method.activated.emit(page.method.currentIndex())
    plot = page.costs.chart.plot
    assert plot is not None
    assert plot.title == "Waiting against k"
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    result = window.show_page("result")
    assert isinstance(result, ComparePage)
    assert not result.tabs.isTabVisible(1)
    assert result.figures.card("wait").text.text()


def test_the_releases_of_a_sweep_are_drawn_as_a_curve(window: MainWindow) -> None:
    page = window.show_page("protect")
    assert isinstance(page, ProtectPage)
    page.sweep()
    dialog = page.findChild(ParameterSweepDialog)
    assert dialog is not None
    dialog.values.setText("3, 6")
    dialog.accept()
    result = window.show_page("result")
    assert isinstance(result, ComparePage)
    assert result.releases.rowCount() == 2
    drawn = result.curve.chart.plot
    assert drawn is not None
    assert len(drawn.numbers()[1]) == 2
    assert result.tabs.isTabVisible(4)


def test_a_file_is_opened_as_it_is_read(tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "walks.csv"
    path.write_text("user,time,lat,lon\na,2024-05-01T08:00:00,48,11\nb,2024-05-01T08:00:00,48.1,11\n", encoding="utf-8")
    document = Document(inline_jobs=True)
    dialog = OpenPlacesDialog(document, str(path))
    qtbot.addWidget(dialog)
    assert dialog.counts.text() == "2 points of 2 tracks."
    assert "UTC" in dialog.note.label.text()
    assert dialog.map.scene is not None
    dialog.accept()
    assert document.room == "places"
    assert document.project.algorithm.name == "hilbert"
    document.close()


def test_a_file_without_places_says_so(tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "names.csv"
    path.write_text("first,last\nAda,Ell\n", encoding="utf-8")
    document = Document(inline_jobs=True)
    dialog = OpenPlacesDialog(document, str(path))
    qtbot.addWidget(dialog)
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Open).isEnabled()
    assert "No column tells" in dialog.note.label.text()
    document.close()


def test_roads_are_chosen_and_drawn(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "roads.csv"
    path.write_text("a,b,c,d\n7.4,54.35,7.41,54.36\n", encoding="utf-8")
    page = window.show_page("data")
    assert isinstance(page, DataPage)
    page.set_roads(str(path))
    assert page.map.scene is not None
    assert len(page.map.scene.layers[0].at) == 2


@pytest.mark.parametrize("town", ["town_bridge.anon"], indirect=True)
def test_zones_are_attacked_replayed_and_added(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("attack")
    assert isinstance(page, AttackPage)
    zones = page.zones
    assert "is worth" in zones.found.text()
    assert zones.zones.rowCount() == 3
    zones.map.clicked.emit(0.0, 0.0)  # the bridge
    assert zones.map.scene is not None
    assert "One passage" in zones.map.scene.title
    before = zones.replay.chart.plot
    zones.passage.setCurrentIndex(3)
    zones.passage.activated.emit(3)
    assert zones.replay.chart.plot is not before
    qtbot.mouseClick(zones.place_button, Qt.MouseButton.LeftButton)
    zones.map.clicked.emit(600.0, 600.0)
    assert len(window.document.project.algorithm.by_hand) == 4
    qtbot.mouseClick(zones.best_button, Qt.MouseButton.LeftButton)
    assert zones.zones.rowCount() == 4
    qtbot.mouseClick(zones.clear_button, Qt.MouseButton.LeftButton)
    assert window.document.project.algorithm.by_hand == ()
    window.document.run()
    result = window.show_page("result")
    assert isinstance(result, ComparePage)
    assert result.figures.card("effective").text.text()


def test_visits_are_told_as_tiles(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("protect")
    assert isinstance(page, ProtectPage)
    page.way.setCurrentIndex(page.way.findData("tiles"))
    page.way.activated.emit(page.way.currentIndex())
    assert page.costs.chart.plot is not None
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    result = window.show_page("result")
    assert isinstance(result, ComparePage)
    assert int(result.figures.card("smallest").text.text()) >= 5
    assert result.map.scene is not None
    assert "tiles" in result.map.scene.title
    assert not result.tabs.isTabVisible(4)
