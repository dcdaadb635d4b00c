"""Attacks on regions, mix zones, trajectories."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.params import replace_params
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, Algorithm, PlaceDemands
from anonymizer_gui.engine.rooms.places.algorithms.mix_zones import MixZones, add_best_zone
from anonymizer_gui.engine.rooms.places.attack import (
    MOST_POINTS,
    IntersectionResult,
    KnowledgePrecision,
    attack_by_intersection,
    matching_trajectories,
    uniqueness_curve,
    visited_after,
    visited_before,
)
from anonymizer_gui.engine.rooms.places.cloaking import CloakedRegions
from anonymizer_gui.engine.rooms.places.mix_zones import LinkingResult, MixedTrajectories
from anonymizer_gui.engine.rooms.places.release import Release
from anonymizer_gui.engine.rooms.places.trajectories import TrajectoryClasses
from anonymizer_gui.ui.charts.plots import BarPlot, LinePlot
from anonymizer_gui.ui.i18n import error_text, format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.places.figures import format_metres, has_places, places_of, release_of
from anonymizer_gui.ui.rooms.places.map_scenes import mix_zones_scene, passage_scene, points_of, regions_scene, roads_of
from anonymizer_gui.ui.rooms.places.map_view import LINES, RINGS, MapLayer, MapScene, MapView
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.ui.widgets.layout import section
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

_QUERIES = 6

_MOST_LISTED = 2000


class LinkedQueriesAttack(QWidget):
    """A user to look at, their region on the map, and how many are left when queries are linked."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.document = document
        self._made: CloakedRegions | None = None
        self._worst: list[int] = []
        self.story = name_widget(QLabel(wordWrap=True), "query_story")
        self.user = name_widget(QComboBox(), "query_user", spoken=tr("The user, most exposed first"))
        self.found = name_widget(QLabel(wordWrap=True), "query_found")
        self.map = MapView(document.drawing, "query_map")
        self.curve = ChartPanel(document.drawing, "shrinking_chart")
        self.figures = CardRow()
        self._build()
        self.user.activated.connect(lambda _at: self._show_user())
        self.map.clicked.connect(self._on_clicked)

    def show_places(self, places: Places) -> None:
        """Cloak everybody once more, and let them move."""
        project = self.document.project
        self.document.ask(
            "queries", _cloaked, places, project.algorithm, project.k, then=self._on_made,
            title=tr("Cloak everybody"), failed=self._on_error,
        )  # fmt: skip
        if project.algorithm.needs_time:
            self.curve.show_plot(None)
            return
        self.document.ask(
            "linked queries",
            attack_by_intersection,
            places,
            project.algorithm,
            project.k,
            _QUERIES,
            then=self._on_shrinking,
            title=tr("Link queries"),
            failed=self._on_error,
        )

    def _build(self) -> None:
        self.story.setText(
            tr(
                "The provider of a map sees regions instead of points. Whoever also knows where everybody is, a camera "
                "or a phone company, asks: who would have sent this region? And who was in all the regions of one user?"
            )
        )
        head = QHBoxLayout()
        label = QLabel(self.user.accessibleName())
        label.setBuddy(self.user)
        for widget in (label, self.user):
            head.addWidget(widget)
        head.addWidget(self.found, 1)
        split = name_widget(QSplitter(childrenCollapsible=False), "queries_splitter")
        split.addWidget(self.map)
        split.addWidget(self.curve)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        layout = QVBoxLayout(self)
        layout.addWidget(self.story)
        layout.addLayout(head)
        layout.addWidget(split, 1)
        layout.addWidget(self.figures)

    def _on_error(self, error: BaseException) -> None:
        self._made = None
        self.found.setText(error_text(error))
        self.map.show_scene(None)
        self.figures.show_figures(())

    def _on_made(self, made: CloakedRegions) -> None:
        self._made = made
        self._worst = np.lexsort((made.inside, made.senders)).tolist()[:_MOST_LISTED]
        self.user.clear()
        self.user.addItems([tr("User {n}", n=format_integer(user + 1)) for user in self._worst])
        k = self.document.project.k
        exposed = int((made.senders < k).sum())
        self.figures.show_figures(
            (
                Figure(
                    "inside",
                    tr("Fewest users in a region"),
                    format_integer(int(made.inside.min())),
                    tr("{k} wanted", k=k),
                    "good" if made.inside.min() >= k else "bad",
                ),
                Figure(
                    "senders",
                    tr("Fewest who send the same"),
                    format_integer(int(made.senders.min())),
                    tr("who knows where all are finds the user among these"),
                    "good" if made.senders.min() >= k else "bad",
                ),
                Figure(
                    "exposed",
                    tr("Exposed users"),
                    format_percent(exposed / max(made.n_users, 1)),
                    tr("{n:user, red on the map|users, red on the map}", n=exposed),
                    "bad" if exposed else "good",
                ),
            )
        )
        self._show_user(keep_view=False)

    def _show_user(self, *, keep_view: bool = True) -> None:
        made, at = self._made, self.user.currentIndex()
        if made is None or at < 0:
            return
        user, k = self._worst[at], self.document.project.k
        self.map.show_scene(regions_scene(self.document, made, k, user), keep_view=keep_view)
        side = float(np.sqrt(np.prod(made.box[0, user, 2:] - made.box[0, user, :2])))
        self.found.setText(
            tr("A region of {side} with {inside:user|users}; {senders:user sends|users send} exactly this one.",
               side=format_metres(side), inside=int(made.inside[user]), senders=int(made.senders[user]))
        )  # fmt: skip

    def _on_clicked(self, x: float, y: float) -> None:
        """Look at the user nearest to where the map was clicked."""
        if self._made is not None and self._worst:
            near = np.hypot(self._made.x[0][self._worst] - x, self._made.y[0][self._worst] - y)
            self.user.setCurrentIndex(int(np.argmin(near)))
            self._show_user()

    def _on_shrinking(self, found: IntersectionResult) -> None:
        series: dict[str, list[float]] = {
            tr("memorised group, worst off"): [float(n) for n in found.kept_fewest],
            tr("new groups, in the middle"): list(found.fresh_median),
            tr("new groups, worst off"): [float(n) for n in found.fresh_fewest],
        }
        title = tr("Users left when the queries of one user are linked")
        self.curve.show_plot(
            LinePlot(title, list(range(1, len(found.fresh_median) + 1)), series, tr("Queries"), tr("Users left"))
        )


