"""Preparing the table: steps of cleaning, filtering and sampling, each tried on the table before it is taken."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.room import ReadFile
from anonymizer_gui.engine.rooms.microdata.masking.contract import STEPS, Step
from anonymizer_gui.engine.rooms.microdata.masking.steps import (
    change_examples,
    change_text,
    step_changes,
    steps_of,
    with_steps,
)
from anonymizer_gui.engine.rooms.microdata.project import TABLE
from anonymizer_gui.engine.storage.sources import Source
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import error_text, format_integer, tr, translated_label
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.param_form import ParamForm
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.engine_tasks import read_file_task

_WIDTH, _HEIGHT = 760, 460
_EXAMPLES = 4


class PrepareDialog(QDialog):
    """Shows the steps there are with what each changed, and lets one add and remove some."""

    chosen = Signal(object)
    """Carries the table as it was read and prepared."""

    def __init__(self, document: Document, source: Source, columns: tuple[str, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("prepare_dialog")
        self.setWindowTitle(tr("Prepare the Table"))
        self._document, self._source = document, source
        self._read: ReadFile | None = None
        self.steps = list(steps_of(source))
        self.listed = name_widget(
            QListWidget(), "prepare_steps", spoken=tr("Steps, in the order in which they are done")
        )
        self.listed.setWordWrap(True)
        self.kind = name_widget(QComboBox(), "prepare_kind", spoken=tr("Step"))
        self.forms = QStackedWidget()
        self._forms: list[ParamForm] = []
        self.add = name_widget(QPushButton(tr("Add")), "prepare_add")
        self.remove = name_widget(QPushButton(tr("Remove")), "prepare_remove")
        self.summary = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "prepare_summary")
        self.note = InlineMessage()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._fill(columns)
        self._lay_out()
        self._connect()
        self._show(source)
        self.resize(_WIDTH, _HEIGHT)
        self.finished.connect(self.deleteLater)

    def accept(self) -> None:
        """Give the table as the steps made it."""
        super().accept()
        if self._read is not None:
            self.chosen.emit(self._read)

    def _fill(self, columns: tuple[str, ...]) -> None:
        is_held = self._document.table is not None and self._document.table.is_sample
        for declared in (step for step in STEPS if step.is_by_value or not is_held):
            self.kind.addItem(tr(declared.title), declared.name)
            page = QWidget()
            layout = QVBoxLayout(page)
            layout.setContentsMargins(0, 0, 0, 0)
            layout.addWidget(QLabel(tr(declared.summary), wordWrap=True))
            self._forms.append(ParamForm(declared, columns=columns))
            layout.addWidget(self._forms[-1])
            layout.addStretch(1)
            self.forms.addWidget(page)

    def _lay_out(self) -> None:
        left, right = QVBoxLayout(), QVBoxLayout()
        left.addWidget(
            QLabel(tr("Every time the table is read, these steps are done, one after the other:"), wordWrap=True)
        )
        left.addWidget(self.listed, 1)
        left.addWidget(self.remove, 0, Qt.AlignmentFlag.AlignLeft)
        left.addWidget(self.summary)
        for widget in (self.kind, self.forms):
            right.addWidget(widget, int(widget is self.forms))
        right.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        halves = QHBoxLayout()
        halves.addLayout(left, 1)
        halves.addLayout(right, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(halves, 1)
        layout.addWidget(self.note)
        layout.addWidget(self.buttons)
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setText(tr("Cancel"))
        theme.strip_button_icons(self.buttons)

    def _connect(self) -> None:
        self.kind.currentIndexChanged.connect(self.forms.setCurrentIndex)
        self.add.clicked.connect(self._on_add)
        self.remove.clicked.connect(self._on_remove)
        self.listed.currentRowChanged.connect(lambda row: self.remove.setEnabled(row >= 0))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def form(self) -> ParamForm:
        """The form of the step that would be added."""
        return self._forms[self.forms.currentIndex()]

    def _on_add(self) -> None:
        step: Step | None = self.form().value()
        if step is None:
            self.note.show_note("bad", self.form().error)
        else:
            self._try([*self.steps, step.with_secret_seed()])

    def _on_remove(self) -> None:
        row = self.listed.currentRow()
        self._try([step for place, step in enumerate(self.steps) if place != row])

    def _try(self, steps: list[Step]) -> None:
        """Read the table with other steps; they are taken when that works."""
        self.note.show_note("bad", "")
        self._wait(True)
        source = with_steps(self._source, steps)

        def done(tried: tuple[ReadFile, list[tuple[str, str, int]]]) -> None:
            read, examples = tried
            self.steps, self._read = steps, read
            self._show(read.source)
            words = tr("The table then has {rows:row|rows}.", rows=format_integer(read.data.n_whole))
            self.summary.setText(f"{words} {_told_by(examples)}".strip())
            self._wait(False)

        def failed(error: BaseException) -> None:
            self._wait(False)
            self.note.show_note("bad", error_text(error))

        read_with_steps = read_file_task(self._document.room, TABLE, source)

        def work(progress: Progress) -> tuple[ReadFile, list[tuple[str, str, int]]]:
            read = read_with_steps(progress)
            return read, change_examples(read.data, steps[-1].touched(), _EXAMPLES) if steps else []

        self._document.jobs.start(tr("Prepare the table"), work, on_done=done, on_error=failed, replace_key="prepare")

    def _wait(self, is_waiting: bool) -> None:
        for widget in (self.add, self.listed, self.buttons.button(QDialogButtonBox.StandardButton.Ok)):
            widget.setEnabled(not is_waiting)
        self.remove.setEnabled(not is_waiting and self.listed.currentRow() >= 0)

    def _show(self, source: Source) -> None:
        self.listed.clear()
        for step, *counts in step_changes(source):
            self.listed.addItem(f"{tr(step.sentence())}\n{tr(change_text(step, *counts))}")
        self.remove.setEnabled(False)


def _told_by(examples: list[tuple[str, str, int]]) -> str:
    """Say by examples what the last step made of cells, so that it can be judged before it is taken."""
    pairs = [
        f"{translated_label(was)} → {translated_label(now)} ({format_integer(rows)})" for was, now, rows in examples
    ]
    return tr("For example: {pairs}.", pairs=", ".join(pairs)) if pairs else ""
