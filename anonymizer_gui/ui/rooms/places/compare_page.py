"""The fourth step: what became of the places, on the map and in numbers; releases side by side."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtWidgets import QLabel, QSplitter, QStackedLayout, QTabWidget, QVBoxLayout, QWidget

from anonymizer_gui.engine.data.places.places import Floats
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, TILES, TRACKS
from anonymizer_gui.engine.rooms.places.cloaking import CloakedRegions
from anonymizer_gui.engine.rooms.places.mix_zones import MixedTrajectories
from anonymizer_gui.engine.rooms.places.release import Release
from anonymizer_gui.engine.rooms.places.trajectories import REASONS, TiledVisits, TrajectoryClasses
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, format_significant, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.places.figures import ROOM, format_metres, release_figures, release_of
from anonymizer_gui.ui.rooms.places.map_scenes import mix_zones_scene, regions_scene, tiles_scene, trajectories_scene
from anonymizer_gui.ui.rooms.places.map_view import MapView, round_scale
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

_BARS = 12
_COSTS = {
    CLOAK: ("median_side_m", "Median side of a region in metres"),
    MIX: ("effective", "Mean effective set under timing and turns"),
    TRACKS: ("mean_displacement_m", "Mean displacement in metres"),
    TILES: ("ncp", "Loss (NCP)"),
}
"""What a release of each way costs, or is worth, in one number."""
_MOST_ROWS = 5000


class ComparePage(Page):
    """The map at the left; histogram, classes, lost tracks and all releases at the right; figures below."""

    name = "result"
    title = "Result"
    order = 40
    icon = "utility"
    help = "places/result"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say what was made."""
        if document.room != ROOM or not document.releases:
            return StepStatus(StepState.EMPTY, tr("Protect the places first."))
        return StepStatus(StepState.DONE, tr("{releases:release|releases}", releases=len(document.releases)))

    def _build(self) -> None:
        self.map = MapView(self.document.drawing, "result_map")
        self.words = name_widget(QLabel(wordWrap=True), "result_words")
        self.histogram = ChartPanel(self.document.drawing, "result_histogram")
        self.classes = TextTableModel((tr("Class"), tr("Tracks"), tr("Duration"), tr("Displacement")), (1, 2, 3))
        self.class_view = text_table_view(self.classes, "track_classes", tr("Classes"), 0)
        self.lost = TextTableModel((tr("Track"), tr("Why it is lost")))
        self.lost_view = text_table_view(self.lost, "lost_tracks", tr("Lost tracks"), 1)
        head = (tr("Release"), tr("Smallest"), tr("Cost"), tr("Left open"), tr("Seconds"))
        self.releases = TextTableModel(head, (1, 2, 3, 4))
        self.release_view = text_table_view(self.releases, "place_releases", tr("Releases"), 0)
        self.curve = ChartPanel(self.document.drawing, "releases_chart")
        self.figures = CardRow()
        self.empty = EmptyState(
            tr("Protect the places first."), tr("Go to Protect"), lambda: self.go.emit("protect"), icon="utility"
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        self.tabs = name_widget(QTabWidget(documentMode=True), "result_tabs")
        self.tabs.addTab(self.histogram, tr("Histogram"))
        self.tabs.addTab(self.class_view, tr("Classes"))
        self.tabs.addTab(self.lost_view, tr("Lost"))
        self.tabs.addTab(self.release_view, tr("Releases"))
        self.tabs.addTab(self.curve, tr("Curve"))
        split = name_widget(QSplitter(childrenCollapsible=False), "result_places_splitter")
        split.addWidget(self.map)
        split.addWidget(self.tabs)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.addWidget(self.words)
        layout.addWidget(split, 1)
        layout.addWidget(self.figures)
        return inside

    def _connect(self) -> None:
        self.release_view.selectionModel().currentRowChanged.connect(lambda now, _before: self._on_release(now.row()))
        self.class_view.selectionModel().currentRowChanged.connect(lambda now, _before: self._on_class(now.row()))

    def _show(self, changed: frozenset[str]) -> None:
        release = release_of(self.document)
        self._stack.setCurrentIndex(int(release is not None))
        if release is None:
            return
        if is_affected(changed, Change.RELEASES):
            self.releases.show_rows([_row(each) for each in self.document.releases])
        if is_affected(changed, Change.RELEASES, Change.RESULTS, "roads"):
            self._show_release(release)

    def _show_release(self, release: Release) -> None:
        self.release_view.selectRow([kept.id for kept in self.document.releases].index(release.id))
        curve = _curve(self.document.releases, release.project.way)
        self.curve.show_plot(curve)
        self.tabs.setTabVisible(4, curve is not None)
        self.figures.show_figures(release_figures(release))
        self.words.setText(" ".join([f"{tr(release.sentence())}.", *(tr(note) for note in release.notes)]))
        is_tracks = isinstance(release.made, TrajectoryClasses)
        for tab in (1, 2):
            self.tabs.setTabVisible(tab, is_tracks)
        if isinstance(release.made, CloakedRegions):
            self.map.show_scene(regions_scene(self.document, release.made, release.project.k, None))
            title = tr("Sides of the regions")
            self.histogram.show_plot(_histogram(release.made.sides, title, tr("Metres"), tr("Users")))
            return
        if isinstance(release.made, TiledVisits):
            self.map.show_scene(tiles_scene(self.document, release.made))
            told = np.array([len(nodes) for nodes in release.made.sets], dtype=float)
            self.histogram.show_plot(_histogram(told, tr("Visits told of a person"), tr("Visits"), tr("People"), 1.0))
            return
        if isinstance(release.made, MixedTrajectories):
            self.map.show_scene(mix_zones_scene(self.document, release.made))
            sizes = [each.effective() for each in release.made.attacked]
            values = np.concatenate(sizes) if sizes else np.empty(0)
            title = tr("What sets are worth under timing and turns")
            self.histogram.show_plot(_histogram(values, title, tr("People"), tr("Changed pseudonyms")))
            return
        made = release.made
        self.map.show_scene(trajectories_scene(self.document, release.places, made, None))
        title = tr("How far published points are from the truth")
        self.histogram.show_plot(_histogram(made.displacements, title, tr("Metres"), tr("Points")))
        self._show_classes(made)
        names = release.places.names
        self.lost.show_rows([(names[track], tr(REASONS[why])) for track, why in list(made.lost.items())[:_MOST_ROWS]])

    def _show_classes(self, made: TrajectoryClasses) -> None:
        rows = []
        for number, each in enumerate(made.classes[:_MOST_ROWS], start=1):
            far = float(np.hypot(*(each.shown - each.true).transpose(2, 0, 1)).mean())
            minutes = format_decimal(float(each.times[-1] - each.times[0]) / 60, 1)
            rows.append(
                (format_integer(number), format_integer(len(each.tracks)), tr("{n} min", n=minutes), format_metres(far))
            )
        self.classes.show_rows(rows)

    def _on_class(self, row: int) -> None:
        release = release_of(self.document)
        if release is not None and isinstance(release.made, TrajectoryClasses) and 0 <= row < len(release.made.classes):
            self.map.show_scene(trajectories_scene(self.document, release.places, release.made, row), keep_view=True)

    def _on_release(self, row: int) -> None:
        if 0 <= row < len(self.document.releases):
            self.document.finished.select(self.document.releases[row])


def _curve(releases: Sequence[Release], way: str) -> BarPlot | None:
    """Put the cost of all releases of one way side by side: what a sweep has found."""
    same = [release for release in releases if release.project.way == way]
    measure, title = _COSTS[way]
    if len(same) < 2:
        return None
    values = {tr(title): [float(release.measured[measure]) for release in same]}
    return BarPlot(tr(title), [tr(release.name) for release in same], values)


def _histogram(values: Floats, title: str, x: str, y: str, least: float = 0.0) -> BarPlot:
    """Count values in bars of round width; the last takes all that are larger."""
    top = float(np.quantile(values, 0.98)) if len(values) else 1.0
    width = max(round_scale(2 * max(top, 1.0) / _BARS), least)
    many = max(int(np.ceil(top / width)), 1)
    counts = np.bincount(np.minimum(values // width, many).astype(np.int64), minlength=many + 1)
    labels = [f"{format_significant(at * width, 3)}–{format_significant((at + 1) * width, 3)}" for at in range(many)]
    labels.append(f"> {format_significant(many * width, 3)}")
    return BarPlot(title, labels, {y: counts.tolist()}, x, y)


def _row(release: Release) -> tuple[str, ...]:
    found, seconds = release.measured, format_decimal(sum(release.seconds.values()), 2)
    if isinstance(release.made, CloakedRegions):
        left = tr("{share} not shared", share=format_percent(1 - found["reciprocal"]))
        return (
            tr(release.name),
            format_integer(found["smallest_region"]),
            format_metres(found["median_side_m"]),
            left,
            seconds,
        )
    if isinstance(release.made, TiledVisits):
        cost = tr("loss {ncp}", ncp=format_decimal(found["ncp"], 3))
        left = tr("{share} deleted", share=format_percent(found["deleted"] / max(found["visits"], 1)))
        return tr(release.name), format_integer(found["smallest_support"]), cost, left, seconds
    if isinstance(release.made, MixedTrajectories):
        worth = tr(
            "sets of {n} worth {m}", n=format_decimal(found["nominal"], 1), m=format_decimal(found["effective"], 1)
        )
        left = tr("{share} linked", share=format_percent(found["linked"]))
        return tr(release.name), format_integer(found["smallest_mix"]), worth, left, seconds
    cost = tr("{lost} lost, {far}", lost=format_percent(found["lost"] / max(found["tracks"], 1)),
              far=format_metres(found["mean_displacement_m"]))  # fmt: skip
    left = tr("{share} found by 2 points", share=format_percent(release.unique["after"][1]))
    return tr(release.name), format_integer(found["smallest_class"]), cost, left, seconds