def _cloaked(places: Places, algorithm: Algorithm, k: int, progress: Progress) -> CloakedRegions:
    made = algorithm.run(places, PlaceDemands(k), progress.sub(0.0, 0.7))
    assert isinstance(made, CloakedRegions)  # only ways that cloak are shown here
    progress(0.8)
    _counted_here = made.inside, made.senders  # counting takes a while and is kept
    return made


@dataclass(frozen=True, slots=True)
class UniquenessCurves:
    """The share of tracks that 1, 2, ... points identify, before and after, and a track that two points identify."""

    before: list[float]
    after: list[float] | None
    found: int


_MINUTE = 60

_TRIED = 60


class KnownPointsAttack(QWidget):
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
            MapLayer(LINES, np.column_stack([some.x, some.y]), "series_2", 2.0, 0.9, some.starts.tolist()),
            MapLayer(RINGS, rings, "bad", 2.0, 0.35),
        ]
        self.map.show_scene(MapScene(tr("Tracks that fit the known points"), layers), keep_view=keep_view)
        self.found.setText(_sentence(len(fits), len(points)))

    def _ask_curve(self, places: Places) -> None:
        release = release_of(self.document)
        self.document.ask(
            "unique tracks", _curves, places, release, self._sharp(), self.document.project.seed, then=self._on_curve,
            title=tr("Count who is unique"),
        )  # fmt: skip

    def _on_curve(self, found: UniquenessCurves) -> None:
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


