"""The three questions with their figures, below each other."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from anonymizer_gui.engine.rooms.microdata.policies.questions import SOURCE, Question
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.layout_pieces import emptied
from anonymizer_gui.ui.widgets.named import named


class QuestionCards(QWidget):
    """A bold question each, with the sentences that answer it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("policy_questions")
        self.lines: list[QLabel] = []
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)

    def show_questions(self, questions: Sequence[Question]) -> None:
        """Show the answers; without any, that there is nothing to look at yet."""
        emptied(self._rows)
        self.lines = []
        if not questions:
            self._add(tr("The figures are counted from a release: run an algorithm first."), "question_none")
        for question in questions:
            head = self._add(tr(question.title), f"question_{question.name}")
            font = head.font()
            font.setBold(True)
            head.setFont(font)
            self._add("\n".join(tr(sentence) for sentence in question.sentences), f"answer_{question.name}")
        if questions:
            self._add(SOURCE, "question_source")
        self._rows.addStretch(1)

    def _add(self, text: str, name: str) -> QLabel:
        line = named(QLabel(text, wordWrap=True, textFormat=Qt.TextFormat.PlainText), name)
        line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._rows.addWidget(line)
        self.lines.append(line)
        return line
