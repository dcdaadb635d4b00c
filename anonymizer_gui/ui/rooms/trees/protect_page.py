"""The fourth step: what is promised and how, and runs: one, or a range of values."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from anonymizer_gui.engine.rooms.trees.algorithms.contract import ALGORITHMS, unmeasured_promise
from anonymizer_gui.engine.rooms.trees.attack import short_paths
from anonymizer_gui.engine.rooms.trees.encoding import PathRole
from anonymizer_gui.engine.rooms.trees.project import numeric_parameters, sweep_parameter
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.trees.record_views import release_figures
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow
from anonymizer_gui.ui.widgets.layout import scroll_column, section
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.method_form import MethodForm
from anonymizer_gui.ui.widgets.sweep import ParameterSweepDialog
from anonymizer_gui.workspace.batch_run import BatchRun
from anonymizer_gui.workspace.document import Document

_ROOM = "trees"
_LINES_NEEDED = 48
"""From so many lines of text in height on the page has room for a picture."""


class ProtectPage(Page):
    """The method at the left, what it promises at the right, the figures of the last run below."""

    name = "protect"
    title = "Protect"
    order = 30
    icon = "protect"
    help = "trees/protect"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say whether there is a release of these settings."""
        if document.room != _ROOM or document.table is None:
            return StepStatus(StepState.EMPTY, tr("Open records first."))
        release = document.selected
        if release is None:
            return StepStatus(StepState.READY, tr("Ready to run"))
        if document.finished.is_stale(release):
            return StepStatus(StepState.STALE, tr("Settings have changed since the run"))
        return StepStatus(StepState.DONE, tr("Protected"))

    def protect(self) -> None:
        """Run the method."""
        if self.run_button.isEnabled():
            self.document.run(on_error=self._on_error, name=tr(self.document.project.algorithm.title))

    def sweep(self) -> None:
        """Ask what varies, then make a release for each value."""
        dialog = ParameterSweepDialog(numeric_parameters(self.document.project), self)
        dialog.chosen.connect(self._on_sweep)
        dialog.open()

    def _build(self) -> None:
        self.runs = BatchRun(self.document, self)
        self.method = name_widget(WidePopupComboBox(), "method", spoken=tr("Method"))
        for kind in ALGORITHMS:
            self.method.addItem(tr(kind.title), kind.name)
        self.method.make_room()
        self.about = QLabel(wordWrap=True)
        self.parameters = MethodForm()
        self.promised = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText), "promised")
        self.promised.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.run_button = name_widget(QPushButton(tr("Protect"), default=True), "run_trees")
        self.sweep_button = name_widget(QPushButton(tr("Sweep…")), "sweep_trees", tip=tr("Vary k, l, m or n"))
        self.note, self.figures = InlineMessage(), CardRow()
        self.losses = ChartPanel(self.document.drawing, "path_losses_chart")
        self.losses.hide()
        self.empty = EmptyState(
            tr("Open records first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="protect"
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        method = QWidget()
        column = QVBoxLayout(method)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.method)
        column.addWidget(self.about)
        column.addWidget(self.parameters)
        column.addStretch()
        split = name_widget(QSplitter(childrenCollapsible=False), "protect_trees_splitter")
        split.addWidget(scroll_column(section(tr("How it is done"), method)))
        split.addWidget(scroll_column(section(tr("What is promised"), self.promised)))
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 1)
        split.setSizes([1000, 1000])
        buttons = QHBoxLayout()
        buttons.addWidget(self.sweep_button)
        buttons.addStretch()
        buttons.addWidget(self.run_button)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.addWidget(split, 1)
        layout.addWidget(self.losses, 1)
        layout.addWidget(self.note)
        layout.addLayout(buttons)
        layout.addWidget(self.figures)
        return inside

    def _connect(self) -> None:
        self.method.activated.connect(lambda _at: self._on_method())
        self.parameters.changed.connect(self._on_parameter)
        self.parameters.checked.connect(self._show_obstacle)
        self.run_button.clicked.connect(self.protect)
        self.sweep_button.clicked.connect(self.sweep)
        self.runs.ended.connect(self._on_ended)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what every path loses where there is room for it."""
        super().resizeEvent(event)
        self._show_losses()

    def _show_losses(self) -> None:
        release = self.document.selected if self.document.room == _ROOM else None
        is_tall = self.height() >= _LINES_NEEDED * self.fontMetrics().height()
        self.losses.setVisible(is_tall and release is not None)
        if is_tall and release is not None:
            lost = {**release.measured.by_path, **release.measured.gone}
            values = {tr("lost"): list(lost.values())}
            names = list(short_paths(list(lost)).values())
            self.losses.show_plot(BarPlot(tr("Loss of every path"), names, values, "", sideways=True, shares=True))

    def _show(self, changed: frozenset[str]) -> None:
        is_ours = self.document.room == _ROOM and self.document.table is not None
        self._stack.setCurrentIndex(int(is_ours))
        if not is_ours:
            return
        if is_affected(changed, "algorithm", "table", "paths"):
            self._show_method()
        release = self.document.selected
        self.figures.setVisible(release is not None)
        self._show_losses()
        self.note.show_note("info", "")
        if release is not None:
            self.figures.show_figures(release_figures(release))
            self.note.show_note("info", " ".join(tr(note) for note in release.notes))
        self._show_obstacle()

    def _show_obstacle(self) -> None:
        is_named = self.document.project.of_role(PathRole.QUASI)
        why = self.parameters.error or ("" if is_named else tr("Name a quasi-identifier on the Data page."))
        for button in (self.run_button, self.sweep_button):
            button.setEnabled(not why)
        self.run_button.setToolTip(why or tr("Make the records anonymous and count them again"))

    def _show_method(self) -> None:
        algorithm = self.document.project.algorithm
        self.method.setCurrentIndex(self.method.findData(algorithm.name))
        self.about.setText(tr(algorithm.summary))
        self.promised.setText("".join(_card(promise) for promise in unmeasured_promise(self.document.project)))
        self.parameters.show_method(algorithm)

    def _on_parameter(self, algorithm: Any) -> None:
        self.document.edit(tr("Set {title}", title=tr(algorithm.title)), "method", algorithm=algorithm)

    def _on_method(self) -> None:
        kind = ALGORITHMS.get(self.method.currentData())
        if self.document.project.algorithm.name != kind.name:
            self.document.edit(tr("Choose the method {title}", title=tr(kind.title)), algorithm=kind())

    def _on_error(self, error: BaseException) -> None:
        self.note.show_note("bad", error_text(error))

    def _on_sweep(self, varied: Any, values: tuple[Any, ...]) -> None:
        self.runs.start(sweep_parameter(self.document.project, varied, values))

    def _on_ended(self, made: tuple[Any, ...], failed: tuple[Any, ...]) -> None:
        if not made and not failed:
            return
        details = "\n".join(f"{tr(name)}: {error_text(error)}" for name, error in failed)
        text = tr("{made:release was|releases were} made.", made=len(made))
        if failed:
            text += " " + tr("{failed:run|runs} could not reach the goals.", failed=len(failed))
        post = self.document.messages.warning if failed else self.document.messages.success
        post(text, "", details, [(tr("Compare"), lambda: self.go.emit("compare"))], key="runs")


def _card(promise: Any) -> str:
    """Say what a promise is, stops and leaves open; all words are ours, so they may be marked up."""
    facts = ((tr("Stops"), promise.stops), (tr("Leaves open"), promise.leaves_open))
    lines = "".join(f"<p><i>{title}</i>: {tr(text)}</p>" for title, text in facts)
    sentence = tr(promise.sentence)
    return f"<h4>{tr(promise.title)}</h4><p>{sentence[:1].upper()}{sentence[1:]}.</p>{lines}"


def _has_records(document: Document) -> bool:
    return document.room == _ROOM and document.table is not None


def _action(name: str, title: str, callback: Any, tip: str, icon: str = "", shortcut: str = "") -> Action:
    return Action(
        f"protect.{name}", title, callback, "Records", "run", icon, shortcut, tip, _has_records, "Open records first.",
        "protect",
    )  # fmt: skip


ACTIONS = (
    _action("run", "Protect Records", lambda page: page.protect(), "Make the records anonymous", "run", "Ctrl+R"),
    _action("sweep", "Sweep…", lambda page: page.sweep(), "Vary k, l, m or n", "utility"),
)
