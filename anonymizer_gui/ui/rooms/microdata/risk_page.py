"""How easily somebody could be picked out, before and after, and what known attacks would find."""

from pathlib import Path

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QStackedLayout,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.params import Int
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.rooms.microdata.measurement import TableMeasurement, measure_original
from anonymizer_gui.engine.rooms.microdata.risk.attacks import (
    AttackerKnowledge,
    AttackResult,
    read_second_table,
    run_attacks,
)
from anonymizer_gui.engine.rooms.microdata.views.equivalence_classes import RecordsBySize, records_by_size
from anonymizer_gui.ui.dialogs.file_dialogs import ask_open
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.release.release_history import ReleaseSelector
from anonymizer_gui.ui.rooms.microdata.attack_bench import (
    AttackBench,
    record_attacks,
    was_attacked,
    worst_attack_figure,
    worst_attack_text,
)
from anonymizer_gui.ui.rooms.microdata.figures import class_size_plot, risk_figures
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument, published_identifying_columns
from anonymizer_gui.ui.widgets.accessibility import name_widget, show_file_name
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

_PEOPLE = Int(low=1)


class RiskPage(Page):
    """Figures and class sizes on one tab, the attack bench on the other."""

    document: MicrodataDocument
    name = "risk"
    title = "Risk"
    order = 50
    icon = "risk"
    help = "microdata/risk"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say how the selected release stands."""
        release = document.selected
        if release is None:
            return StepStatus(StepState.EMPTY, tr("Run an algorithm first"))
        if document.finished.is_stale(release):
            return StepStatus(StepState.STALE, tr("Settings changed since the run"))
        if pointing := published_identifying_columns(document):
            return StepStatus(StepState.WARNING, tr("“{column}” leaves and points to people", column=pointing[0]))
        if worst := worst_attack_text(release):
            return StepStatus(StepState.WARNING, worst)
        if not was_attacked(release):
            return StepStatus(StepState.READY, tr("At worst 1 in {k}, attacks not tried", k=release.measured.fewest))
        return StepStatus(StepState.DONE, tr("At worst 1 in {k}", k=release.measured.fewest))

    def set_outside(self, path: Path) -> None:
        """Read the second table of the linkage attack."""
        self.document.jobs.start(
            tr("Read the second table"),
            read_second_table,
            path,
            on_done=lambda table: self._on_outside(path, table),
            replace_key="outside",
        )

    def set_other_release(self, path: Path) -> None:
        """Read the release of another house."""
        self.document.jobs.start(
            tr("Read the other release"),
            read_second_table,
            path,
            on_done=lambda table: self._on_other_release(path, table),
            replace_key="other release",
        )

    def _build(self) -> None:
        self._before: TableMeasurement | None = None
        self._outside: Table | None = None
        self._other: Table | None = None
        self.figures = CardRow()
        self.chart = ChartPanel(self.document.drawing, "class_sizes_chart")
        self.bench = AttackBench()
        self.stale = InlineMessage()
        self.chooser = ReleaseSelector(self.document)
        self.outside_label = QLabel(tr("none"))
        self.outside_button = name_widget(QPushButton(tr("Choose…")), "choose_outside")
        self.other_label = QLabel(tr("none"))
        self.other_button = name_widget(QPushButton(tr("Choose…")), "choose_other_release")
        self.population_label = QLabel(tr("none"))
        self.population_button = name_widget(QPushButton(tr("Choose…")), "choose_population")
        self.population_size = name_widget(QLineEdit(), "population_size")
        self.population_size.setPlaceholderText(tr("unknown"))
        self.empty = EmptyState(
            tr("No release yet: run an algorithm first."),
            tr("Go to Protect"),
            lambda: self.go.emit("protect"),
            icon="risk",
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        overview = QWidget()
        column = QVBoxLayout(overview)
        column.addWidget(self.figures)
        column.addWidget(self.chart, 1)
        bench = QWidget()
        rows = QVBoxLayout(bench)
        rows.addLayout(self._knowledge_row())
        rows.addWidget(self.bench, 1)
        self.tabs = name_widget(QTabWidget(documentMode=True), "risk_tabs")
        self.tabs.addTab(overview, tr("Risk"))
        self.tabs.addTab(bench, tr("Attacks"))
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.addWidget(self.chooser)
        layout.addWidget(self.stale)
        layout.addWidget(self.tabs, 1)
        return whole

    def _knowledge_row(self) -> QGridLayout:
        grid = QGridLayout()
        parts = (
            (tr("Second table"), self.outside_label, self.outside_button),
            (tr("Population table"), self.population_label, self.population_button),
            (tr("Release of another house"), self.other_label, self.other_button),
        )
        for row, (title, shown, button) in enumerate(parts):
            grid.addWidget(QLabel(f"{title}:"), row, 0)
            grid.addWidget(shown, row, 1)
            grid.addWidget(button, row, 2)
            button.setAccessibleName(f"{title}: {button.text()}")
        label = QLabel(tr("People in the population"))
        label.setBuddy(self.population_size)
        self.population_size.setAccessibleName(label.text())
        grid.addWidget(label, 0, 3)
        grid.addWidget(self.population_size, 1, 3)
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(self.fontMetrics().height())
        return grid

    def _connect(self) -> None:
        self.bench.changed.connect(lambda _risk: self._ask())
        self.outside_button.clicked.connect(lambda: ask_open(self, "", self.set_outside, tables_only=True))
        self.other_button.clicked.connect(lambda: ask_open(self, "", self.set_other_release, tables_only=True))
        self.population_button.clicked.connect(lambda: ask_open(self, "", self._set_population, tables_only=True))
        self.population_size.editingFinished.connect(self._ask)

    def _show(self, changed: frozenset[str]) -> None:
        release = self.document.selected
        self._stack.setCurrentIndex(int(release is not None))
        if release is None:
            return
        self.chooser.show_document()
        stale = self.document.finished.is_stale(release)
        text = tr("The settings have changed since this run; what you see is of “{name}”.", name=release.name)
        self.stale.show_note("warn", text if stale else "")
        self.figures.fade(stale)
        people = self.document.project.population
        show_file_name(self.population_label, people.path if people else "")
        if is_affected(changed, Change.RESULTS, Change.RELEASES, "table", "population"):
            self._ask()

    def _ask(self) -> None:
        """Have everything measured that is shown."""
        release, table = self.document.selected, self.document.table
        if release is None or table is None:
            return
        schema = release.project.schema
        qis, sas = schema.names(Role.QI), schema.names(Role.SA)
        self.document.ask(
            "before",
            measure_original,
            table,
            qis,
            sas,
            schema,
            release.project.person,
            then=self._on_before,
            title=tr("Measure the table"),
        )
        self.document.ask(
            "class sizes", records_by_size, release, table, then=self._on_sizes, title=tr("Count class sizes")
        )
        risks = tuple(self.bench.risks.values())
        known = AttackerKnowledge(self.document.population, self._people(), self._outside, self._other)
        self.document.jobs.start(
            tr("Attack the release"),
            run_attacks,
            risks,
            release,
            table,
            known,
            on_done=self._on_attacks,
            replace_key="attacks",
        )

    def _people(self) -> int | None:
        try:
            typed = self.population_size.text().replace(QLocale().groupSeparator(), "")
            return _PEOPLE.parse(typed) if typed else None
        except ValueError as rule:
            self.document.messages.warning(
                tr("People in the population must be {rule}.", rule=tr(rule.args[0])), key="population size"
            )
            return None

    def _on_before(self, before: TableMeasurement) -> None:
        self._before = before
        self._show_figures()

    def _show_figures(self) -> None:
        release = self.document.selected
        if release is not None and self._before is not None:
            is_old = self.document.finished.is_stale(release)
            figures = risk_figures(release, self._before, published_identifying_columns(self.document))
            self.figures.show_figures((*figures, worst_attack_figure(release)), faded=is_old)

    def _on_sizes(self, sizes: RecordsBySize) -> None:
        self.chart.show_plot(class_size_plot(sizes))

    def _on_attacks(self, attacks: dict[str, AttackResult]) -> None:
        release = self.document.selected
        if release is not None:
            schema = release.project.schema
            self.bench.show_attacks(attacks, schema.names(Role.QI), schema.names(Role.SA))
            titles = {name: risk.title for name, risk in self.bench.risks.items()}
            is_news = record_attacks(release, titles, attacks)
            self._show_figures()
            if is_news:
                self.document.changed.emit(frozenset({"attacks"}))

    def _on_other_release(self, path: Path, table: Table) -> None:
        self._other = table
        show_file_name(self.other_label, str(path))
        self._ask()

    def _set_population(self, path: Path) -> None:
        self.document.set_population(path, tr("Take {name} for the population", name=path.name))

    def _on_outside(self, path: Path, table: Table) -> None:
        self._outside = table
        show_file_name(self.outside_label, str(path))
        self._ask()