def _pale(layer: MapLayer) -> MapLayer:
    return MapLayer(layer.sort, layer.at, "muted", layer.width, 0.25, layer.starts)


def _sentence(fitting: int, known: int) -> str:
    if fitting == 1:
        return tr("{known:point is|points are} known, and one track fits: found.", known=known)
    return tr(
        "{known:point is|points are} known, and {fitting} tracks fit.", known=known, fitting=format_integer(fitting)
    )


def _curves(
    places: Places, release: Release | None, sharp: KnowledgePrecision, seed: int, progress: Progress
) -> UniquenessCurves:
    before = uniqueness_curve(visited_before(places, sharp), seed, progress=progress.sub(0.0, 0.4))
    after = None
    if release is not None and isinstance(release.made, TrajectoryClasses):
        after = uniqueness_curve(visited_after(release.made, sharp), seed, progress=progress.sub(0.4, 0.8))
    for track in range(min(len(places), _TRIED)):
        progress(0.8 + 0.2 * track / _TRIED)
        if len(matching_trajectories(places, track, 2, sharp, seed)[1]) == 1:
            return UniquenessCurves(before, after, track)
    return UniquenessCurves(before, after, -1)


_MOST_EXITS = 20


class MixZoneAttack(QWidget):
    """The map at the left; zones with their sets, and a passage with the attacker's probabilities, at the right."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.document = document
        self._made: MixedTrajectories | None = None
        self._listed: list[tuple[LinkingResult, int]] = []
        self.story = name_widget(QLabel(wordWrap=True), "mix_story")
        self.best_button = name_widget(
            QPushButton(tr("Add the Best Zone")), "best_zone", tip=tr("Where one more zone leaves most uncertain")
        )
        self.place_button = name_widget(QPushButton(tr("Place a Zone")), "place_zone", tip=tr("Then click on the map"))
        self.place_button.setCheckable(True)
        self.clear_button = name_widget(
            QPushButton(tr("Forget Zones by Hand")), "clear_zones", tip=tr("Place all of them by traffic again")
        )
        self.found = name_widget(QLabel(wordWrap=True), "mix_found")
        self.map = MapView(document.drawing, "mix_map")
        head = (
            tr("Zone"), tr("Passages"), tr("Alone"), tr("Changed"), tr("As it looks"), tr("Timing"), tr("And turns"),
            tr("Linked"),
        )  # fmt: skip
        self.zones = TextTableModel(head, range(1, 8))
        self.zone_view = text_table_view(self.zones, "mix_zones", tr("Zones"), 0)
        self.passage = name_widget(QComboBox(), "mix_passage", spoken=tr("Replay a passage"))
        self.replay = ChartPanel(document.drawing, "replay_chart")
        self._build()
        self._connect()

    def show_places(self, places: Places) -> None:
        """Mix and attack with what is decided now."""
        project = self.document.project
        self.document.ask(
            "mixed", _mixed, places, project.algorithm, project.k, then=self._on_made, title=tr("Attack the zones"),
            failed=self._on_error,
        )  # fmt: skip

    def _build(self) -> None:
        self.story.setText(
            tr(
                "Inside a zone nobody is seen, and who leaves has a new name. But whoever watches the bridge knows how "
                "long it takes and that most go straight on: of many who could be meant, few are left. Who passes "
                "alone, or long before the others, mixes with nobody."
            )
        )
        head = QHBoxLayout()
        for widget in (self.best_button, self.place_button, self.clear_button):
            head.addWidget(widget)
        head.addWidget(self.found, 1)
        replay = QWidget()
        column = QVBoxLayout(replay)
        column.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        label = QLabel(self.passage.accessibleName())
        label.setBuddy(self.passage)
        row.addWidget(label)
        row.addWidget(self.passage, 1)
        column.addLayout(row)
        column.addWidget(self.replay, 1)
        side = QSplitter(self, childrenCollapsible=False)
        side.setOrientation(side.orientation().Vertical)
        side.addWidget(section(tr("People among whom a changed pseudonym hides"), self.zone_view))
        side.addWidget(replay)
        split = name_widget(QSplitter(childrenCollapsible=False), "mix_splitter")
        split.addWidget(self.map)
        split.addWidget(side)
        for place in range(2):
            split.setStretchFactor(place, 1)
        layout = QVBoxLayout(self)
        layout.addWidget(self.story)
        layout.addLayout(head)
        layout.addWidget(split, 1)

    def _connect(self) -> None:
        self.best_button.clicked.connect(self.add_best)
        self.clear_button.clicked.connect(lambda: self._take(()))
        self.map.clicked.connect(self._on_clicked)
        self.passage.activated.connect(lambda _at: self._show_passage())
        self.zone_view.selectionModel().currentRowChanged.connect(lambda now, _before: self._list_passages(now.row()))

    def add_best(self) -> None:
        """Look for the zone after which most is left uncertain, and add it."""
        places, project = places_of(self.document), self.document.project
        if places is not None and isinstance(project.algorithm, MixZones):
            self.document.jobs.start(
                tr("Look for the best zone"), _best, places, project.algorithm, project.k, on_done=self._on_best,
                on_error=self._on_error, replace_key="best zone",
            )  # fmt: skip

    def _on_best(self, algorithm: MixZones) -> None:
        self.document.edit(tr("Add the best zone"), algorithm=algorithm)

    def _take(self, by_hand: tuple[float, ...]) -> None:
        algorithm = self.document.project.algorithm
        if isinstance(algorithm, MixZones) and by_hand != algorithm.by_hand:
            self.document.edit(tr("Place zones by hand"), algorithm=replace_params(algorithm, by_hand=by_hand))

    def _on_clicked(self, x: float, y: float) -> None:
        """Place a zone, if that was asked for; otherwise look at the zone that was clicked."""
        places, algorithm = places_of(self.document), self.document.project.algorithm
        if places is None or self._made is None or not isinstance(algorithm, MixZones):
            return
        if self.place_button.isChecked():
            self.place_button.setChecked(False)
            at = places.projection.degrees(np.array([round(x)]), np.array([round(y)]))
            self._take((*algorithm.by_hand, *(round(float(number[0]), 6) for number in at)))
            return
        near = np.hypot(self._made.zones[:, 0] - x, self._made.zones[:, 1] - y) - self._made.zones[:, 2]
        if len(near) and near.min() <= 0:
            self.zone_view.selectRow(int(np.argmin(near)))

    def _on_error(self, error: BaseException) -> None:
        self.found.setText(error_text(error))

    def _on_made(self, made: MixedTrajectories) -> None:
        self._made = made
        algorithm = self.document.project.algorithm
        self.clear_button.setEnabled(isinstance(algorithm, MixZones) and bool(algorithm.by_hand))
        sizes = made.mean_sizes()
        self.found.setText(
            tr(
                "A set looks like {nominal} people and is worth {both}; {share} of the changed pseudonyms are linked.",
                nominal=format_decimal(sizes["nominal"], 1),
                both=format_decimal(sizes["both"], 1),
                share=format_percent(made.linked),
            )
        )
        self.zones.show_rows([_row(made, zone) for zone in range(len(made.zones))])
        self.map.show_scene(mix_zones_scene(self.document, made))
        self._list_passages(None)

    def _list_passages(self, zone: int | None) -> None:
        """List the passages of a zone that changed the pseudonym, or of all, and replay the first."""
        made = self._made
        if made is None or zone == -1:
            return
        self._listed = [
            (each, row)
            for each in made.attacked
            for row in range(len(each.members))
            if zone is None or made.passages[each.members[0]].zone == zone
        ][:_MOST_LISTED]
        self.passage.clear()
        words = tr("Zone {zone}, {n} of {size}")
        for each, row in self._listed:
            number = made.passages[each.members[0]].zone + 1
            self.passage.addItem(
                words.format(
                    zone=format_integer(number), n=format_integer(row + 1), size=format_integer(len(each.members))
                )
            )
        self._show_passage(on_map=zone is not None)

    def _show_passage(self, *, on_map: bool = True) -> None:
        """Replay a passage: every exit with the attacker's probability, the true one in another colour."""
        made, at = self._made, self.passage.currentIndex()
        if made is None or not 0 <= at < len(self._listed):
            self.replay.show_plot(None)
            return
        each, row = self._listed[at]
        order = np.argsort(-each.both[row])[:_MOST_EXITS].tolist()
        labels = [tr("Exit {n}", n=format_integer(column + 1)) for column in order]
        chances = [float(each.both[row, column]) for column in order]
        truth = [place for place, column in enumerate(order) if column == row]
        title = tr("What the attacker thinks; the true exit is red")
        self.replay.show_plot(
            BarPlot(title, labels, {tr("probability"): chances}, "", "", highlight=truth, shares=True)
        )
        if on_map:
            exits = [(made.passages[each.members[column]].after, float(each.both[row, column])) for column in order]
            self.map.show_scene(passage_scene(self.document, made, each.members[row], exits), keep_view=True)


