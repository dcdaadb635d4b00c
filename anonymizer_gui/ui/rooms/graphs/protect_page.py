"""The third step: how many must fit, and how that is reached."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.recode_for_other_rooms import room_recoding_tables
from anonymizer_gui.engine.room import Files
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.graphs.project import GRAPH, Project
from anonymizer_gui.engine.rooms.graphs.run import SweepResult, default_ks, sweep_k
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.graphs.graph_drawing import k_comparison_plots
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.layout import section
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.method_form import MethodForm
from anonymizer_gui.workspace.document import Document

ROOM = "graphs"
_FEW_TIES = 1000
"""A graph with no more ties is compared without being asked: it takes no time."""
_COVERS = {
    "h1": "Covers attackers who know how many ties a person has; who knows the neighbours' ties, too, may find more.",
    "all": "Covers attackers whatever they know of somebody's ties: everybody of a group fits.",
}


class ProtectPage(Page):
    """k, l, the way, and the button that runs it."""

    name = "protect"
    title = "Protect"
    order = 30
    icon = "protect"
    help = "graphs/protect"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say whether there is a release, and whether it is up to date."""
        if document.room != ROOM or document.files.get(GRAPH) is None:
            return StepStatus(StepState.EMPTY, tr("Open a graph first."))
        release = document.selected
        if release is None:
            return StepStatus(StepState.READY, tr("Ready to run"))
        if document.finished.is_stale(release):
            return StepStatus(StepState.STALE, tr("Changed since the last run"))
        return StepStatus(StepState.DONE, tr("Smallest set: {k}", k=format_integer(release.after.smallest)))

    def run(self) -> None:
        """Make a release."""
        if self.run_button.isEnabled():
            project = self.document.project
            self.document.run(name=f"{tr(project.algorithm.title)}, k = {project.k}")

    def _build(self) -> None:
        self.k = name_widget(QSpinBox(minimum=1, maximum=1_000_000), "k", spoken=tr("People who must fit (k)"))
        self.l = name_widget(QSpinBox(minimum=1, maximum=1000), "l", spoken=tr("Sensitive values among them (l)"))
        self.algorithm = name_widget(QComboBox(), "graph_algorithm", spoken=tr("How"))
        for kind in ALGORITHMS:
            self.algorithm.addItem(tr(kind.title), kind.name)
        self.rows = name_widget(QComboBox(), "row_algorithm", spoken=tr("Rows of the people"))
        self.rows.setToolTip(tr("By which algorithm for tables their quasi-identifiers are made coarser"))
        for name, method in room_recoding_tables().row_methods().items():
            self.rows.addItem(tr(method.title), name)
        self.sample = name_widget(QCheckBox(tr("Also draw a graph by lot that fits the groups")), "draw_sample")
        self.words, self.covers = QLabel(wordWrap=True), name_widget(QLabel(wordWrap=True), "covers")
        self.problem = InlineMessage()
        self.parameters = MethodForm()
        self.compare_button = name_widget(QPushButton(tr("Compare Values of k")), "compare_k")
        self.compare_button.setToolTip(tr("Try several k, and see what each changes and who is still found"))
        self.changed_ties = ChartPanel(self.document.drawing, "changed_by_k")
        self.still_found = ChartPanel(self.document.drawing, "found_by_k")
        self.run_button = name_widget(QPushButton(tr("Run"), default=True), "run_graph")
        self.empty = EmptyState(
            tr("Open a graph first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="protect"
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        inside = QWidget()
        form = self._goals = QFormLayout(inside)
        form.setContentsMargins(0, 0, 0, 0)
        for widget in (self.k, self.l, self.algorithm, self.rows):
            label = QLabel(widget.accessibleName())
            label.setBuddy(widget)
            form.addRow(label, widget)
        form.addRow(self.sample)
        run = QHBoxLayout()
        run.addWidget(self.run_button)
        run.addWidget(self.compare_button)
        run.addStretch()
        goal = section(tr("What must hold"), inside, self.words, self.covers)
        goal.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        left = QWidget()
        layout = QVBoxLayout(left)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(goal)
        layout.addWidget(self.parameters)
        layout.addWidget(self.problem)
        layout.addLayout(run)
        layout.addStretch()
        split = name_widget(QSplitter(childrenCollapsible=False), "protect_splitter")
        split.addWidget(left)
        charts = name_widget(QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False), "compared_splitter")
        charts.addWidget(self.changed_ties)
        charts.addWidget(self.still_found)
        split.addWidget(charts)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        shown = QWidget()
        QVBoxLayout(shown).addWidget(split)
        return shown

    def _connect(self) -> None:
        self.k.valueChanged.connect(lambda k: self.document.edit(tr("Choose k"), "k", k=k))
        self.l.valueChanged.connect(lambda least: self.document.edit(tr("Choose l"), "l", l=least))
        self.algorithm.activated.connect(lambda _at: self._choose())
        self.rows.activated.connect(lambda _at: self._choose_rows())
        self.sample.clicked.connect(lambda on: self.document.edit(tr("Draw a graph, or not"), sample=on))
        self.run_button.clicked.connect(self.run)
        self.parameters.changed.connect(
            lambda value: self.document.edit(tr("Choose how"), "algorithm", algorithm=value)
        )
        self.parameters.checked.connect(self._show_obstacle)
        self.compare_button.clicked.connect(self.compare)

    def compare(self) -> None:
        """Try several k with every way that changes ties."""
        document = self.document
        document.jobs.start(
            tr("Compare values of k"), _outcomes, document.project, document.files, on_done=self._on_compared,
            replace_key="compare k",
        )  # fmt: skip

    def _on_compared(self, found: list[SweepResult]) -> None:
        if not found:
            self.document.messages.info(tr("No k that is worth a try can be reached with this graph."))
            return
        for panel, plot in zip((self.changed_ties, self.still_found), k_comparison_plots(found), strict=True):
            panel.show_plot(plot)

    def _choose(self) -> None:
        self.document.edit(tr("Choose how"), algorithm=ALGORITHMS.get(self.algorithm.currentData())())

    def _choose_rows(self) -> None:
        method = room_recoding_tables().row_methods()[self.rows.currentData()]
        self.document.edit(tr("Choose how rows are made alike"), rows=method())

    def _show(self, changed: frozenset[str]) -> None:
        graph = self.document.files.get(GRAPH) if self.document.room == ROOM else None
        self._stack.setCurrentIndex(int(graph is not None))
        if graph is None:
            return
        project = self.document.project
        for box, value in ((self.k, project.k), (self.l, project.l)):
            box.blockSignals(True)
            box.setValue(value)
            box.blockSignals(False)
        self.algorithm.setCurrentIndex(self.algorithm.findData(project.algorithm.name))
        is_grouped = project.algorithm.protects == "all"
        self.rows.setCurrentIndex(self.rows.findData("auto" if project.rows is None else project.rows.name))
        self._goals.setRowVisible(self.rows, bool(project.columns(Role.QI)))
        self.sample.setVisible(is_grouped)
        self.sample.setChecked(project.sample)
        self.words.setText(tr(project.algorithm.summary))
        self.covers.setText(tr(_COVERS[project.algorithm.protects]))
        self.parameters.show_method(project.algorithm)
        if is_affected(changed, GRAPH, "source"):
            self.changed_ties.show_plot(None)
            self.still_found.show_plot(None)
            if default_ks(graph.n_nodes) and graph.n_edges <= _FEW_TIES:
                self.compare()
        self._show_obstacle()

    def _show_obstacle(self) -> None:
        why = self._obstacle()
        self.problem.show_note("bad", why)
        self.run_button.setEnabled(not why)

    def _obstacle(self) -> str:
        project = self.document.project
        if self.parameters.error:
            return self.parameters.error
        if project.l > 1 and len(project.columns(Role.SA)) != 1:
            return tr("l needs exactly one sensitive column: choose it on the page Graph.")
        return ""


def _outcomes(project: Project, files: Files, progress: Progress) -> list[SweepResult]:
    return sweep_k(project, files, progress=progress)


def _has_graph(document: Document) -> bool:
    return document.files.get(GRAPH) is not None


def _action(name: str, title: str, callback: Any) -> Action:
    return Action(
        f"protect.{name}", title, callback, "Graph", "run", "run", "Ctrl+R", "Change the graph until its promises hold",
        _has_graph, "Open a graph first.", "protect",
    )  # fmt: skip


ACTIONS = (_action("run", "Run", lambda page: page.run()),)
