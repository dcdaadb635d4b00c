"""The privacy goals in groups: what each is good for, so that one need not know their names."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedLayout,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import Infeasible, NoPlace, ResourcesExceeded
from anonymizer_gui.engine.core.params import replace_params
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.measurement import TableMeasurement, measure_original
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS, PrivacyModel, main_parameter
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.sweep import SAMPLE_ROWS, preview
from anonymizer_gui.engine.rooms.microdata.views.equivalence_classes import (
    RecordsBySize,
    records_before,
    records_by_size,
)
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.dialogs.file_dialogs import ask_open
from anonymizer_gui.ui.hierarchies.unplaced_values import report_unplaced
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.microdata.figures import class_size_plot, release_figures, verdict_legend
from anonymizer_gui.ui.rooms.microdata.protect.batch_runs import (
    GoalSweepDialog,
    MicrodataBatch,
    SetAlternativesButton,
    report_too_large,
)
from anonymizer_gui.ui.rooms.microdata.protect.column_settings import LevelBounds, WeightSliders, level_bounds_section
from anonymizer_gui.ui.rooms.microdata.protect.method_form import MicrodataMethodForm
from anonymizer_gui.ui.rooms.microdata.protect.run_forecast import (
    QuickEstimate,
    data_obstacle,
    is_out_of_core,
    run_obstacle,
    run_state,
    search_size_text,
    unprotected_columns_text,
)
from anonymizer_gui.ui.rooms.microdata.release_texts import (
    MicrodataDocument,
    default_release_name,
    ours,
    published_identifying_columns,
)
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text, set_tab_order
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow
from anonymizer_gui.ui.widgets.goal_cards import GoalGroups, GoalList
from anonymizer_gui.ui.widgets.layout import TurningSplitter, section
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import JobRunner, post_error


def goal_groups(models: Iterable[type[PrivacyModel]]) -> GoalGroups:
    """Sort goals by what they protect; in a group the best known come first, as they have the shortest names."""
    ordered = sorted(models, key=lambda model: len(model.name))
    about_values = [model for model in ordered if model.needs_sensitive]
    comparing = [model for model in about_values if model().compares_with_whole]
    return (
        (tr("Nobody is picked out"), [model for model in ordered if not model.needs_sensitive]),
        (tr("Nobody’s sensitive value becomes certain"), [model for model in about_values if model not in comparing]),
        (tr("Little is learnt about anybody’s sensitive value"), comparing),
    )


LINES_NEEDED = 52
"""From so many lines of text in height on the page has room for pictures below the figures."""


class Pictures(QWidget):
    """Two charts side by side; the second only when there is a release."""

    def __init__(self, drawing: JobRunner) -> None:
        super().__init__()
        self.setObjectName("protect_pictures")
        self.sizes = ChartPanel(drawing, "protect_sizes")
        self.loss = ChartPanel(drawing, "protect_loss")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.sizes, 1)
        row.addWidget(self.loss, 1)
        self.setMinimumHeight(self.fontMetrics().height() * 14)

    def show_release(self, release: Release | None) -> None:
        """Show what each column of a release loses."""
        losses = release.measured.loss.lm_columns if release else {}
        known = {name: loss for name, loss in losses.items() if loss is not None}
        self.loss.setVisible(bool(known))
        if known:
            values = {"LM": list(known.values())}
            self.loss.show_plot(
                BarPlot(tr("Loss (LM) per column"), list(known), values, "LM", sideways=True, shares=True)
            )

    def show_sizes(self, sizes: RecordsBySize) -> None:
        """Show how many records, or people, are in classes of each size."""
        self.sizes.show_plot(class_size_plot(sizes))


PREVIEW_MIN_ROWS = 100_000
"""From so many rows on a preview on a sample is worth its button."""

_LINES_FOR_TWO = 64
"""From so many lines of text in width on the method and the weights stand side by side."""


class ProtectPage(Page):
    """Goals at the left, the method at the right, run and result below."""

    document: MicrodataDocument
    _started_with: Project | None = None
    name = "protect"
    title = "Protect"
    order = 30
    icon = "protect"
    help = "microdata/protect"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say whether something was run and still fits the settings."""
        document = ours(document)
        release = document.selected
        if why := data_obstacle(document) if release else run_obstacle(document):
            return StepStatus(StepState.EMPTY, why)
        if release is None:
            return StepStatus(StepState.READY, tr("Ready to run"))
        if document.finished.is_stale(release):
            return StepStatus(StepState.STALE, tr("Settings changed since the run"))
        if pointing := published_identifying_columns(document):
            return StepStatus(StepState.WARNING, tr("“{column}” leaves and points to people", column=pointing[0]))
        if unprotected_columns_text(document):
            return StepStatus(StepState.WARNING, unprotected_columns_text(document))
        if (known := release.measured.exposed) and known.rows:
            return StepStatus(StepState.WARNING, tr("{rows:row|rows} exposed by few items", rows=known.rows))
        return StepStatus(StepState.DONE, tr("k = {k}", k=release.measured.k))

    def run(self, *, try_anyway: bool = False) -> None:
        """Run the chosen algorithm; where an engine holds the table, ask how it is to run there."""
        if self.document.table is not None and self.document.table.is_sample:
            self.do.emit("protect.run_elsewhere")
            return
        algorithm = self.document.project.algorithm
        self.estimate.stop()
        if self.run_button.isEnabled() and algorithm is not None and not self._tells_of_running():
            self._started_with = self.document.project
            self.document.run(on_error=self._on_error, name=default_release_name(algorithm), try_anyway=try_anyway)

    def _tells_of_running(self) -> bool:
        """Say it when a run is under way: the same one goes on, one with earlier settings gives way."""
        if not any(job.key == "run" and not job.is_cancelled for job in self.document.jobs.active):
            return False
        is_same = self.document.project == self._started_with
        words = tr("It is running already.") if is_same else tr("The run with the settings before was stopped.")
        self.document.messages.info(words, key="running")
        return is_same

    def try_all(self) -> None:
        """Run every algorithm with the same goals."""
        self.estimate.stop()
        if self.try_button.isEnabled():
            self.series.try_all()

    def preview(self) -> None:
        """Run on a sample of a large table, for a glance at the figures."""
        if self.preview_button.isEnabled():
            self.document.jobs.start(
                tr("Preview"),
                preview,
                self.document.table,
                self.document.project,
                self.document.population,
                on_done=self._on_previewed,
                on_error=self._on_error,
                replace_key="run",
            )

    def sweep(self) -> None:
        """Ask for a range of values and run them all."""
        if not self.sweep_button.isEnabled():
            return
        dialog = GoalSweepDialog(self.document.project.goals, self)
        dialog.goal_chosen.connect(self.series.sweep)
        dialog.open()

    def choose_population(self) -> None:
        """Ask for the table the people were drawn from; goals about a population need it."""
        ask_open(self, "", self._on_population, tables_only=True)

    def _on_population(self, path: Path) -> None:
        self.document.set_population(path, tr("Take {name} for the population", name=path.name))

    def _build(self) -> None:
        nothing = tr(
            "No goal yet. Start with k-anonymity, then add l-diversity or t-closeness for each sensitive column."
        )
        self.goals = GoalList(PRIVACY_MODELS, nothing, goal_groups(PRIVACY_MODELS))
        self.method = MicrodataMethodForm(ALGORITHMS)
        self.weights, self.bounds = WeightSliders(), LevelBounds()
        self.figures, self.size_line = CardRow(), name_widget(QLabel(wordWrap=True), "search_size")
        self.expected = name_widget(QLabel(wordWrap=True), "estimate")
        self.estimate = QuickEstimate(self.document, self)
        self.reason, self.stale, self.pictures = InlineMessage(), InlineMessage(), Pictures(self.document.drawing)
        self.colours = name_widget(QLabel(verdict_legend(), wordWrap=True), "meaning_of_colours")
        self.colours.setForegroundRole(self.colours.foregroundRole().PlaceholderText)
        for label in (self.colours, self.expected, self.size_line):
            # Qt asks for the height a long text has in the narrowest column; the page has a wide one.
            label.setMinimumHeight(self.fontMetrics().height())
        self.run_button = name_widget(QPushButton(tr("Run"), default=True), "run")
        self.preview_button = name_widget(QPushButton(tr("Preview on Sample")), "preview")
        self.try_button = name_widget(QPushButton(tr("Try All")), "try_all")
        self.sweep_button = name_widget(QPushButton(tr("Sweep…")), "sweep")
        self.compare_button = name_widget(QPushButton(tr("Compare")), "to_compare")
        self.ways = SetAlternativesButton(self.document)
        self.series = MicrodataBatch(self.document, lambda: self.go.emit("compare"), self)
        self.empty = EmptyState("", tr("Go to Data"), lambda: self.go.emit("data"), icon="protect")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        self.how = how = name_widget(TurningSplitter(_LINES_FOR_TWO), "method_splitter")
        how.addWidget(section(tr("How it is reached"), self.method))
        how.addWidget(self._tabs())
        how.setStretchFactor(1, 1)
        upper = name_widget(QSplitter(childrenCollapsible=False), "protect_splitter")
        upper.addWidget(section(tr("What must hold"), self.goals))
        upper.addWidget(how)
        upper.setStretchFactor(0, 2)
        upper.setStretchFactor(1, 3)
        # It takes what the figures leave; what it would like best must not make the page scroll.
        upper.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.addWidget(upper, 1)
        # Notes come and go above the buttons: below, they would push Run away from under the mouse.
        layout.addWidget(self.reason)
        layout.addWidget(self.stale)
        layout.addLayout(self._run_bar())
        layout.addWidget(self.figures)
        layout.addWidget(self.colours)
        layout.addWidget(self.pictures, 1)
        return whole

    def _tabs(self) -> QTabWidget:
        tabs = name_widget(QTabWidget(documentMode=True), "protect_tabs")
        for widget, title in (
            (self.weights, tr("Weights")),
            (level_bounds_section(self.bounds), tr("Levels")),
        ):
            tabs.addTab(widget, title)
        self._tab_bar = tabs.tabBar()
        self._tab_bar.setWhatsThis(
            tr("How much each column counts in the loss, and between which levels it may be published.")
        )
        return tabs

    def _run_bar(self) -> QHBoxLayout:
        bar = QHBoxLayout()
        tips = {
            self.run_button: tr("Run the algorithm and measure what comes out"),
            self.preview_button: tr(
                "Run on {rows:row|rows} for a glance at the figures", rows=format_integer(SAMPLE_ROWS)
            ),
            self.try_button: tr("Run every algorithm with these goals, one after the other"),
            self.sweep_button: tr("Run a range such as k = 2, 3, 5, 10 and compare"),
            self.compare_button: tr("See all releases side by side"),
        }
        for button, tip in tips.items():
            button.setToolTip(tip)
            button.setStatusTip(tip)
            button.setWhatsThis(tip)
            bar.addWidget(button)
        bar.addWidget(self.ways)
        self._buttons = (*tips, self.ways)
        lines = QVBoxLayout()
        lines.addStretch()
        lines.addWidget(self.size_line)
        lines.addWidget(self.expected)
        lines.addStretch()
        bar.addLayout(lines, 1)
        return bar

    def _connect(self) -> None:
        self.goals.edited.connect(lambda text, goals, key: self.document.edit(text, key, goals=goals))
        self.method.edited.connect(lambda text, fields, key: self.document.edit(text, key, **fields))
        self.weights.edited.connect(
            lambda name, weights: self.document.edit(tr("Weigh the columns"), f"weight {name}", weights=weights)
        )
        self.bounds.edited.connect(
            lambda name, bounds: self.document.edit(tr("Bound the levels of {column}", column=name), bounds=bounds)
        )
        self.goals.invalid.connect(lambda _error: self._show_obstacle())
        self.method.invalid.connect(lambda _error: self._show_obstacle())
        self.estimate.told.connect(self.expected.setText)
        self.method.fold.toggled.connect(self._make_room)
        self.run_button.clicked.connect(self.run)
        self.ways.taken.connect(self.run)
        self.preview_button.clicked.connect(self.preview)
        self.try_button.clicked.connect(self.try_all)
        self.sweep_button.clicked.connect(self.sweep)
        self.compare_button.clicked.connect(lambda: self.go.emit("compare"))

    def showEvent(self, event: QShowEvent) -> None:
        """Make room for the method once the page has its size."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self._make_room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show pictures where there is room for them."""
        super().resizeEvent(event)
        is_tall = self.height() >= LINES_NEEDED * self.fontMetrics().height()
        if is_tall == self.pictures.isHidden():
            self.pictures.setVisible(is_tall)
            self._show_pictures()

    def _show(self, changed: frozenset[str]) -> None:
        table, project = self.document.table, self.document.project
        missing = table is None or not project.schema.names(Role.QI)
        self._stack.setCurrentIndex(int(not missing))
        if is_affected(changed, "algorithm", "schema", "table"):
            QTimer.singleShot(0, self, self._make_room)
        if missing or table is None:
            self.empty.set_text(data_obstacle(self.document))
            return
        qis = project.schema.names(Role.QI)
        self.goals.show_goals(project.goals, project.schema.names(Role.SA))
        self.method.show_project(project)
        self.weights.show_weights(project.schema.quasi, project.weights)
        if is_affected(changed, "schema", "hierarchies", "bounds", "table"):
            self.bounds.show_bounds(qis, project.hierarchies, project.bounds)
        self.ways.show_project()
        self.size_line.setText(search_size_text(table, project))
        self._show_obstacle()
        self._show_result()
        self._show_pictures()
        self.estimate.settings_changed()
        self.run_button.setIcon(theme.icon("run"))
        method = self.method.in_reading_order()
        tabs = self._tab_bar, self.weights.table, self.weights.equal, self.bounds
        set_tab_order(*self.goals.in_reading_order(), *method, *tabs, *self._buttons)

    def _make_room(self) -> None:
        """Give the method what it needs to be seen as a whole, as far as the weights can spare it."""
        if self.how.orientation() == Qt.Orientation.Vertical:
            wanted = self.method.wanted_height() + 2 * self.fontMetrics().height()
            self.how.setSizes([wanted, max(self.how.height() - wanted, 0)])

    def _show_obstacle(self) -> None:
        why = self.goals.error or self.method.error or run_obstacle(self.document)
        table = self.document.table
        held = table is not None and table.is_sample
        for button in (self.run_button, self.preview_button, self.try_button, self.sweep_button):
            button.setEnabled(not why and not (held and button in (self.try_button, self.sweep_button)))
        self.preview_button.setVisible(table is not None and table.n_whole > PREVIEW_MIN_ROWS)
        self.reason.show_note(*run_state(self.document, why))
        self.run_button.setText(tr("Run Elsewhere…") if held else tr("Run"))
        self.run_button.setToolTip(plain_text(why) or tr("Run the algorithm and measure what comes out"))

    def _show_pictures(self) -> None:
        """Show how many share their class, as the table is and in the release, and what each column loses."""
        release, table = self.document.selected, self.document.table
        if self.pictures.isHidden() or table is None or not self.document.project.schema.names(Role.QI):
            return
        self.pictures.show_release(release)
        if release is None and not table.is_sample:  # more rows of a sample are alone than of the whole
            self._ask_before(self.document.project, lambda found: self.pictures.show_sizes(records_before(found)))
        elif release is not None:
            title, then = tr("Count class sizes"), self.pictures.show_sizes
            self.document.ask("class sizes", records_by_size, release, table, then=then, title=title)

    def _ask_before(self, project: Project, then: Callable[[TableMeasurement], None]) -> None:
        schema, title = project.schema, tr("Measure the table")
        roles = schema.names(Role.QI), schema.names(Role.SA)
        of = (self.document.table, *roles, schema, project.person)
        self.document.ask("before", measure_original, *of, then=then, title=title)

    def _show_result(self) -> None:
        release = self.document.selected
        self.compare_button.setEnabled(release is not None)
        for part in (self.figures, self.colours):
            part.setVisible(release is not None)
        self.stale.show_note("warn", "")
        if release is None:
            return
        self._show_figures(release, None)
        if self.document.finished.is_stale(release):
            self.stale.show_note(
                "warn", tr("The settings have changed since this run; the figures are of “{name}”.", name=release.name)
            )
        elif release.project.algorithm != self.document.project.algorithm:
            self.stale.show_note("info", tr("The figures are of “{name}”.", name=release.name))
        self._ask_before(release.project, self._on_before)

    def _on_previewed(self, release: Release) -> None:
        self.figures.show_figures(release_figures(release, None))
        self.figures.setVisible(True)
        words = tr(
            "A preview on {rows:row|rows} drawn at random, not a release: run for the real figures.",
            rows=format_integer(SAMPLE_ROWS),
        )
        self.stale.show_note("info", words)

    def _on_before(self, before: TableMeasurement) -> None:
        if self.document.selected is not None:
            self._show_figures(self.document.selected, before)

    def _show_figures(self, release: Release, before: TableMeasurement | None) -> None:
        """Show the figures of a release; those of earlier settings are faded."""
        figures = release_figures(release, before, published_identifying_columns(self.document))
        self.figures.show_figures(figures, faded=self.document.finished.is_stale(release))

    def _on_error(self, error: BaseException) -> None:
        if isinstance(error, ResourcesExceeded):
            report_too_large(self.document, error, lambda: self.run(try_anyway=True))
            return
        if isinstance(error, NoPlace):
            report_unplaced(self.document, error, self.go.emit)
            return
        if not isinstance(error, Infeasible):
            post_error(self.document.messages, error)
            return
        offers = []
        change = self._nearest(error)
        if change is not None:
            place, model = change
            title = tr("Set {setting} and Run", setting=error.nearest)
            offers.append((title, lambda: self._take_nearest(place, model)))
        self.document.messages.error(error.message, error.hint, actions=offers, key="infeasible")

    def _nearest(self, error: Infeasible) -> tuple[int, PrivacyModel] | None:
        """Find the goal the error speaks of, with the nearest setting that works."""
        for place, goal in enumerate(self.document.project.goals):
            if error.nearest and goal.sentence() == error.goal:
                first = main_parameter(type(goal))
                value = first.kind.parse(error.nearest.rpartition("=")[2])
                return place, replace_params(goal, **{first.name: value})
        return None

    def _take_nearest(self, place: int, model: PrivacyModel) -> None:
        goals = self.document.project.goals
        self.document.messages.clear("infeasible")
        self.document.edit(tr("Set {title}", title=tr(model.title)), goals=(*goals[:place], model, *goals[place + 1 :]))
        self.run()


