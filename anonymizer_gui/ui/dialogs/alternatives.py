"""Several ways are tried, and stand side by side with what each loses; one of them is taken."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Work

_OK, _CANCEL = QDialogButtonBox.StandardButton.Ok, QDialogButtonBox.StandardButton.Cancel


@dataclass(frozen=True, slots=True)
class AlternativesTexts:
    """What a dialog of ways says, to be translated."""

    title: str
    about: str
    """What one has to know to choose."""
    head: tuple[str, ...]
    """The columns of the table: the first names a way, the others are numbers."""
    spoken: str
    """What the table is to those who cannot see it."""
    job: str
    waiting: str
    take: str


class AlternativesDialog(QDialog):
    """A row for each way, filled when all were tried; the chosen one can be taken."""

    chosen = Signal(object)
    """Carries what is taken of the chosen way."""
    name: ClassVar[str]
    words: ClassVar[AlternativesTexts]
    lines: ClassVar[tuple[int, int]]
    """How wide and high it opens, in lines of text."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"{self.name}_dialog")
        self.setWindowTitle(tr(self.words.title))
        self._found: tuple[Any, ...] = ()
        self.model = TextTableModel([tr(each) for each in self.words.head], range(1, len(self.words.head)))
        self.view = text_table_view(self.model, self.name, tr(self.words.spoken), 0)
        self.note = InlineMessage()
        self.buttons = QDialogButtonBox(_OK | _CANCEL)
        self._build()
        work, *of = self.work(document)
        self._job = document.jobs.start(
            tr(self.words.job), work, *of, on_done=self._on_found,
            on_error=lambda error: self.note.show_note("bad", error_text(error)), replace_key=self.name,
        )  # fmt: skip
        self.finished.connect(lambda _result: self._job.cancel())
        self.finished.connect(self.deleteLater)

    @abstractmethod
    def work(self, document: Any) -> tuple[Work, *tuple[Any, ...]]:
        """Give the function that tries all ways, and what it is called with before its progress."""

    @abstractmethod
    def row(self, way: Any) -> tuple[str, ...]:
        """Tell a way and what it loses."""

    @abstractmethod
    def taken(self, way: Any) -> object | None:
        """Give what is taken of a way, None where it cannot be taken."""

    def accept(self) -> None:
        """Take the chosen way."""
        at = self.view.currentIndex().row()
        taken = self.taken(self._found[at]) if 0 <= at < len(self._found) else None
        if taken is not None:
            super().accept()
            self.chosen.emit(taken)

    def _build(self) -> None:
        self.buttons.button(_OK).setText(tr(self.words.take))
        self.buttons.button(_OK).setEnabled(False)
        self.buttons.button(_CANCEL).setText(tr("Cancel"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        theme.strip_button_icons(self.buttons)
        self.view.selectionModel().currentChanged.connect(lambda *_rows: self._enable())
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(tr(self.words.about), wordWrap=True))
        layout.addWidget(self.view, 1)
        layout.addWidget(self.note)
        layout.addWidget(self.buttons)
        self.note.show_note("info", tr(self.words.waiting))
        resize_in_text_lines(self, *self.lines)

    def _on_found(self, found: tuple[Any, ...]) -> None:
        self._found = found
        self.note.show_note("info", "")
        self.model.show_rows([self.row(each) for each in found])
        self.view.selectRow(0)
        self._enable()

    def _enable(self) -> None:
        """Let only a way be taken that can be."""
        at = self.view.currentIndex().row()
        self.buttons.button(_OK).setEnabled(0 <= at < len(self._found) and self.taken(self._found[at]) is not None)
