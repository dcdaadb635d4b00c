"""The third step: reports come back, and many of them tell what none of them does."""

from typing import Any

from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local.estimation import WIDTH95
from anonymizer_gui.engine.rooms.survey.estimates import Estimate, QuestionEstimates, true_answer
from anonymizer_gui.engine.rooms.survey.release import Release
from anonymizer_gui.engine.rooms.survey.run import reports_among
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.dialogs.file_dialogs import ask_file, start_folder
from anonymizer_gui.ui.i18n import format_decimal, format_significant, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus
from anonymizer_gui.ui.rooms.survey.charts import Estimates
from anonymizer_gui.ui.rooms.survey.estimate.poisoning_panel import PoisoningPanel
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.layout import section
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.text_table import MarkedTableModel, marked_table_view
from anonymizer_gui.workspace.document import Document

_ROOM = "survey"


class EstimatePage(Page):
    """Where the reports come from, the estimates of a question with a chart, and the reports that do not count."""

    name = "estimate"
    title = "Estimate"
    order = 30
    icon = "utility"
    help = "survey/estimate"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say whether there are reports, and whether they were counted."""
        if document.room != _ROOM or not document.project.questions:
            return StepStatus(StepState.EMPTY, tr("Ask something first."))
        release = document.selected
        if release is not None:
            is_stale = document.finished.is_stale(release)
            return (
                StepStatus(StepState.STALE, tr("Changed since"))
                if is_stale
                else StepStatus(StepState.DONE, tr(release.sentence()))
            )
        if not document.files:
            return StepStatus(StepState.EMPTY, tr("There are no reports yet."))
        return StepStatus(StepState.READY, tr("Reports can be counted"))

    def import_file(self) -> None:
        """Ask for a file of reports."""
        ask_file(self, tr("Import Reports"), self.take_reports)

    def import_folder(self) -> None:
        """Ask for a folder of reports."""
        dialog = QFileDialog(self, tr("Import a Folder of Reports"), start_folder(self))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self.take_reports)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def take_reports(self, path: str) -> None:
        """Let a file or folder be the reports of the survey."""
        self.document.set_file("reports", path, tr("Import reports"), tr("Read the reports"))

    def estimate(self) -> None:
        """Count the reports; without any, they are drawn from the table first."""
        if self.run_button.isEnabled():
            self.document.run(name=tr("Estimates of {name}", name=self.document.project.name or tr("the survey")))

    def _build(self) -> None:
        self._release: Release | None = None
        self.about = name_widget(QLabel(wordWrap=True), "reports_about")
        self.file_button = name_widget(QPushButton(tr("Import Reports…")), "import_reports")
        self.folder_button = name_widget(QPushButton(tr("Import Folder…")), "import_folder")
        self.run_button = name_widget(QPushButton(tr("Estimate"), default=True), "run_estimate")
        self.question = name_widget(WidePopupComboBox(), "estimated_question", spoken=tr("Question"))
        self.notes = InlineMessage()
        self.model, self.problems = MarkedTableModel(1), MarkedTableModel(9)
        self.table = marked_table_view(self.model, "estimates", tr("Estimates"))
        self.problem_table = marked_table_view(self.problems, "not_counted", tr("Reports that do not count"), 1)
        self.chart = ChartPanel(self.document.drawing, "estimate_chart")
        self.poisoning = PoisoningPanel()
        self.biased = name_widget(QLabel(wordWrap=True), "biased_words")
        self.biased.setText(
            tr(
                "Estimates are unbiased; negative ones are kept. The consistent numbers are not negative and add up, "
                "and are biased by that: look at them, but compute with the estimates."
            )
        )
        self.empty = EmptyState(
            tr("Nothing is counted yet."), tr("Go to Collect"), lambda: self.go.emit("collect"), icon="utility"
        )
        self._lay_out()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        for widget in (self.file_button, self.folder_button, self.run_button):
            row.addWidget(widget)
        row.addWidget(self.about, 1)
        row.addWidget(self.question)
        numbers = QWidget()
        column = QVBoxLayout(numbers)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table, 1)
        column.addWidget(self.biased)
        column.addWidget(section(tr("Made-up reports"), self.poisoning))
        self.tabs = name_widget(QTabWidget(documentMode=True), "estimate_tabs")
        self.tabs.addTab(numbers, tr("Estimates"))
        self.tabs.addTab(self.problem_table, tr("Not counted"))
        split = name_widget(QSplitter(childrenCollapsible=False), "estimate_splitter")
        split.addWidget(self.tabs)
        split.addWidget(self.chart)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 1)
        filled = QWidget()
        inside = QVBoxLayout(filled)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.notes)
        inside.addWidget(split, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(filled)
        layout = QVBoxLayout(self)
        layout.addLayout(row)
        layout.addWidget(self.stack, 1)

    def _connect(self) -> None:
        self.file_button.clicked.connect(self.import_file)
        self.folder_button.clicked.connect(self.import_folder)
        self.run_button.clicked.connect(self.estimate)
        self.question.activated.connect(lambda _at: self._show_result())

    def _show(self, changed: frozenset[str]) -> None:
        if self.document.room != _ROOM:
            return
        collected, table = reports_among(self.document.files), self.document.table
        can = bool(self.document.project.questions) and (collected is not None or isinstance(table, Table))
        self.run_button.setEnabled(can)
        self.about.setText(_about(collected, table))
        release = self.document.selected
        is_other = release is not self._release
        self._release = release
        self.stack.setCurrentIndex(int(release is not None))
        self.question.setVisible(release is not None)
        if is_other:
            self.question.clear()
            self.question.addItems([each.question.name for each in release.results] if release is not None else [])
            self.question.make_room()
        self.notes.show_note("warn", " ".join(tr(note) for note in release.notes) if release is not None else "")
        heads = [tr("Where"), tr("Why it does not count")]
        listed = [] if release is None else [[each.place, tr(each.sentence)] for each in release.problems]
        self.problems.show_rows(heads, listed)
        self.tabs.setTabText(1, tr("Not counted ({reports})", reports=len(listed)))
        self._show_result()

    def _show_result(self) -> None:
        at = self.question.currentIndex()
        result = self._release.results[at] if self._release is not None and at >= 0 else None
        self.poisoning.show_result(self._release, result)
        if result is None:
            self.model.show_rows([], [])
            self.chart.show_plot(None)
            return
        source = self.document.project.source
        mark = str(source.options.get("decimal", ".")) if source is not None else "."
        true = true_answer(result.question, self.document.table, result.n, mark)
        heads = [tr("Answer"), tr("Estimated"), tr("From"), tr("To"), tr("Consistent (biased)")]
        rows = [
            [name_of(cell, result), *numbers_of(cell, result), written(cell.consistent, result)]
            for cell in result.cells
        ]
        if true is not None:
            heads.append(tr("True"))
            rows = [[*row, written(number, result)] for row, number in zip(rows, true, strict=True)]
        self.model.show_rows(heads, rows)
        self.chart.show_plot(plot_of(result, true))


def plot_of(result: QuestionEstimates, true: list[float] | None = None) -> Estimates:
    """Draw the estimates of a question, with the truth beside them where it is known."""
    is_count = bool(result.question.domain)
    return Estimates(
        tr("{question} – {n:report|reports}", question=result.question.text or result.question.name, n=result.n),
        [name_of(cell, result) for cell in result.cells],
        [cell.estimate for cell in result.cells],
        [WIDTH95 * cell.sd for cell in result.cells],
        {} if true is None else {tr("True"): true},
        y=tr("people") if is_count else "",
    )


def name_of(cell: Estimate, result: QuestionEstimates) -> str:
    """Give the answer, or say that the number is a mean."""
    return cell.value if result.question.domain else tr("mean")


def numbers_of(cell: Estimate, result: QuestionEstimates) -> list[str]:
    """Write the estimate and the ends of its interval, so that they stand below each other."""
    return [written(number, result) for number in (cell.estimate, cell.low, cell.high)]


def written(number: float, result: QuestionEstimates) -> str:
    """Write a number of people with one decimal, the mean of a number with six digits."""
    return format_decimal(number, 1) if result.question.domain else format_significant(number, 6)


def _about(collected: Any, table: Any) -> str:
    if collected is not None:
        return tr("{reports:report|reports} came back.", reports=len(collected.records) + len(collected.problems))
    if isinstance(table, Table):
        return tr("No reports came back yet; they would be drawn from the table, row by row.")
    return tr("There are no reports yet: hand out the form, and import what comes back.")


def _is_survey(document: Document) -> bool:
    return document.room == _ROOM


def _has_files(document: Document) -> bool:
    return document.room == _ROOM and bool(document.files) and bool(document.project.questions)


ACTIONS = (
    Action(
        "estimate.import", "Import Reports…", lambda page: page.import_file(), "Survey", "reports", "import",
        status_tip="Read reports that came back", enabled=_is_survey, reason="Open a survey first.", page="estimate",
    ),
    Action(
        "estimate.folder", "Import Folder of Reports…", lambda page: page.import_folder(), "Survey", "reports", "open",
        status_tip="Read all reports of a folder", enabled=_is_survey, reason="Open a survey first.", page="estimate",
    ),
    Action(
        "estimate.run", "Estimate", lambda page: page.estimate(), "Survey", "reports", "run", "Ctrl+R",
        "Count the reports and estimate", _has_files, "There are no reports yet.", "estimate",
    ),
)  # fmt: skip