_CANNOT_RUN = "Mark quasi-identifiers, add a goal and choose an algorithm first."

_ONLY_HERE = "Mark quasi-identifiers, add a goal and choose an algorithm first; memory must hold the table."


def _can_run(document: MicrodataDocument) -> bool:
    return not run_obstacle(document)


def _can_try(document: MicrodataDocument) -> bool:
    return _can_run(document) and not is_out_of_core(document)


def _action(name: str, title: str, tip: str, **more: Any) -> Action:
    return Action(
        f"protect.{name}",
        title,
        lambda page: getattr(page, name)(),
        "Protect",
        "run",
        status_tip=tip,
        page="protect",
        **{"enabled": _can_run, "reason": _CANNOT_RUN, **more},
    )


ACTIONS = (
    _action("run", "Run", "Run the algorithm and measure what comes out", icon="run", shortcut="Ctrl+R"),
    _action(
        "try_all",
        "Try All Algorithms",
        "Run every algorithm with these goals",
        shortcut="Ctrl+Shift+R",
        enabled=_can_try,
        reason=_ONLY_HERE,
    ),
    _action("sweep", "Sweep…", "Run a range of values of a goal and compare", enabled=_can_try, reason=_ONLY_HERE),
    _action(
        "choose_population",
        "Population Table…",
        "Choose the table the people were drawn from",
        enabled=lambda document: document.table is not None,
        reason="Open a table first.",
    ),
)