def _row(made: MixedTrajectories, zone: int) -> tuple[str, ...]:
    groups = [group for group in made.groups if made.passages[group[0]].zone == zone]
    told_of = [each for each in made.attacked if made.passages[each.members[0]].zone == zone]
    passages = sum(map(len, groups))
    alone = sum(len(group) == 1 for group in groups)
    if not told_of:
        return (
            format_integer(zone + 1),
            format_integer(passages),
            format_integer(alone),
            format_integer(0),
            "–",
            "–",
            "–",
            "–",
        )
    nominal = np.concatenate([np.full(len(each.members), len(each.members)) for each in told_of])
    timing = np.concatenate([each.effective("timing") for each in told_of])
    both = np.concatenate([each.effective() for each in told_of])
    linked = np.concatenate([each.linked() for each in told_of])
    means = [format_decimal(float(sizes.mean()), 1) for sizes in (nominal, timing, both)]
    return (
        format_integer(zone + 1),
        format_integer(passages),
        format_integer(alone),
        format_integer(len(nominal)),
        *means,
        format_percent(float(linked.mean())),
    )


def _mixed(places: Places, algorithm: Algorithm, k: int, progress: Progress) -> MixedTrajectories:
    made = algorithm.run(places, PlaceDemands(k), progress)
    assert isinstance(made, MixedTrajectories)  # only mix zones are shown here
    return made


