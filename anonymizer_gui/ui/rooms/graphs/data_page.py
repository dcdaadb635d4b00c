"""Graph page: drawing, degrees, people and roles; texts of the Hierarchies page."""

from collections import Counter
from typing import Any, ClassVar

from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema
from anonymizer_gui.engine.data.tables.values import guess_type
from anonymizer_gui.engine.rooms.graphs.project import GRAPH, NODES
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.dialogs.file_dialogs import ask_file
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.hierarchies.tree_model import HierarchyTexts
from anonymizer_gui.ui.i18n import format_integer, format_significant, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.graphs.graph_drawing import GraphLayout, GraphPlot, layout_graph
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.ui.widgets.layout import scroll_column, section
from anonymizer_gui.workspace.document import Document

ROOM = "graphs"

_ROLES: dict[Role, str] = {
    Role.EI: "Identifier: stays here",
    Role.QI: "Quasi-identifier",
    Role.SA: "Sensitive",
    Role.OTHER: "Leaves unchanged",
}

_DIRECTIONS = {"": "As the file says", "undirected": "Ties have no direction", "directed": "Ties have a direction"}


class DataPage(Page):
    """The drawing at the left, what is known of the people at the right, figures below."""

    name = "graph"
    title = "Graph"
    order = 10
    icon = "compare"
    help = "graphs/graph"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say how large the graph is."""
        graph = document.files.get(GRAPH) if document.room == ROOM else None
        if graph is None:
            return StepStatus(StepState.EMPTY, tr("Open a graph first."))
        return StepStatus(
            StepState.DONE, tr("{nodes:person|people}, {edges:tie|ties}", nodes=graph.n_nodes, edges=graph.n_edges)
        )

    def choose_people(self) -> None:
        """Ask for the table about the people."""
        ask_file(self, tr("Choose the Table About the People"), self.set_people)

    def set_people(self, path: str) -> None:
        """Read a table about the people; its first column names the nodes until another is chosen.

        What was said of columns of another table is said no more.
        """
        self.document.set_file(
            NODES, path, tr("Choose the table about the people"), tr("Read the table"), key="", schema=Schema(),
            hierarchies={},
        )  # fmt: skip

    def _build(self) -> None:
        self.drawing = ChartPanel(self.document.drawing, "graph_drawing")
        self.degrees = ChartPanel(self.document.drawing, "degree_histogram")
        self.figures = CardRow()
        self.people_button = name_widget(QPushButton(tr("Table About the People…")), "choose_people")
        self.key = name_widget(QComboBox(), "node_key", spoken=tr("Column that names the people"))
        self.direction = name_widget(QComboBox(), "direction", spoken=tr("Direction of ties"))
        for option, words in _DIRECTIONS.items():
            self.direction.addItem(tr(words), option)
        self.columns = QWidget()
        self.form = QFormLayout(self.columns)
        self.form.setContentsMargins(0, 0, 0, 0)
        self.roles: dict[str, QComboBox] = {}
        self.empty = EmptyState(
            tr("Open a graph first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="compare"
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        words = tr(
            "What a table tells about the people can leave with the graph. Names never do: everybody gets a number."
        )
        people = section(
            tr("About the people"), QLabel(words, wordWrap=True), self.people_button, self.key, self.columns,
        )  # fmt: skip
        reading = section(tr("Direction of ties"), self.direction)
        for box in (reading, people):
            box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        side = QSplitter(self)
        side.setOrientation(side.orientation().Vertical)
        side.addWidget(self.degrees)
        side.addWidget(scroll_column(reading, people))
        em = self.fontMetrics().height()
        side.setSizes([18 * em, 22 * em])
        side.setStretchFactor(0, 1)
        side.setStretchFactor(1, 1)
        split = name_widget(QSplitter(childrenCollapsible=False), "graph_splitter")
        split.addWidget(self.drawing)
        split.addWidget(side)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        shown = QWidget()
        layout = QVBoxLayout(shown)
        layout.addWidget(split, 1)
        layout.addWidget(self.figures)
        return shown

    def _connect(self) -> None:
        self.people_button.clicked.connect(self.choose_people)
        self.key.activated.connect(
            lambda _at: self.document.edit(tr("Choose the column of names"), key=self.key.currentText())
        )

        self.direction.activated.connect(lambda _at: self.read_as(self.direction.currentData()))

    def read_as(self, direction: str) -> None:
        """Read the file anew, with or without directions, and begin again."""
        options = {"direction": direction} if direction else {}
        self.document.open_table(self.document.project.source.path, options, room=ROOM)

    def _show(self, changed: frozenset[str]) -> None:
        graph: Graph | None = self.document.files.get(GRAPH) if self.document.room == ROOM else None
        self._stack.setCurrentIndex(int(graph is not None))
        if graph is None:
            return
        if is_affected(changed, GRAPH, "source"):
            self._show_graph(graph)
        self._show_people()

    def _show_graph(self, graph: Graph) -> None:
        self.document.jobs.start(
            tr("Draw the graph"), layout_graph, graph, on_done=self._on_picture, replace_key="graph picture"
        )
        counts = Counter(graph.degrees.tolist())
        degrees = sorted(counts)
        title = tr("How many people have so many ties")
        values = {tr("people"): [counts[degree] for degree in degrees]}
        self.degrees.show_plot(
            BarPlot(title, [format_integer(degree) for degree in degrees], values, tr("Ties"), tr("People"))
        )
        alone = sum(count == 1 for count in counts.values())
        direction = tr("Ties have a direction.") if graph.is_directed else tr("Ties have no direction.")
        mean = format_significant(2 * graph.n_edges / max(graph.n_nodes, 1), 3)
        self.figures.show_figures(
            (
                Figure("people", tr("People"), format_integer(graph.n_nodes), tr("in the graph"), "info"),
                Figure("ties", tr("Ties"), format_integer(graph.n_edges), direction, "info"),
                Figure("mean", tr("Ties per person"), mean, tr("on average"), "info"),
                Figure(
                    "alone",
                    tr("Alone with their number"),
                    format_integer(alone),
                    tr("found by their number of ties"),
                    "bad" if alone else "good",
                ),
            )
        )

    def _on_picture(self, picture: GraphLayout) -> None:
        graph: Graph | None = self.document.files.get(GRAPH)
        if graph is None or len(picture.sets["h1"]) != graph.n_nodes:
            return
        title = tr("The graph") if picture.is_whole else tr("Who stands out most, with their neighbours")
        words = [f"{graph.names[node]}\n{format_integer(int(graph.degrees[node]))}" for node in picture.nodes.tolist()]
        self.drawing.show_plot(GraphPlot(title, picture.places, words, picture.lines(graph.pairs())))

    def _show_people(self) -> None:
        table, project = self.document.table, self.document.project
        self.direction.setCurrentIndex(self.direction.findData(project.source.options.get("direction", "")))
        is_free = project.nodes is None and not project.schema.columns and not self.document.releases
        self.direction.setEnabled(is_free)
        self.direction.setToolTip("" if is_free else tr("Choose it before anything else: the graph is read anew."))
        for widget in (self.key, self.columns):
            widget.setVisible(table is not None)
        if table is None:
            return
        self.key.clear()
        self.key.addItems(table.names)
        self.key.setCurrentText(project.key or table.names[0])
        while self.form.rowCount():
            self.form.removeRow(0)
        self.roles = {}
        roles = {column.name: column.role for column in project.schema.columns}
        for name in table.names:
            if name != self.key.currentText():
                self._add_role(name, roles.get(name, Role.EI))

    def _add_role(self, name: str, role: Role) -> None:
        choice = name_widget(QComboBox(), f"role_{len(self.roles)}", spoken=tr("What “{name}” is", name=name))
        for each, words in _ROLES.items():
            choice.addItem(tr(words), each)
        choice.setCurrentIndex(list(_ROLES).index(role))
        choice.activated.connect(lambda _at: self._set_role(name, choice.currentData()))
        label = QLabel(name)
        label.setBuddy(choice)
        self.form.addRow(label, choice)
        self.roles[name] = choice

    def _set_role(self, name: str, role: Role) -> None:
        """Say what a column is; its type is what its values seem to be."""
        table = self.document.table
        if table is None:
            return
        guess = guess_type(table.column(name))
        column = ColumnSchema(name, guess.type, guess.format, role)
        self.document.take(self.document.project.with_column(column), tr("Say what “{name}” is", name=name))


def _has_graph(document: Document) -> bool:
    return document.files.get(GRAPH) is not None


def _action(name: str, title: str, callback: Any, icon: str, tip: str) -> Action:
    return Action(
        f"graph.{name}", title, callback, "Graph", "files", icon, status_tip=tip, enabled=_has_graph,
        reason="Open a graph first.", page="graph",
    )  # fmt: skip


ACTIONS = (
    _action(
        "choose_people", "Table About the People…", lambda page: page.choose_people(), "data",
        "Choose a table whose rows are the people of the graph",
    ),
)  # fmt: skip


class PeopleHierarchiesPage(HierarchiesPage):
    """The shared page about the columns of the table about the people."""

    order: ClassVar[int] = 25
    words: ClassVar[HierarchyTexts] = HierarchyTexts(
        unmarked="No quasi-identifier yet",
        no_data="There is no table about the people: only ties leave.",
        way_out="Hierarchies say how quasi-identifiers are made coarser: mark those columns on the page Graph.",
        go="Go to Graph",
        go_to="graph",
        with_sensitive=False,
    )
