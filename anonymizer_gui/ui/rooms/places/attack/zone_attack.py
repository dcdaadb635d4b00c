"""Mix zones as an attacker sees them: what sets are worth, one passage replayed, zones by hand and the best one."""

import numpy as np
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.params import replace_params
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import Algorithm, PlaceDemands
from anonymizer_gui.engine.rooms.places.algorithms.mix_zones import MixZones, add_best_zone
from anonymizer_gui.engine.rooms.places.mix_zones import LinkingResult, MixedTrajectories
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.i18n import error_text, format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.places.map_view import MapView
from anonymizer_gui.ui.rooms.places.ours import places_of
from anonymizer_gui.ui.rooms.places.scenes import mixed_scene, replay_scene
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.layout import section
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view
from anonymizer_gui.workspace.document import Document

_MOST_EXITS = 20
_MOST_LISTED = 2000


class ZoneAttack(QWidget):
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
        self.map.show_scene(mixed_scene(self.document, made))
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
            self.map.show_scene(replay_scene(self.document, made, each.members[row], exits), keep_view=True)


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
