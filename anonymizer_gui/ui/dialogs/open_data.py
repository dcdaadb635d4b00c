"""Opening a file of a room: shown as it will be read, while one changes how it is read."""

from abc import abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QSplitter, QVBoxLayout, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.layout import VerticalScrollArea, resize_in_text_lines
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.param_form import ParamForm
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Work

_OPEN, _CANCEL = QDialogButtonBox.StandardButton.Open, QDialogButtonBox.StandardButton.Cancel


class OpenDataDialog(QDialog):
    """How the file is read at the left, what that makes of it at the right; the room brings both."""

    room: ClassVar[str]
    title: ClassVar[str]
    options: ClassVar[type]
    """How files of the room are read: a data class of parameters."""
    tone: ClassVar[str] = "warn"
    """Of what reading found."""
    lines: ClassVar[tuple[int, int]] = (52, 30)

    def __init__(self, document: Document, source: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"open_{self.room}")
        self.setWindowTitle(tr(self.title))
        self._document, self._source = document, source
        self.form = ParamForm(self.options)
        self._place = QVBoxLayout()
        self.counts = name_widget(QLabel(wordWrap=True), f"open_{self.room}_counts")
        self.note = InlineMessage()
        self.buttons = QDialogButtonBox(_OPEN | _CANCEL)
        self._build()
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.finished.connect(self.deleteLater)
        self._start(self.sniff, Path(source), then=self._on_sniffed)

    @abstractmethod
    def preview(self) -> QWidget:
        """Make what shows the file."""

    @staticmethod
    @abstractmethod
    def sniff(path: Path, progress: Any) -> tuple[Any, tuple[str, ...]]:
        """Propose how a file is read, and name its columns."""

    @staticmethod
    @abstractmethod
    def look(path: Path, options: Any, progress: Any) -> tuple[Any, Any]:
        """Read what is shown, and what was found on the way."""

    @abstractmethod
    def show_data(self, data: Any, found: Any) -> str:
        """Show what was read, and count it in words; nothing where it could not be read."""

    def accept(self) -> None:
        """Open the whole file as the form says."""
        options = self.form.value()
        if options is not None:
            self._document.open_table(self._source, options, room=self.room)
            super().accept()

    def _build(self) -> None:
        self.buttons.button(_OPEN).setText(tr("Open"))
        self.buttons.button(_CANCEL).setText(tr("Cancel"))
        theme.strip_button_icons(self.buttons)
        split = name_widget(QSplitter(childrenCollapsible=False), f"open_{self.room}_splitter")
        side = QWidget()
        side.setLayout(self._place)
        split.addWidget(VerticalScrollArea(side))
        split.addWidget(self.preview())
        split.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.addWidget(name_widget(QLabel(tr("“{name}”", name=Path(self._source).name)), f"open_{self.room}_file"))
        layout.addWidget(split, 1)
        for widget in (self.counts, self.note, self.buttons):
            layout.addWidget(widget)
        resize_in_text_lines(self, *self.lines)

    def _start(self, work: Work, *of: object, then: Any) -> None:
        key = f"look at {self.room}"
        self._document.jobs.start("", work, *of, on_done=then, on_error=self._on_error, replace_key=key)

    def _on_sniffed(self, proposed: tuple[Any, tuple[str, ...]]) -> None:
        """Show the proposal in a form that offers the columns of the file."""
        options, columns = proposed
        self.form.deleteLater()
        self.form = ParamForm(self.options, options, columns=columns)
        self.form.changed.connect(lambda _value: self._look())
        self.form.invalid.connect(lambda text: self.note.show_note("bad", text))
        self._place.addWidget(self.form)
        self._place.addStretch()
        self._look()

    def _look(self) -> None:
        options = self.form.value()
        if options is not None:
            self._start(self.look, Path(self._source), options, then=self._on_seen)

    def _on_seen(self, seen: tuple[Any, Any]) -> None:
        data, found = seen
        self.counts.setText(self.show_data(data, found))
        self.note.show_note(self.tone, " ".join(tr(problem) for problem in found.problems))
        self.buttons.button(_OPEN).setEnabled(True)

    def _on_error(self, error: BaseException) -> None:
        self.counts.setText(self.show_data(None, None))
        self.note.show_note("bad", error_text(error))
        self.buttons.button(_OPEN).setEnabled(False)
