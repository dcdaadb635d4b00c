"""Protect page of baskets: deletion budget, rules, item hierarchies compared."""

from typing import Any, ClassVar

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSlider,
    QSplitter,
    QStackedLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.params import replace_params
from anonymizer_gui.engine.data.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.baskets.algorithms.apriori import RuleReplay
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS, Deleting
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import MODELS
from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.engine.rooms.baskets.sweep import (
    HierarchyTrial,
    LossPreview,
    compare_hierarchies,
    numeric_parameters,
    preview_loss,
    sweep_parameter,
)
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.dialogs.alternatives import AlternativesDialog, AlternativesTexts
from anonymizer_gui.ui.dialogs.file_dialogs import ask_file
from anonymizer_gui.ui.i18n import error_text, format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.baskets.before_after import BasketPairModel, before_after_view, release_figures
from anonymizer_gui.ui.widgets.accessibility import name_widget, show_file_name
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow
from anonymizer_gui.ui.widgets.goal_cards import GoalList
from anonymizer_gui.ui.widgets.layout import section
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.method_form import MethodForm
from anonymizer_gui.ui.widgets.sweep import ParameterSweepDialog
from anonymizer_gui.workspace.batch_run import BatchRun
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Work

_STEPS, _MOST = 20, 0.1

PREVIEW_MAX_OCCURRENCES = 200_000
"""Nobody waits for so many items at every move."""


class DeletionBudgetField(QWidget):
    """A slider from no deletions to one item in ten, and a sentence on what would be left."""

    chosen = Signal(float)
    """Carries the share that may be deleted."""

    def __init__(self) -> None:
        super().__init__()
        self.slider = name_widget(
            QSlider(Qt.Orientation.Horizontal), "deletion_budget", spoken=tr("Budget of deletions")
        )
        self.slider.setRange(0, _STEPS)
        self.slider.setTickPosition(QSlider.TickPosition.TicksBelow)
        self.slider.setTickInterval(_STEPS // 10)
        self.share = QLabel()
        self.words = name_widget(QLabel(wordWrap=True), "looked_ahead")
        self._row = QWidget()
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 0, 0, 0)
        label = QLabel(self.slider.accessibleName())
        label.setBuddy(self.slider)
        for widget in (label, self.slider, self.share):
            row.addWidget(widget, int(widget is self.slider))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._row)
        layout.addWidget(self.words)
        self.slider.valueChanged.connect(lambda step: self.chosen.emit(step * _MOST / _STEPS))

    def show_budget(self, share: float | None) -> None:
        """Show what may be deleted; no slider for a method that has no such budget."""
        self._row.setVisible(share is not None)
        if share is not None:
            with QSignalBlocker(self.slider):
                self.slider.setValue(round(share * _STEPS / _MOST))
            self.share.setText(format_percent(share))

    def show_ahead(self, found: LossPreview | None, baskets: Baskets) -> None:
        """Say what a run with these settings would lose, or why there is none."""
        if found is None:
            self.words.setText("")
        elif found.problem is not None:
            self.words.setText(error_text(found.problem))
        else:
            self.words.setText(
                tr(
                    "With these settings {left} of {all:value|values} would be left: loss {loss}, {deleted} deleted.",
                    left=format_integer(found.values_left),
                    all=len(baskets.items),
                    loss=format_decimal(found.ncp, 5),
                    deleted=format_percent(found.deleted / max(len(baskets.codes), 1), 2),
                )
            )


class HierarchyComparisonDialog(AlternativesDialog):
    """A row for each tree, the least loss first; the chosen one can be taken."""

    name: ClassVar[str] = "tournament"
    words: ClassVar[AlternativesTexts] = AlternativesTexts(
        title="Compare Trees of Items",
        about="The tree matters more than the method. A tree made by counting has no meaning for readers: a low loss "
        "over groups that mean nothing is of little use. Prefer a tree of your own where there is one.",
        head=("Tree", "In each group", "Loss (NCP)", "Values left", "Deleted"),
        spoken="Trees and what they lose",
        job="Compare trees",
        waiting="Trying the trees…",
        take="Take This Tree",
    )
    lines: ClassVar[tuple[int, int]] = (44, 26)

    def work(self, document: Document) -> tuple[Work, *tuple[Any, ...]]:
        """Let the trees compete over the baskets."""
        return compare_hierarchies, document.files["table"], document.project

    def row(self, way: HierarchyTrial) -> tuple[str, ...]:
        """Tell a tree and what it loses."""
        fan = format_integer(way.fan_out) if way.fan_out else "–"
        if way.problem is not None:
            return tr(way.title), fan, tr("not possible"), "", tr(way.problem.message)
        return (
            tr(way.title),
            fan,
            format_decimal(way.ncp, 5),
            format_integer(way.values_left),
            format_integer(way.deleted),
        )

    def taken(self, way: HierarchyTrial) -> Hierarchy:
        """Give the tree, which may be taken for other promises, too."""
        return way.tree


_ROOM = "baskets"


