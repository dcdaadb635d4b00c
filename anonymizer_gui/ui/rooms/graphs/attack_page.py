"""Structural attack: candidates, story, threats."""

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.rooms.graphs.project import GRAPH, NODES
from anonymizer_gui.engine.rooms.graphs.run import exposure_of_source, published_sets
from anonymizer_gui.engine.rooms.graphs.structural_knowledge import (
    DEPTHS,
    TITLES,
    Exposure,
    FriendAttack,
    set_sizes,
    share_below,
)
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.graphs.graph_drawing import GraphLayout, GraphPlot, layout_graph
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document


def general() -> str:
    """Tell the story of people nobody has named."""
    return tr(
        "Names are replaced by numbers, and still people are found: two friends look for the numbers of their "
        "own ties, find themselves, and see together who else they both know, and whether those two are tied."
    )


def told_story(story: FriendAttack, graph: Graph) -> str:
    """Tell the story of two who find themselves, and together two others."""
    (one, other), (third, fourth) = story.finders, story.found
    people = {"one": one, "other": other, "third": third, "fourth": fourth}
    names = {name: graph.names[node] for name, node in people.items()}
    counts = {"ties": one, "others": other, "thirds": third, "fourths": fourth}
    names |= {name: format_integer(int(graph.degrees[node])) for name, node in counts.items()}
    begun = tr("Without names, {one} still finds themselves by {ties} ties and {other} by {others}.", **names)
    if story.are_only_two:
        then = tr("Only two people are tied to both, {third} and {fourth}:", **names)
    else:
        then = tr(
            "Of those who are tied to both, only {third} has {thirds} ties and only {fourth} has {fourths}:", **names
        )
    are, are_not = tr("so the two see that these are tied."), tr("so the two see that these are not tied.")
    return f"{begun} {then} {are if story.are_tied else are_not}"


def in_the_release(fitting: int) -> str:
    """Say how many look like somebody in the release."""
    if fitting == 1:
        return tr("In the release it is still one.")
    return tr("In the release {fitting} people look the same.", fitting=format_integer(fitting))


