"""Checks a released file against its certificate, as anybody can who has both."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QListWidget, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.releases.verification import Verification, verify_release
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.document import Document


class VerifyDialog(QDialog):
    """Says whether a file is what its certificate says, and lists what differs."""

    def __init__(self, document: Document, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("verify_release")
        self.setWindowTitle(tr("Verify a Release"))
        self.setWindowIcon(theme.icon("check"))
        self._path = path
        self.verdict, self.list = (
            InlineMessage(),
            name_widget(QListWidget(), "differences", spoken=tr("Differences and exceptions")),
        )
        self.signed = name_widget(QLabel(wordWrap=True), "signed_by")
        self.unchecked = name_widget(QLabel(wordWrap=True), "unchecked")
        self.taken = name_widget(QLabel(wordWrap=True), "not_measured")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        name = QLabel(path.name, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        name.setToolTip(plain_text(str(path)))
        for widget in (name, self.verdict, self.signed, self.list, self.unchecked, self.taken, buttons):
            layout.addWidget(widget)
        theme.strip_button_icons(buttons)
        self.list.setWordWrap(True)
        self.list.hide()
        self.unchecked.hide()
        self.taken.hide()
        resize_in_text_lines(self, 36, 14)
        self.verdict.show_note("info", tr("The file is being measured again…"))
        document.jobs.start(
            tr("Verify {name}", name=path.name),
            _verify,
            path,
            on_done=self.show_verification,
            on_error=self._on_error,
            replace_key="verify",
        )

    def show_verification(self, found: Verification) -> None:
        """Say what was found."""
        tone = "bad" if not found.holds else "warn" if found.exceptions or found.other_version else "good"
        self.verdict.show_note(tone, tr(found.verdict))
        self.signed.setText(tr(found.signed))
        self.taken.setText(tr(found.taken) if found.taken and found.holds else "")
        self.taken.setVisible(bool(self.taken.text()))
        self.list.clear()
        listed = found.differences or found.exceptions
        self.list.addItems([tr(each) for each in listed])
        self.list.setVisible(bool(listed))
        if listed:
            resize_in_text_lines(self, 44, 24)
        goals = ", ".join(tr(goal) for goal in found.unchecked)
        self.unchecked.setText(tr("Not checked, it needs more than the file: {goals}.", goals=goals) if goals else "")
        self.unchecked.setVisible(bool(goals))

    def _on_error(self, error: BaseException) -> None:
        self.verdict.show_note("bad", error_text(error))


def _verify(path: Path, progress: Progress) -> Verification:
    return verify_release(path, progress=progress)