class ProtectPage(Page):
    """Promises, method and runs at the left; figures of the last run and baskets before and after at the right."""

    name = "protect"
    title = "Protect"
    order = 30
    icon = "protect"
    help = "baskets/protect"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say whether there is a release of these settings."""
        if document.room != _ROOM or document.table is None:
            return StepStatus(StepState.EMPTY, tr("Open baskets first."))
        release = document.selected
        if release is None:
            return StepStatus(StepState.READY, tr("Ready to run"))
        if document.finished.is_stale(release):
            return StepStatus(StepState.STALE, tr("Settings have changed since the run"))
        return StepStatus(StepState.DONE, tr("Protected"))

    def protect(self) -> None:
        """Run the method."""
        if self.run_button.isEnabled():
            algorithm = self.document.project.algorithm
            self.document.run(on_error=self._on_error, name=tr(algorithm.title) if algorithm else "")

    def sweep(self) -> None:
        """Ask what varies, then make a release for each value."""
        project = self.document.project
        things = [*project.goals, *([project.algorithm] if project.algorithm is not None else [])]
        titles = {thing.name: tr(thing.title) for thing in things}
        dialog = ParameterSweepDialog(numeric_parameters(project), self, titles=titles)
        dialog.chosen.connect(self._on_sweep)
        dialog.open()

    def compare_trees(self) -> None:
        """Run every automatic tree and show the losses side by side."""
        dialog = HierarchyComparisonDialog(self.document, self)
        dialog.chosen.connect(self._on_tree)
        dialog.open()

    def choose_rules(self) -> None:
        """Ask for the rules of an earlier release."""
        ask_file(self, tr("Rules of an Earlier Release"), self.take_rules)

    def take_rules(self, path: str) -> None:
        """Publish every item as rules say, by the method that follows them."""
        words = tr("Take the rules of an earlier release"), tr("Read the rules")
        method = self.document.project.algorithm
        self.document.set_file(
            "rules", path, *words, algorithm=method if isinstance(method, RuleReplay) else RuleReplay()
        )

    def _build(self) -> None:
        self._shown: Release | None = None
        self.runs = BatchRun(self.document, self)
        self.goals = GoalList(MODELS, tr("Nothing is promised yet: add a promise."))
        self.method = name_widget(WidePopupComboBox(), "method", spoken=tr("Method"))
        for kind in ALGORITHMS:
            self.method.addItem(tr(kind.title), kind.name)
        self.method.make_room()
        self.about = QLabel(wordWrap=True)
        self.parameters = MethodForm()
        self.rules, self.rules_button = QLabel(), name_widget(QPushButton(tr("Rules…")), "choose_rules")
        self.run_button = name_widget(QPushButton(tr("Protect"), default=True), "run_baskets")
        self.sweep_button = name_widget(
            QPushButton(tr("Sweep…")), "sweep_baskets", tip=tr("Vary k, m or the deletions")
        )
        self.trees_button = name_widget(
            QPushButton(tr("Compare Trees…")), "compare_trees", tip=tr("Which tree of items loses least")
        )
        self.budget, self.note, self.figures = DeletionBudgetField(), InlineMessage(), CardRow()
        self.pairs = BasketPairModel()
        self.pair_view = before_after_view(self.pairs, "protected_baskets")
        self.nothing_yet = EmptyState(
            tr("Nothing is protected yet."), tr("Protect"), self.protect, icon="protect",
            hint=tr("Say what is promised and how it is done; then every basket stands here before and after."),
        )  # fmt: skip
        self.empty = EmptyState(
            tr("Open baskets first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="protect"
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        split = name_widget(QSplitter(childrenCollapsible=False), "protect_baskets_splitter")
        split.addWidget(self._choices())
        split.addWidget(self._result())
        split.setStretchFactor(1, 1)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.addWidget(split)
        return inside

    def _choices(self) -> QWidget:
        """Lay out what is promised, how it is done, and the runs below each other."""
        rules = QHBoxLayout()
        label = QLabel(tr("Rules of an earlier release:"))
        label.setBuddy(self.rules_button)
        for widget in (label, self.rules, self.rules_button):
            rules.addWidget(widget, int(widget is self.rules))
        method = QWidget()
        column = QVBoxLayout(method)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.method)
        column.addWidget(self.about)
        column.addWidget(self.parameters)
        column.addWidget(self.budget)
        column.addLayout(rules)
        buttons = QHBoxLayout()
        for button in (self.trees_button, self.sweep_button):
            buttons.addWidget(button)
        buttons.addStretch()
        buttons.addWidget(self.run_button)
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(section(tr("What is promised"), self.goals), 1)
        layout.addWidget(section(tr("How it is done"), method))
        layout.addLayout(buttons)
        return whole

    def _result(self) -> QWidget:
        """Lay out what came of the last run: figures above, every basket before and after below."""
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.figures)
        column.addWidget(section(tr("Before and after"), self.pair_view), 1)
        self._outcome = QStackedWidget()
        self._outcome.addWidget(self.nothing_yet)
        self._outcome.addWidget(made)
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.note)
        layout.addWidget(self._outcome, 1)
        return whole

    def _connect(self) -> None:
        self.goals.edited.connect(lambda text, goals, key: self.document.edit(text, key, goals=goals))
        self.goals.invalid.connect(lambda _mistake: self._show_obstacle())
        self.method.activated.connect(lambda _at: self._on_method())
        self.parameters.changed.connect(self._on_parameter)
        self.parameters.checked.connect(self._show_obstacle)
        self.run_button.clicked.connect(self.protect)
        self.sweep_button.clicked.connect(self.sweep)
        self.trees_button.clicked.connect(self.compare_trees)
        self.rules_button.clicked.connect(self.choose_rules)
        self.runs.ended.connect(self._on_ended)
        self.budget.chosen.connect(self._on_budget)

    def _show(self, changed: frozenset[str]) -> None:
        is_ours = self.document.room == _ROOM and self.document.table is not None
        self._stack.setCurrentIndex(int(is_ours))
        if not is_ours:
            return
        project, baskets = self.document.project, self.document.files["table"]
        names = (*baskets.beside.names, *baskets.items[:500])
        if is_affected(changed, "goals", "table"):
            self.goals.show_goals(project.goals, names)
        if is_affected(changed, "algorithm", "table"):
            self._show_method()
        if is_affected(changed, "goals", "algorithm", "hierarchies", "rules", "table"):
            self._look_ahead(baskets)
        show_file_name(self.rules, project.rules.path if project.rules else "")
        self.note.show_note("info", "")
        self._show_result(baskets)
        self._show_obstacle()

    def _show_result(self, baskets: Baskets) -> None:
        release = self.document.selected
        self._outcome.setCurrentIndex(int(release is not None))
        if release is None:
            return
        self.figures.show_figures(release_figures(release), faded=self.document.finished.is_stale(release))
        self.note.show_note("info", " ".join(tr(note) for note in release.notes))
        if release is not self._shown:
            self._shown = release
            self.pairs.show_release(release, baskets)

    def _show_obstacle(self) -> None:
        mistake = self.goals.error or self.parameters.error
        why = mistake or ("" if self.document.room != _ROOM or self.document.project.goals else tr("Add a promise."))
        for button in (self.run_button, self.sweep_button, self.trees_button, self.nothing_yet.button):
            button.setEnabled(not why)
        self.run_button.setToolTip(why or tr("Make the baskets anonymous and count them again"))

    def _show_method(self) -> None:
        algorithm = self.document.project.algorithm
        self.method.setCurrentIndex(-1 if algorithm is None else self.method.findData(algorithm.name))
        self.about.setText("" if algorithm is None else tr(algorithm.summary))
        self.budget.show_budget(algorithm.delete if isinstance(algorithm, Deleting) else None)
        self.parameters.show_method(algorithm)

    def _look_ahead(self, baskets: Baskets) -> None:
        """Say what a run would lose, where that is known in a moment."""
        project = self.document.project
        is_quick = len(baskets.codes) <= PREVIEW_MAX_OCCURRENCES and project.goals and not self.goals.error
        if not is_quick:
            self.budget.show_ahead(None, baskets)
            return
        self.document.ask(
            "baskets ahead", preview_loss, baskets, project, self.document.files.get("rules"),
            then=lambda found: self.budget.show_ahead(found, baskets), title=tr("Look ahead"),
        )  # fmt: skip

    def _on_budget(self, share: float) -> None:
        algorithm = self.document.project.algorithm
        if isinstance(algorithm, Deleting) and share != algorithm.delete:
            self._on_parameter(replace_params(algorithm, delete=share))

    def _on_parameter(self, algorithm: Any) -> None:
        self.document.edit(tr("Set {title}", title=tr(algorithm.title)), "method", algorithm=algorithm)

    def _on_method(self) -> None:
        kind = ALGORITHMS.get(self.method.currentData())
        current = self.document.project.algorithm
        if current is None or current.name != kind.name:
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

    def _on_tree(self, tree: Hierarchy) -> None:
        self.document.edit(tr("Take another tree of items"), hierarchies={ITEMS: tree})


def _has_baskets(document: Document) -> bool:
    return document.room == _ROOM and document.table is not None


def _action(name: str, title: str, callback: Any, tip: str, icon: str = "", shortcut: str = "") -> Action:
    return Action(
        f"protect.{name}", title, callback, "Protect", "run", icon, shortcut, tip, _has_baskets, "Open baskets first.",
        "protect",
    )  # fmt: skip


ACTIONS = (
    _action("run", "Protect Baskets", lambda page: page.protect(), "Make the baskets anonymous", "run", "Ctrl+R"),
    _action("sweep", "Sweep…", lambda page: page.sweep(), "Vary k, m or the deletions", "utility"),
    _action("trees", "Compare Trees…", lambda page: page.compare_trees(), "Which tree of items loses least", "compare"),
    _action(
        "rules", "Rules of an Earlier Release…", lambda page: page.choose_rules(), "Publish items as before", "import"
    ),
)
