"""How a question comes into the plan: typed in words, or put together in a form."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion
from anonymizer_gui.engine.rooms.statistics.question import DEFAULT_DATA_KIND, QUESTIONS, questions_about
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question, question_text
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.layout import clear_layout
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.param_form import ParamForm

_FIRST = "count"


class WordsLine(QWidget):
    """A line for the words of a question, as the command line takes them."""

    asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.shape = DEFAULT_DATA_KIND
        self.line = name_widget(QLineEdit(), "ask", spoken=tr("A question in words"))
        self.button = name_widget(QPushButton(tr("Ask")), "ask_button", tip=tr("Add the question to the plan"))
        self.mistake = InlineMessage()
        row = QHBoxLayout()
        row.addWidget(self.line, 1)
        row.addWidget(self.button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.mistake)
        self.line.returnPressed.connect(self._on_asked)
        self.button.clicked.connect(self._on_asked)
        self.line.textEdited.connect(lambda _text: self.mistake.show_note("bad", ""))
        self.show_shape(DEFAULT_DATA_KIND)

    def show_shape(self, shape: str) -> None:
        """Take questions about a shape of data, and show one of them."""
        self.shape = shape
        examples = {kind.verbs[0]: kind.example for kind in questions_about(shape) if kind.example}
        example = examples.get(_FIRST) or next(iter(examples.values()), "")
        self.line.setPlaceholderText(tr("A question in words, such as {example}", example=example))

    def _on_asked(self) -> None:
        if not self.line.text().strip():
            return
        try:
            asked = parse_question(self.line.text(), self.shape)
        except AnonymizerError as error:
            self.mistake.show_note("bad", error_text(error))
            return
        self.line.clear()
        self.asked.emit(asked)


class QuestionForm(QWidget):
    """The kinds of questions there are, with the fields of the one that is chosen."""

    asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.kind = name_widget(WidePopupComboBox(), "question_kind", spoken=tr("Kind of question"))
        self.summary = QLabel(wordWrap=True)
        self.careful = InlineMessage()
        self.words = name_widget(QLabel(wordWrap=True), "question_words")
        self.button = name_widget(QPushButton(tr("Add Question")), "add_question")
        self.form: ParamForm | None = None
        self._columns: tuple[str, ...] = ()
        self._shape = ""
        self._place = QVBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in (self.kind, self.summary, self.careful):
            layout.addWidget(widget)
        layout.addLayout(self._place)
        layout.addWidget(self.words)
        layout.addWidget(self.button)
        layout.addStretch()
        self.kind.currentIndexChanged.connect(self._show_form)
        self.button.clicked.connect(self._on_added)

    def show_columns(self, columns: Sequence[str], shape: str) -> None:
        """Offer the questions about a shape of data, and its columns."""
        if (tuple(columns), shape) == (self._columns, self._shape):
            return
        self._columns, self._shape = tuple(columns), shape
        chosen = self.kind.currentData()
        self.kind.blockSignals(True)
        self.kind.clear()
        for kind in questions_about(shape):
            self.kind.addItem(tr(kind.title), kind.name)
        self.kind.setCurrentIndex(max(self.kind.findData(chosen or _FIRST), 0))
        self.kind.blockSignals(False)
        self.kind.make_room()
        self._show_form()

    def choose(self, name: str) -> None:
        """Show the form of one kind of question."""
        self.kind.setCurrentIndex(self.kind.findData(name))

    def _show_form(self) -> None:
        clear_layout(self._place)
        declared = QUESTIONS.get(self.kind.currentData())
        self.summary.setText(tr(declared.summary))
        self.careful.show_note("warn", tr(declared.why_careful) if declared.why_careful else "")
        self.form = ParamForm(declared, columns=self._columns)
        self.form.changed.connect(lambda _value: self._show_words())
        self.form.invalid.connect(lambda _error: self._show_words())
        self._place.addWidget(self.form)
        self._show_words()

    def _show_words(self) -> None:
        asked, why = self._asked()
        self.words.setText(question_text(asked) if asked else why)
        self.button.setEnabled(asked is not None)

    def _asked(self) -> tuple[PlannedQuestion | None, str]:
        if self.form is None or self.form.error:
            return None, self.form.error if self.form else ""
        try:
            asked = PlannedQuestion(self.form.value())
            question_text(asked)
            if not all(asked.question.columns()):
                return None, tr("Choose the column it is about.")
        except AnonymizerError as error:
            return None, error_text(error)
        return asked, ""

    def _on_added(self) -> None:
        asked, _ = self._asked()
        if asked is not None:
            self.asked.emit(asked)
