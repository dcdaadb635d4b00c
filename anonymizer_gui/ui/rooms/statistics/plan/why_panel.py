"""Why a question can move as far as it can, and for learning how far it moves around this very table."""

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.rooms.statistics.benches.local_sensitivity import LocalSensitivity, local_sensitivity
from anonymizer_gui.engine.rooms.statistics.cost_preview import QuestionPreview
from anonymizer_gui.ui.i18n import error_text, format_significant, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.document import Document


class WhyPanel(QWidget):
    """The sentence why, a button that tries neighbours of the table, and what that gave, marked as not for release."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._seen: QuestionPreview | None = None
        self.why = name_widget(QLabel(wordWrap=True), "why")
        self.button = name_widget(QPushButton(tr("Local Sensitivity")), "local_sensitivity")
        self.button.setToolTip(tr("For learning: try the neighbours of this table, and compare with S"))
        self.local = InlineMessage()
        row = QHBoxLayout()
        row.addWidget(self.why, 1)
        row.addWidget(self.button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.local)
        self.button.clicked.connect(self.try_neighbours)

    def show_question(self, seen: QuestionPreview | None) -> None:
        """Say why one question is as sensitive as it is; nothing is tried unasked."""
        if seen != self._seen:
            self.local.show_note("warn", "")
        self._seen = seen
        self.button.setEnabled(seen is not None and seen.problem is None)
        if seen is None:
            self.why.setText(tr("Choose a question to read why it can move as far as it can."))
        else:
            self.why.setText(error_text(seen.problem) if seen.problem is not None else f"S: {tr(seen.why)}")

    def try_neighbours(self) -> None:
        """Try the neighbours of the table."""
        document = self._document
        if self._seen is not None and document.table is not None:
            document.jobs.start(
                tr("Try neighbours"),
                local_sensitivity,
                self._seen.asked,
                document.project,
                document.table,
                on_done=self._on_tried,
                on_error=self._on_failed,
                replace_key="local sensitivity",
            )

    def _on_tried(self, found: LocalSensitivity) -> None:
        if self._seen is not None:
            words = tr(
                "Around the first {rows:row|rows} of this table the answer moves by at most {local}, and S is {most}. "
                "For learning only, not for release: this number, and noise of its size, tell something about the "
                "table.",
                rows=found.rows,
                local=format_significant(float(found.sensitivity), 4),
                most=format_significant(float(self._seen.sensitivity), 4),
            )
            self.local.show_note("warn", words)

    def _on_failed(self, error: BaseException) -> None:
        if isinstance(error, AnonymizerError):
            self.local.show_note("bad", error_text(error))
        else:
            self._document.jobs.tell(error)
