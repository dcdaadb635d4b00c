"""Tracks as somebody sees them who knows a few points: how many tracks fit, and how many people are found."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSpinBox, QSplitter, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.rooms.places.attack import (
    MOST_POINTS,
    KnowledgePrecision,
    matching_trajectories,
    uniqueness_curve,
    visited_after,
    visited_before,
)
from anonymizer_gui.engine.rooms.places.release import Release
from anonymizer_gui.engine.rooms.places.trajectories import TrajectoryClasses
from anonymizer_gui.ui.charts.plots import LinePlot
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.places.map_layers import LINES, RINGS, Layer, Scene
from anonymizer_gui.ui.rooms.places.map_view import MapView
from anonymizer_gui.ui.rooms.places.ours import places_of, release_of
from anonymizer_gui.ui.rooms.places.scenes import points_of, roads_of
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.workspace.document import Document


@dataclass(frozen=True, slots=True)
class Curves:
    """The share of tracks that 1, 2, ... points identify, before and after, and a track that two points identify."""

    before: list[float]
    after: list[float] | None
    found: int


_MOST_LISTED = 2000
_MINUTE = 60
_TRIED = 60


class KnownPoints(QWidget):
    """What is known above, who fits on the map, and the curve of how many are found."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.document = document
        self._is_chosen = True
        self.story = name_widget(QLabel(wordWrap=True), "points_story")
        self.track = name_widget(QComboBox(), "known_track", spoken=tr("The track"))
        self.known = name_widget(
            QSpinBox(minimum=1, maximum=MOST_POINTS, value=2), "known_points", spoken=tr("Known points")
        )
        self.tile = name_widget(QSpinBox(minimum=10, maximum=10_000, value=100, singleStep=50), "known_tile",
                          spoken=tr("to within metres"))  # fmt: skip
        self.slot = name_widget(QSpinBox(minimum=1, maximum=1440, value=5), "known_slot", spoken=tr("and minutes"))
        self.found = name_widget(QLabel(wordWrap=True), "points_found")
        self.map = MapView(document.drawing, "points_map")
        self.curve = ChartPanel(document.drawing, "unique_chart")
        self._build()
        self.track.activated.connect(lambda _at: self._on_track())
        for box in (self.known, self.tile, self.slot):
            box.valueChanged.connect(lambda _value: self._on_knowledge())

    def show_places(self, places: Places) -> None:
        """Take other tracks, and the release that is chosen."""
        names = list(places.names[:_MOST_LISTED])
        if names != [self.track.itemText(at) for at in range(self.track.count())]:
            self.track.clear()
            self.track.addItems(names)
            self._is_chosen = False
        self._show_track(keep_view=False)
        self._ask_curve(places)

    def _build(self) -> None:
        self.story.setText(
            tr(
                "Names are gone, and still people are found: whoever met somebody at a few places, or saw their "
                "pictures, looks for the track that was there at those times. Mostly there is only one."
            )
        )
        head = QHBoxLayout()
        for widget in (self.track, self.known, self.tile, self.slot):
            label = QLabel(widget.accessibleName())
            label.setBuddy(widget)
            head.addWidget(label)
            head.addWidget(widget)
        head.addStretch()
        split = name_widget(QSplitter(childrenCollapsible=False), "points_splitter")
        split.addWidget(self.map)
        split.addWidget(self.curve)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        layout = QVBoxLayout(self)
        layout.addWidget(self.story)
        layout.addLayout(head)
        layout.addWidget(self.found)
        layout.addWidget(split, 1)

    def _sharp(self) -> KnowledgePrecision:
        return KnowledgePrecision(float(self.tile.value()), float(self.slot.value() * _MINUTE))

    def _on_track(self) -> None:
        self._is_chosen = True
        self._show_track(keep_view=True)

    def _on_knowledge(self) -> None:
        places = places_of(self.document)
        if places is not None:
            self._show_track(keep_view=True)
            self._ask_curve(places)

    def _show_track(self, *, keep_view: bool) -> None:
        """Draw the known points and everybody who was there then."""
        places, track = places_of(self.document), self.track.currentIndex()
        if places is None or track < 0:
            return
        points, fits = matching_trajectories(
            places, track, self.known.value(), self._sharp(), self.document.project.seed
        )
        some = places.take(fits)
        rings = np.column_stack([places.x[points], places.y[points], np.full(len(points), self.tile.value() / 2)])
        layers = [
            *roads_of(self.document),
            _pale(points_of(places)),
            Layer(LINES, np.column_stack([some.x, some.y]), "series_2", 2.0, 0.9, some.starts.tolist()),
            Layer(RINGS, rings, "bad", 2.0, 0.35),
        ]
        self.map.show_scene(Scene(tr("Tracks that fit the known points"), layers), keep_view=keep_view)
        self.found.setText(_sentence(len(fits), len(points)))

    def _ask_curve(self, places: Places) -> None:
        release = release_of(self.document)
        self.document.ask(
            "unique tracks", _curves, places, release, self._sharp(), self.document.project.seed, then=self._on_curve,
            title=tr("Count who is unique"),
        )  # fmt: skip

    def _on_curve(self, found: Curves) -> None:
        series = {tr("before"): [100 * share for share in found.before]}
        if found.after is not None:
            series[tr("after")] = [100 * share for share in found.after]
        known = self.known.value()
        title = tr("{points:known point identifies|known points identify} {share} of the tracks", points=known,
                   share=format_percent(found.before[known - 1]))  # fmt: skip
        if not self._is_chosen and 0 <= found.found < self.track.count():
            self._is_chosen = True  # begin with somebody who is found
            self.track.setCurrentIndex(found.found)
            self._show_track(keep_view=True)
        self.curve.show_plot(LinePlot(title, list(range(1, MOST_POINTS + 1)), series, tr("Known points"), "%"))


def _pale(layer: Layer) -> Layer:
    return Layer(layer.sort, layer.at, "muted", layer.width, 0.25, layer.starts)


def _sentence(fitting: int, known: int) -> str:
    if fitting == 1:
        return tr("{known:point is|points are} known, and one track fits: found.", known=known)
    return tr(
        "{known:point is|points are} known, and {fitting} tracks fit.", known=known, fitting=format_integer(fitting)
    )


def _curves(
    places: Places, release: Release | None, sharp: KnowledgePrecision, seed: int, progress: Progress
) -> Curves:
    before = uniqueness_curve(visited_before(places, sharp), seed, progress=progress.sub(0.0, 0.4))
    after = None
    if release is not None and isinstance(release.made, TrajectoryClasses):
        after = uniqueness_curve(visited_after(release.made, sharp), seed, progress=progress.sub(0.4, 0.8))
    for track in range(min(len(places), _TRIED)):
        progress(0.8 + 0.2 * track / _TRIED)
        if len(matching_trajectories(places, track, 2, sharp, seed)[1]) == 1:
            return Curves(before, after, track)
    return Curves(before, after, -1)