def in_the_graph(fitting: int) -> str:
    """Say how many fit what is known."""
    if not fitting:
        return tr("Nobody has so many ties.")
    if fitting == 1:
        return tr("One person fits: found.")
    return tr("{fitting} people fit: nobody can tell which of them it is.", fitting=format_integer(fitting))


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
    def mark(cls, document: Document) -> StepStatus:
        """Say what can be tried."""
        if document.room != ROOM or document.files.get(GRAPH) is None:
            return StepStatus(StepState.EMPTY, tr("Open a graph first."))
        return StepStatus(StepState.READY, tr("See who is found by the ties around them"))

    def _build(self) -> None:
        self._picture: GraphLayout | None = None
        self._after: dict[str, Ints] | None = None
        self._before: Exposure | None = None
        self._listed: list[int] = []
        self._node: int | None = None
        self.story = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "attack_story")
        self.story_button = name_widget(
            QPushButton(tr("Show It")), "show_story", tip=tr("Light up the people of the story")
        )
        self.when = name_widget(QComboBox(), "when", spoken=tr("Where they look"))
        for is_after, words in ((False, tr("In the graph as it is")), (True, tr("In the release"))):
            self.when.addItem(words, is_after)
        self.known = name_widget(QComboBox(), "known", spoken=tr("The attacker"))
        for depth in DEPTHS:
            self.known.addItem(f"{depth.upper()}: {tr(TITLES[depth])}", depth)
        self.degree = name_widget(QSpinBox(), "known_degree", spoken=tr("Number of ties"))
        self.person = name_widget(QComboBox(), "known_person", spoken=tr("The person"))
        self.found = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "candidates")
        self.drawing = ChartPanel(self.document.drawing, "candidate_drawing")
        self.bars = ChartPanel(self.document.drawing, "exposed_bars")
        self.figures = CardRow()
        self.empty = EmptyState(tr("Open a graph first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="risk")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        told = QHBoxLayout()
        told.addWidget(self.story, 1)
        told.addWidget(self.story_button)
        grid = QGridLayout()
        for at, widget in enumerate((self.known, self.person, self.degree, self.when)):
            label = QLabel(widget.accessibleName())
            label.setBuddy(widget)
            row, column = divmod(at, 2)
            grid.addWidget(label, row, 2 * column)
            grid.addWidget(widget, row, 2 * column + 1)
            grid.setColumnStretch(2 * column + 1, 1)
        split = name_widget(QSplitter(childrenCollapsible=False), "attack_splitter")
        split.addWidget(self.drawing)
        split.addWidget(self.bars)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        shown = QWidget()
        layout = QVBoxLayout(shown)
        layout.addLayout(told)
        layout.addLayout(grid)
        layout.addWidget(self.found)
        layout.addWidget(split, 1)
        layout.addWidget(self.figures)
        return shown

    def _connect(self) -> None:
        self.known.activated.connect(lambda _at: self._show_candidates())
        self.person.activated.connect(lambda _at: self._on_person())
        self.degree.valueChanged.connect(lambda _value: self._on_degree())
        self.when.activated.connect(lambda _at: self._show_candidates())
        self.story_button.clicked.connect(self.show_story)

    def show_story(self) -> None:
        """Light up two who find themselves, and the two they find together."""
        picture = self._picture
        if picture is not None and picture.story is not None:
            self._draw(picture, picture.story.people, None)
            self.found.setText(told_story(picture.story, self.document.files[GRAPH]))

    def _show(self, changed: frozenset[str]) -> None:
        graph: Graph | None = self.document.files.get(GRAPH) if self.document.room == ROOM else None
        self._stack.setCurrentIndex(int(graph is not None))
        if graph is None:
            return
        if is_affected(changed, GRAPH, "source"):
            self._picture = None
            self.document.jobs.start(
                tr("Look for people who stand out"),
                layout_graph,
                graph,
                on_done=self._on_picture,
                replace_key="candidates",
            )
        if is_affected(changed, GRAPH, "source", NODES, "nodes", "key", "schema", "k"):
            self._ask_threats()
        if is_affected(changed, Change.RELEASES, Change.RESULTS):
            self._ask_after()
        self._show_bars()

    def _ask_threats(self) -> None:
        """Have the threats measured before anything is protected; a table that does not fit is told elsewhere."""
        self._before = None
        self.document.jobs.start(
            tr("Look for people who stand out"),
            exposure_of_source,
            self.document.project,
            self.document.files,
            on_done=self._on_threats,
            on_error=lambda _error: None,
            replace_key="threats",
        )

    def _on_threats(self, before: Exposure) -> None:
        self._before = before
        self._show_threats(self.document.selected)

    def _ask_after(self) -> None:
        """Have it found out who is alike in the release."""
        self._after = None
        self.when.setEnabled(self.document.selected is not None)
        if self.document.selected is None:
            self.when.setCurrentIndex(0)
            return
        self.document.jobs.start(
            tr("Look for people who stand out"), published_sets, self.document.selected, on_done=self._on_after,
            replace_key="candidates after",
        )  # fmt: skip

    def _on_after(self, sets: dict[str, Ints]) -> None:
        self._after = sets
        self._show_candidates()

    def _on_picture(self, picture: GraphLayout) -> None:
        graph: Graph | None = self.document.files.get(GRAPH)
        if graph is None or len(picture.sets["h1"]) != graph.n_nodes:
            return
        self._picture = picture
        self._listed = list(dict.fromkeys([*picture.nodes.tolist(), *range(graph.n_nodes)]))[:_MOST_LISTED]
        self.person.clear()
        self.person.addItems([graph.names[node] for node in self._listed])
        self.degree.setRange(0, int(graph.degrees.max(initial=0)))
        worst = int(np.argmin(set_sizes(picture.sets["h2"])[picture.nodes])) if graph.n_nodes else -1
        self.person.setCurrentIndex(worst)
        self.story.setText(general() if picture.story is None else told_story(picture.story, graph))
        self.story_button.setVisible(picture.story is not None and picture.is_whole)
        self._on_person()
        self._show_bars()

    def _on_person(self) -> None:
        at = self.person.currentIndex()
        self._node = self._listed[at] if at >= 0 else None
        if self._node is not None:
            self.degree.blockSignals(True)
            self.degree.setValue(int(self.document.files[GRAPH].degrees[self._node]))
            self.degree.blockSignals(False)
        self._show_candidates()

    def _on_degree(self) -> None:
        """Take somebody with that number of ties, if there is anybody; the knowledge is then that number alone.

        In a large graph that may be one who is not in the list.
        """
        if self._picture is None:
            return
        degrees = self.document.files[GRAPH].degrees
        listed = np.array(self._listed, dtype=np.int64)
        fitting = [*listed[degrees[listed] == self.degree.value()], *np.flatnonzero(degrees == self.degree.value())]
        self._node = int(fitting[0]) if fitting else None
        self.person.setCurrentIndex(self._listed.index(self._node) if self._node in self._listed else -1)
        self.known.setCurrentIndex(0)
        self._show_candidates()

    def _show_candidates(self) -> None:
        """Light up everybody who fits, in the graph or in the release, and tell both."""
        picture, node = self._picture, self._node
        if picture is None:
            return
        depth, is_after = self.known.currentData(), bool(self.when.currentData()) and self._after is not None
        before = _fitting(picture.sets[depth], node)
        after = _fitting(self._after[depth], node) if self._after is not None else None
        lit = after if is_after and after is not None else before
        self._draw(picture, frozenset(lit.tolist()), self.document.selected if is_after else None)
        told = [in_the_graph(len(before))]
        if after is not None and node is not None:
            told.append(in_the_release(len(after)))
        self.found.setText(" ".join(told))

    def _draw(self, picture: GraphLayout, lit: frozenset[int], release: Any) -> None:
        """Draw the graph, or what became of it; nodes are given by their numbers in the graph."""
        graph: Graph = self.document.files[GRAPH]
        now = release.graph.pairs() if release is not None else graph.pairs()
        number = {each: at for at, each in enumerate(picture.nodes.tolist())}
        words = [f"{graph.names[each]}\n{format_integer(int(graph.degrees[each]))}" for each in picture.nodes.tolist()]
        lines = (graph.pairs() & now, now - graph.pairs(), graph.pairs() - now)
        kept, added, removed = (picture.lines(pairs) for pairs in lines)
        shown = frozenset(number[each] for each in lit if each in number)
        self.drawing.show_plot(
            GraphPlot(tr("Who fits what is known"), picture.places, words, kept, added, removed, lit=shown)
        )

    def _show_bars(self) -> None:
        if self._picture is None:
            return
        release = self.document.selected
        before = {depth: share_below(sets, 2) for depth, sets in self._picture.sets.items()}
        series = {tr("before"): [100 * before[depth] for depth in DEPTHS]}
        if release is not None:
            series[tr("after")] = [100 * release.after.unique[depth] for depth in DEPTHS]
        labels = [depth.upper() for depth in DEPTHS]
        self.bars.show_plot(
            BarPlot(tr("People who are found, in percent"), labels, series, tr("The attacker knows"), "%")
        )
        self._show_threats(release)

    def _show_threats(self, release: Any) -> None:
        """Name the three threats: as they are now, and once there is a release as they were and are."""
        after = release.after if release is not None else self._before
        if after is None:
            self.figures.show_figures(())
            return
        before = release.before if release is not None else None
        labels = str(after.fewest_labels) if after.fewest_labels else "–"
        self.figures.show_figures(
            (
                Figure("nodes", tr("People found"), format_percent(after.unique["h1"]), tr("by their number of ties"),
                       "bad" if after.unique["h1"] else "good", format_percent(before.unique["h1"]) if before else ""),
                Figure("edges", tr("Ties that are certain"), format_percent(after.certain_edges),
                       tr("between sets that are tied throughout"), "warn" if after.certain_edges else "good",
                       format_percent(before.certain_edges) if before else ""),
                Figure("labels", tr("Sensitive values left"), labels,
                       tr("at least, among those who fit") if after.fewest_labels else tr("no column is sensitive"),
                       "info" if not after.fewest_labels else "bad" if after.fewest_labels < 2 else "good",
                       str(before.fewest_labels) if before and before.fewest_labels else ""),
            )
        )  # fmt: skip


def _fitting(sets: Ints, node: int | None) -> Ints:
    return np.flatnonzero(sets == sets[node]) if node is not None else np.zeros(0, dtype=np.int64)
