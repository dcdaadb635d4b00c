"""Data page: map, oddities, roads; open dialog."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from PySide6.QtWidgets import QLabel, QPushButton, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.layout import PlaceOptions, sniff_options, table_columns
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.data.places.reading import (
    DOUBLE,
    GAP,
    SPEED,
    Outlier,
    PlacesReadReport,
    find_outliers,
    read_places,
)
from anonymizer_gui.engine.rooms.places.project import ROADS
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.dialogs.file_dialogs import ask_file
from anonymizer_gui.ui.dialogs.open_data import OpenDataDialog
from anonymizer_gui.ui.i18n import format_decimal, format_integer, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.places.figures import format_metres, has_places, places_of
from anonymizer_gui.ui.rooms.places.map_scenes import data_scene
from anonymizer_gui.ui.rooms.places.map_view import DOTS, MapLayer, MapScene, MapView
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.ui.widgets.layout import section
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view
from anonymizer_gui.workspace.document import Document


class OpenPlacesDialog(OpenDataDialog):
    """How the file is read at the left, where that puts its points at the right."""

    room: ClassVar[str] = "places"
    title: ClassVar[str] = "Open Places"
    options: ClassVar[type] = PlaceOptions
    tone: ClassVar[str] = "info"
    lines: ClassVar[tuple[int, int]] = (60, 34)

    def preview(self) -> QWidget:
        """Make the map."""
        self.map = MapView(self._document.drawing, "open_map")
        return self.map

    @staticmethod
    def sniff(path: Path, progress: Progress) -> tuple[PlaceOptions, tuple[str, ...]]:
        """Look at the beginning of the file."""
        progress(0.0)
        return sniff_options(path), table_columns(path)

    @staticmethod
    def look(path: Path, options: PlaceOptions, progress: Progress) -> tuple[Places, PlacesReadReport]:
        """Read the places."""
        return read_places(path, options, progress)

    def show_data(self, data: Places | None, found: PlacesReadReport | None) -> str:
        """Draw the points, and count them."""
        if data is None:
            self.map.show_scene(None)
            return ""
        at = np.column_stack([data.x, data.y])
        self.map.show_scene(MapScene(tr("Where the points are"), (MapLayer(DOTS, at, width=3.0, opacity=0.6),)))
        return tr("{points:point|points} of {tracks:track|tracks}.", points=data.n_points, tracks=len(data))


OutlierList = tuple[tuple[Outlier, ...], tuple[tuple[str, int], ...]]

_KMH = 3.6

_SHOWN = 500


class DataPage(Page):
    """The map at the left, what is odd at the right, figures below."""

    name = "data"
    title = "Data"
    order = 10
    icon = "data"
    help = "places/data"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say how many points there are."""
        places = places_of(document)
        if places is None:
            return StepStatus(StepState.EMPTY, tr("Open places first."))
        words = tr("{points:point|points} of {tracks:track|tracks}", points=places.n_points, tracks=len(places))
        return StepStatus(StepState.DONE, words)

    def choose_roads(self) -> None:
        """Ask for roads to draw below the map."""
        ask_file(self, tr("Choose Roads for the Map"), self.set_roads)

    def set_roads(self, path: str) -> None:
        """Read roads and draw them."""
        self.document.set_file(ROADS, path, tr("Choose roads for the map"), tr("Read the roads"))

    def _build(self) -> None:
        self.map = MapView(self.document.drawing, "places_map")
        self.odd = TextTableModel((tr("Track"), tr("When"), tr("What")))
        self.odd_view = text_table_view(self.odd, "odd_places", tr("What is odd"), 2)
        self.odd_words = name_widget(QLabel(wordWrap=True), "odd_words")
        self.roads_button = name_widget(QPushButton(tr("Roads…")), "choose_roads", tip=tr("Draw roads below the map"))
        self.figures = CardRow()
        self.empty = EmptyState(tr("Open places first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="data")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        words = QLabel(tr("The map is drawn from your files alone: no tile is fetched that would tell where they are."))
        words.setWordWrap(True)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(section(tr("What is odd"), self.odd_words, self.odd_view), 1)
        column.addWidget(section(tr("Roads"), words, self.roads_button))
        split = name_widget(QSplitter(childrenCollapsible=False), "places_splitter")
        split.addWidget(self.map)
        split.addWidget(side)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.addWidget(split, 1)
        layout.addWidget(self.figures)
        return inside

    def _connect(self) -> None:
        self.roads_button.clicked.connect(self.choose_roads)

    def _show(self, changed: frozenset[str]) -> None:
        places = places_of(self.document)
        self._stack.setCurrentIndex(int(places is not None))
        if places is None or not is_affected(changed, "places", "source", "roads"):
            return
        self.map.show_scene(data_scene(self.document, places))
        self.figures.show_figures(_figures(places))
        self.document.ask("odd places", _odd, places, then=self._on_odd, title=tr("Look for odd places"))

    def _on_odd(self, found: OutlierList) -> None:
        odd, counts = found
        self.odd.show_rows([_row(each) for each in odd[:_SHOWN]])
        told = dict(counts)
        self.odd_words.setText(
            tr("{fast:speed|speeds} above 360 km/h and {gaps:gap|gaps} far longer than usual, which were kept; "
               "{doubles:second point|second points} at one instant, which were left out.",
               fast=told.get(SPEED, 0), gaps=told.get(GAP, 0), doubles=told.get(DOUBLE, 0))
        )  # fmt: skip


def _odd(places: Places, progress: Progress) -> OutlierList:
    progress(0.0)
    return find_outliers(places)


def _row(odd: Outlier) -> tuple[str, str, str]:
    when = datetime.fromtimestamp(odd.t, UTC).strftime("%Y-%m-%d %H:%M:%S")
    if odd.sort == SPEED:
        return odd.track, when, tr("{n} km/h", n=format_integer(round(odd.value * _KMH)))
    if odd.sort == DOUBLE:
        return odd.track, when, tr("a second point at this instant")
    return odd.track, when, tr("{n} min without a point", n=format_integer(round(odd.value / 60)))


def _figures(places: Places) -> tuple[Figure, ...]:
    west, south, east, north = places.extent()
    steps = np.diff(places.t)[np.diff(places.track_of) == 0] if places.has_time else np.empty(0)
    every = tr("every {n} s", n=format_decimal(float(np.median(steps)), 0)) if len(steps) else tr("without a next one")
    units = tr("projected from degrees") if places.projection.is_degrees else tr("as in the file")
    size = f"{format_metres(east - west)} × {format_metres(north - south)}"
    people = tr("of {people:person|people}", people=places.n_people)
    return (
        Figure("tracks", tr("Tracks"), format_integer(len(places)), people, "info"),
        Figure("points", tr("Points"), format_integer(places.n_points), every, "info"),
        Figure("extent", tr("Extent"), size, units, "info"),
        Figure("time", tr("Time"), _span(places), tr("from the first to the last point, UTC"), "info"),
    )


def _span(places: Places) -> str:
    if not places.has_time or not places.n_points:
        return tr("not told")
    first, last = (datetime.fromtimestamp(float(t), UTC) for t in (places.t.min(), places.t.max()))
    if first.date() == last.date():
        return f"{first:%H:%M} – {last:%H:%M}"
    return f"{first:%Y-%m-%d} – {last:%Y-%m-%d}"


def _action(name: str, title: str, callback: Any, icon: str, tip: str) -> Action:
    return Action(
        f"data.{name}", title, callback, "Places", "files", icon, status_tip=tip, enabled=has_places,
        reason="Open places first.", page="data",
    )  # fmt: skip


ACTIONS = (
    _action("roads", "Roads for the Map…", lambda page: page.choose_roads(), "import", "Draw roads below the map"),
)