def _best(places: Places, algorithm: MixZones, k: int, progress: Progress) -> MixZones:
    return add_best_zone(places, algorithm, k, progress)


class AttackPage(Page):
    """What somebody may find out; which attack is shown follows what is to leave."""

    name = "attack"
    title = "Attack"
    order = 20
    icon = "risk"
    help = "places/attack"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say what can be tried."""
        if not has_places(document):
            return StepStatus(StepState.EMPTY, tr("Open places first."))
        return StepStatus(StepState.READY, tr("See who is found by a few places"))

    def _build(self) -> None:
        self.queries = LinkedQueriesAttack(self.document)
        self.points = KnownPointsAttack(self.document)
        self.zones = MixZoneAttack(self.document)
        self.empty = EmptyState(tr("Open places first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="risk")
        self._stack = QStackedLayout(self)
        for widget in (self.empty, self.queries, self.points, self.zones):
            self._stack.addWidget(widget)

    def _show(self, changed: frozenset[str]) -> None:
        places = places_of(self.document)
        if places is None:
            self._stack.setCurrentWidget(self.empty)
            return
        panels: dict[str, LinkedQueriesAttack | KnownPointsAttack | MixZoneAttack] = {
            CLOAK: self.queries,
            MIX: self.zones,
        }
        shown = panels.get(self.document.project.way, self.points)
        self._stack.setCurrentWidget(shown)
        if is_affected(changed, "places", "source", "roads", "algorithm", "k", Change.RESULTS):
            shown.show_places(places)
