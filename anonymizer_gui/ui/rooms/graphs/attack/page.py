"""The second step, attack first: who fits what somebody knows of a person's ties, before and after."""

import numpy as np
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QSpinBox, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from anonymizer_gui.engine.rooms.graphs.knowledge import DEPTHS, TITLES, share_below, sizes_of
from anonymizer_gui.engine.rooms.graphs.project import GRAPH
from anonymizer_gui.engine.shapes.graphs.graph import Graph
from anonymizer_gui.ui.i18n import percent, tr, whole
from anonymizer_gui.ui.page import Mark, Page, State, concerns
from anonymizer_gui.ui.plots import Bars
from anonymizer_gui.ui.rooms.graphs.charts import Drawing
from anonymizer_gui.ui.rooms.graphs.pictures import Picture, picture_of
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import Figure, FigureCards
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.workspace.document import Document

ROOM = "graphs"
_MOST_LISTED = 2000


class AttackPage(Page):
    """What is known above, the candidates in the drawing, how many stand out in the bars."""

    name = "attack"
    title = "Attack"
    order = 20
    icon = "risk"
    help = "graphs/attack"

    @classmethod
    def mark(cls, document: Document) -> Mark:
        """Say what can be tried."""
        if document.room != ROOM or document.files.get(GRAPH) is None:
            return Mark(State.EMPTY, tr("Open a graph first."))
        return Mark(State.READY, tr("See who is found by the ties around them"))

    def _build(self) -> None:
        self._picture: Picture | None = None
        self.story = named(QLabel(wordWrap=True), "attack_story")
        self.known = named(QComboBox(), "known", spoken=tr("The attacker"))
        for depth in DEPTHS:
            self.known.addItem(tr(TITLES[depth]), depth)
        self.degree = named(QSpinBox(), "known_degree", spoken=tr("Number of ties"))
        self.person = named(QComboBox(), "known_person", spoken=tr("The person"))
        self.found = named(QLabel(wordWrap=True), "candidates")
        self.drawing = ChartPanel(self.document.drawing, "candidate_drawing")
        self.bars = ChartPanel(self.document.drawing, "exposed_bars")
        self.figures = FigureCards()
        self.empty = EmptyState(tr("Open a graph first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="risk")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        self.story.setText(
            tr(
                "Names are replaced by numbers, and still people are found: two friends look for the numbers of their "
                "own ties, find themselves, and see together who else they both know, and whether those two are tied."
            )
        )
        grid = QGridLayout()
        for at, widget in enumerate((self.known, self.person, self.degree)):
            label = QLabel(widget.accessibleName())
            label.setBuddy(widget)
            grid.addWidget(label, 0, 2 * at)
            grid.addWidget(widget, 0, 2 * at + 1)
            grid.setColumnStretch(2 * at + 1, 1)
        split = named(QSplitter(childrenCollapsible=False), "attack_splitter")
        split.addWidget(self.drawing)
        split.addWidget(self.bars)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        shown = QWidget()
        layout = QVBoxLayout(shown)
        layout.addWidget(self.story)
        layout.addLayout(grid)
        layout.addWidget(self.found)
        layout.addWidget(split, 1)
        layout.addWidget(self.figures)
        return shown

    def _connect(self) -> None:
        self.known.activated.connect(lambda _at: self._show_candidates())
        self.person.activated.connect(lambda _at: self._on_person())
        self.degree.valueChanged.connect(lambda _value: self._on_degree())

    def _show(self, changed: frozenset[str]) -> None:
        graph: Graph | None = self.document.files.get(GRAPH) if self.document.room == ROOM else None
        self._stack.setCurrentIndex(int(graph is not None))
        if graph is None:
            return
        if concerns(changed, GRAPH, "source"):
            self._picture = None
            self.document.jobs.start(
                tr("Look for people who stand out"),
                picture_of,
                graph,
                on_done=self._on_picture,
                replace_key="candidates",
            )
        self._show_bars()

    def _on_picture(self, picture: Picture) -> None:
        graph: Graph | None = self.document.files.get(GRAPH)
        if graph is None or len(picture.sets["h1"]) != graph.n_nodes:
            return
        self._picture = picture
        self.person.clear()
        self.person.addItems([graph.names[node] for node in picture.nodes.tolist()[:_MOST_LISTED]])
        self.degree.setRange(0, int(graph.degrees.max(initial=0)))
        worst = int(np.argmin(sizes_of(picture.sets["h2"])[picture.nodes])) if graph.n_nodes else -1
        self.person.setCurrentIndex(worst)
        self._on_person()
        self._show_bars()

    def _on_person(self) -> None:
        node = self._node()
        if node is not None:
            self.degree.blockSignals(True)
            self.degree.setValue(int(self.document.files[GRAPH].degrees[node]))
            self.degree.blockSignals(False)
        self._show_candidates()

    def _on_degree(self) -> None:
        """Take somebody with that number of ties, if there is anybody; the knowledge is then that number alone."""
        if self._picture is None:
            return
        degrees = self.document.files[GRAPH].degrees[self._picture.nodes]
        fitting = np.flatnonzero(degrees == self.degree.value())
        self.person.setCurrentIndex(int(fitting[0]) if len(fitting) else -1)
        self.known.setCurrentIndex(0)
        self._show_candidates()

    def _node(self) -> int | None:
        at = self.person.currentIndex()
        return None if self._picture is None or at < 0 else int(self._picture.nodes[at])

    def _show_candidates(self) -> None:
        """Light up everybody who fits."""
        picture, node = self._picture, self._node()
        if picture is None:
            return
        graph: Graph = self.document.files[GRAPH]
        sets = picture.sets[self.known.currentData()]
        fitting = np.flatnonzero(sets == sets[node]) if node is not None else np.zeros(0, dtype=np.int64)
        number = {each: at for at, each in enumerate(picture.nodes.tolist())}
        lit = frozenset(number[each] for each in fitting.tolist() if each in number)
        words = [f"{graph.names[each]}\n{whole(int(graph.degrees[each]))}" for each in picture.nodes.tolist()]
        self.drawing.show_plot(
            Drawing(tr("Who fits what is known"), picture.places, words, picture.lines(graph.pairs()), lit=lit)
        )
        self.found.setText(_sentence(len(fitting)))

    def _show_bars(self) -> None:
        if self._picture is None:
            return
        release = self.document.selected
        before = {depth: share_below(sets, 2) for depth, sets in self._picture.sets.items()}
        series = {tr("before"): [100 * before[depth] for depth in DEPTHS]}
        if release is not None:
            series[tr("after")] = [100 * release.after.unique[depth] for depth in DEPTHS]
        labels = [tr("ties"), tr("neighbours' ties"), tr("their neighbours' ties")]
        self.bars.show_plot(Bars(tr("People who are found, in percent"), labels, series, tr("The attacker knows"), "%"))
        self._show_threats(release)

    def _show_threats(self, release: object) -> None:
        """Name the three threats; what is not measured yet says so."""
        if release is None:
            self.figures.show_figures(())
            return
        before, after = release.before, release.after  # type: ignore[attr-defined]
        labels = str(after.fewest_labels) if after.fewest_labels else "–"
        self.figures.show_figures(
            (
                Figure("nodes", tr("People found"), percent(after.unique["h1"]), tr("by their number of ties"),
                       "bad" if after.unique["h1"] else "good", percent(before.unique["h1"])),
                Figure("edges", tr("Ties that are certain"), percent(after.certain_edges),
                       tr("between sets that are tied throughout"), "warn" if after.certain_edges else "good",
                       percent(before.certain_edges)),
                Figure("labels", tr("Sensitive values left"), labels, tr("at least, among those who fit"),
                       "info" if not after.fewest_labels else "bad" if after.fewest_labels < 2 else "good"),
            )
        )  # fmt: skip


def _sentence(fitting: int) -> str:
    if not fitting:
        return tr("Nobody has so many ties.")
    if fitting == 1:
        return tr("One person fits: found.")
    return tr("{fitting} people fit: nobody can tell which of them it is.", fitting=whole(fitting))
