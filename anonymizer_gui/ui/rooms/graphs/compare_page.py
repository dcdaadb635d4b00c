"""The fourth step: what became of the graph, and what is left of its shape."""

from dataclasses import dataclass

from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSplitter,
    QStackedLayout,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.graphs.graph import induced_subgraph
from anonymizer_gui.engine.rooms.graphs.published_graph import sample_graph
from anonymizer_gui.engine.rooms.graphs.release import Release
from anonymizer_gui.engine.rooms.graphs.utility import MEASURES, GraphMeasures, measure_graph
from anonymizer_gui.ui.i18n import format_integer, format_percent, format_significant, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.graphs.graph_drawing import GraphLayout, GraphPlot, layout_graph
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

ROOM = "graphs"


@dataclass(frozen=True, slots=True, eq=False)
class ResultView:
    """What is shown of a release."""

    release: Release
    picture: GraphLayout
    before: GraphMeasures
    after: GraphMeasures


def measure_result(release: Release, progress: Progress) -> ResultView:
    """Draw a release and measure it beside the original."""
    picture = layout_graph(release.people.graph, progress.sub(0.0, 0.4))
    before = measure_graph(release.people.graph, progress.sub(0.4, 0.7))
    left = release.graph
    if release.published.is_grouped:
        left = sample_graph(release.graph, release.classes, release.project.seed)
    after = measure_graph(left, progress.sub(0.7, 1.0))
    return ResultView(release, picture, before, after)


class ComparePage(Page):
    """The changed graph at the left, its measures at the right, figures below."""

    name = "result"
    title = "Result"
    order = 40
    icon = "utility"
    help = "graphs/result"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say what was made."""
        release = document.selected if document.room == ROOM else None
        if release is None:
            return StepStatus(StepState.EMPTY, tr("Run an algorithm first."))
        return StepStatus(StepState.DONE, tr("Smallest set: {k}", k=format_integer(release.after.smallest)))

    def _build(self) -> None:
        self._shown: ResultView | None = None
        self.choice = name_widget(QComboBox(), "graph_release", spoken=tr("Release"))
        self.drawing = ChartPanel(self.document.drawing, "changed_drawing")
        self.measures = name_widget(QTableWidget(0, 3), "graph_measures", spoken=tr("The graph before and after"))
        self.words = name_widget(QLabel(wordWrap=True), "result_words")
        self.figures = CardRow()
        self.empty = EmptyState(
            tr("Run an algorithm first."), tr("Go to Protect"), lambda: self.go.emit("protect"), icon="utility"
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        self.measures.setHorizontalHeaderLabels([tr("Measure"), tr("Before"), tr("After")])
        self.measures.verticalHeader().hide()
        self.measures.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.measures.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        self.measures.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.measures.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        split = name_widget(QSplitter(childrenCollapsible=False), "result_splitter")
        split.addWidget(self.drawing)
        split.addWidget(self.measures)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        head = QHBoxLayout()
        label = QLabel(self.choice.accessibleName())
        label.setBuddy(self.choice)
        head.addWidget(label)
        head.addWidget(self.choice)
        head.addStretch()
        shown = QWidget()
        layout = QVBoxLayout(shown)
        layout.addLayout(head)
        layout.addWidget(self.words)
        layout.addWidget(split, 1)
        layout.addWidget(self.figures)
        return shown

    def _connect(self) -> None:
        self.choice.activated.connect(lambda at: self.document.finished.select(self.document.releases[at]))

    def _show(self, changed: frozenset[str]) -> None:
        release: Release | None = self.document.selected if self.document.room == ROOM else None
        self._stack.setCurrentIndex(int(release is not None))
        if release is None:
            return
        self.choice.clear()
        self.choice.addItems([each.name for each in self.document.releases])
        self.choice.setCurrentIndex([each.id for each in self.document.releases].index(release.id))
        self._show_figures(release)
        if is_affected(changed, Change.RESULTS) or self._shown is None or self._shown.release.id != release.id:
            self.document.jobs.start(
                tr("Look at the result"), measure_result, release, on_done=self._on_seen, replace_key="graph result"
            )

    def _show_figures(self, release: Release) -> None:
        notes = [tr(note) for note in release.notes]
        if release.published.is_grouped:
            notes.append(tr("“After” is measured on a graph drawn by lot that fits the groups."))
        self.words.setText(" ".join([f"{tr(release.sentence())}.", *notes]))
        k, after = release.project.k, release.after
        changed = _groups(release) if release.published.is_grouped else _changes(release)
        self.figures.show_figures(
            (
                Figure(
                    "smallest",
                    tr("Smallest set"),
                    format_integer(after.smallest),
                    tr("people who fit; {k} wanted", k=k),
                    "good" if after.smallest >= k else "bad",
                    format_integer(release.before.smallest),
                ),
                *changed,
                Figure(
                    "h2",
                    tr("Found by neighbours' ties"),
                    format_percent(after.unique["h2"]),
                    tr("of the people"),
                    "warn" if after.unique["h2"] else "good",
                    format_percent(release.before.unique["h2"]),
                ),
            )
        )

    def _on_seen(self, seen: ResultView) -> None:
        self._shown = seen
        release, picture = seen.release, seen.picture
        names = induced_subgraph(release.people.graph, picture.nodes).names
        before, after = release.people.graph.pairs(), release.graph.pairs()
        shades = tuple(release.classes[picture.nodes].tolist()) if release.published.is_grouped else ()
        title = tr("Groups of people") if shades else tr("What was changed")
        self.drawing.show_plot(
            GraphPlot(title, picture.places, names, picture.lines(before & after), picture.lines(after - before),
                    picture.lines(before - after), shades=shades)
        )  # fmt: skip
        self.measures.setRowCount(len(MEASURES))
        for row, (name, words) in enumerate(MEASURES.items()):
            values = [_text(shape, name) for shape in (seen.before, seen.after)]
            for column, text in enumerate((tr(words), *values)):
                self.measures.setItem(row, column, QTableWidgetItem(text))


def _changes(release: Release) -> tuple[Figure, Figure]:
    """Tell how many ties are new and gone, beside how many had to be."""
    all_ties = format_integer(release.people.graph.n_edges)
    of_bound = tr("at least {bound} had to be changed", bound=format_integer(release.lower_bound))
    return (
        Figure("added", tr("Ties added"), format_integer(release.added), of_bound, "info"),
        Figure("removed", tr("Ties removed"), format_integer(release.removed), tr("of {ties}", ties=all_ties), "info"),
    )


def _groups(release: Release) -> tuple[Figure, Figure]:
    """Tell how many groups there are, and which ties they give away."""
    after = release.after
    return (
        Figure(
            "groups",
            tr("Groups"),
            format_integer(int(release.classes.max(initial=-1)) + 1),
            tr("leave, no people"),
            "info",
        ),
        Figure(
            "certain",
            tr("Ties that are certain"),
            format_percent(after.certain_edges),
            tr("between sets that are tied throughout"),
            "warn" if after.certain_edges else "good",
            format_percent(release.before.certain_edges),
        ),
    )


def _text(shape: GraphMeasures, name: str) -> str:
    return format_significant(shape.values[name], 4) if name in shape.values else "–"
