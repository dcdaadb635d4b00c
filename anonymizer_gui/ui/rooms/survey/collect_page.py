"""The second step: the form that respondents get, the protocol in writing, and what programs need."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QFileDialog,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.survey.collection import Collection, html_form, protocol_document
from anonymizer_gui.engine.storage.json_io import indented_json
from anonymizer_gui.engine.storage.saving import write_text
from anonymizer_gui.engine.storage.sources import refuse_overwrite
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.dialogs.file_dialogs import start_folder
from anonymizer_gui.ui.i18n import error_text, format_significant, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.layout import scroll_column, section
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.number_fields import in_row
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.engine_tasks import own_files

_ROOM = "survey"
TextMaker = Callable[[Collection], str]


class CollectPage(Page):
    """What respondents read at the left, the protocol in writing at the right."""

    name = "collect"
    title = "Collect"
    order = 20
    icon = "export"
    help = "survey/collect"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say whether there is a form to hand out."""
        if document.room != _ROOM or not document.project.questions:
            return StepStatus(StepState.EMPTY, tr("Ask something first."))
        return StepStatus(StepState.READY, tr("Hand out the form"))

    def save_form(self) -> None:
        """Ask where the form is to be written."""
        language = self.language.currentData()
        self._ask(tr("Save the Form"), "form.html", lambda collection: html_form(collection, language))

    def save_protocol(self) -> None:
        """Ask where the protocol is to be written down."""
        self._ask(tr("Save the Protocol"), "protocol.md", protocol_document)

    def save_survey(self) -> None:
        """Ask where the description is to be written that programs read."""
        self._ask(tr("Save the Survey"), "survey.json", lambda collection: indented_json(collection.to_json()) + "\n")

    def write(self, path: Path, make: TextMaker) -> None:
        """Write what is made of the collection."""
        if self.collection is not None:
            self.document.jobs.start(
                tr("Write {name}", name=path.name),
                _write,
                self.collection,
                path,
                make,
                own_files(self.document),
                on_done=lambda _done: self._tell(path.name),
            )

    def _tell(self, name: str) -> None:
        self.document.messages.info(tr("{name} is written.", name=name))

    def _build(self) -> None:
        self.collection: Collection | None = None
        self.heading = name_widget(QLineEdit(), "survey_title", spoken=tr("Title"))
        self.intro = name_widget(
            QPlainTextEdit(tabChangesFocus=True), "survey_intro", spoken=tr("Words for respondents")
        )
        self.intro.setFixedHeight(self.fontMetrics().lineSpacing() * 5)
        self.keep_button = name_widget(QPushButton(tr("Take Words")), "take_words", tip=tr("Use what is typed above"))
        self.language = name_widget(WidePopupComboBox(), "form_language", spoken=tr("Language of the form"))
        for title, code in ((tr("That of the browser"), ""), ("English", "en"), ("Deutsch", "de")):
            self.language.addItem(title, code)
        self.language.make_room()
        self.problem, self.facts = InlineMessage(), name_widget(QLabel(wordWrap=True), "form_facts")
        self.form_button = name_widget(QPushButton(tr("Save Form…"), default=True), "save_form")
        self.protocol_button = name_widget(QPushButton(tr("Save Protocol…")), "save_protocol")
        self.survey_button = name_widget(QPushButton(tr("Save Survey…")), "save_survey")
        self.protocol = name_widget(
            QPlainTextEdit(readOnly=True), "protocol_text", spoken=tr("The protocol in writing")
        )
        self.protocol.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._lay_out()

    def _lay_out(self) -> None:
        inside = QWidget()
        form = QFormLayout(inside)
        form.setContentsMargins(0, 0, 0, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for widget in (self.heading, self.intro, self.language):
            label = QLabel(widget.accessibleName())
            label.setBuddy(widget)
            form.addRow(label, widget)
            if widget is self.intro:
                form.addRow("", in_row(self.keep_button))
        buttons = in_row(self.form_button, self.survey_button, self.protocol_button)
        left = section(tr("The form"), inside, self.problem, buttons, self.facts)
        split = name_widget(QSplitter(childrenCollapsible=False), "collect_splitter")
        split.addWidget(scroll_column(left))
        split.addWidget(section(tr("The protocol in writing"), self.protocol))
        split.setStretchFactor(1, 1)
        QVBoxLayout(self).addWidget(split)

    def _connect(self) -> None:
        self.heading.editingFinished.connect(lambda: self._edit(title=self.heading.text().strip()))
        self.keep_button.clicked.connect(lambda: self._edit(intro=self.intro.toPlainText().strip()))
        self.form_button.clicked.connect(self.save_form)
        self.protocol_button.clicked.connect(self.save_protocol)
        self.survey_button.clicked.connect(self.save_survey)

    def _show(self, changed: frozenset[str]) -> None:
        if self.document.room != _ROOM:
            return
        project = self.document.project
        self.heading.setText(project.title)
        self.heading.setPlaceholderText(project.name)
        if not self.intro.hasFocus():
            self.intro.setPlainText(project.intro)
        try:
            self.collection, problem = project.collection(), ""
        except AnonymizerError as error:
            self.collection, problem = None, error_text(error)
        self.problem.show_note("bad", problem)
        for button in (self.form_button, self.protocol_button, self.survey_button):
            button.setEnabled(self.collection is not None)
        self.protocol.setPlainText(protocol_document(self.collection) if self.collection is not None else "")
        self.facts.setText("" if self.collection is None else _facts(self.collection))

    def _edit(self, **fields: Any) -> None:
        if any(getattr(self.document.project, name) != value for name, value in fields.items()):
            self.document.edit(tr("Change the words of the form"), **fields)

    def _ask(self, title: str, name: str, make: TextMaker) -> None:
        dialog = QFileDialog(self, title, start_folder(self))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(name.rpartition(".")[2])
        dialog.selectFile(name)
        dialog.fileSelected.connect(lambda path: self.write(Path(path), make))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()


def _facts(collection: Collection) -> str:
    return tr(
        "One file that works in any browser without network. It changes the answers by chance before anything can be "
        "sent, shows respondents what would be sent and why it proves nothing, and gives the same report when it is "
        "used again. Reports belong to survey {fingerprint} and cost epsilon {epsilon}.\n\n"
        "Without a browser: anonymizer-gui ldp perturb draws the same reports for a table, and anybody can build a "
        "client from the protocol in writing.",
        fingerprint=collection.fingerprint,
        epsilon=format_significant(float(collection.epsilon), 4),
    )


def _write(collection: Collection, path: Path, make: TextMaker, own: list[Path], progress: Progress) -> None:
    progress(0.0, "Writing the form")
    refuse_overwrite([path], own)
    write_text(path, make(collection))


def _has_questions(document: Document) -> bool:
    return document.room == _ROOM and bool(document.project.questions)


ACTIONS = (
    Action(
        "collect.save_form", "Save Form…", lambda page: page.save_form(), "Survey", "form", "export",
        status_tip="Write the form for respondents", enabled=_has_questions, reason="Ask something first.",
        page="collect",
    ),
    Action(
        "collect.save_protocol", "Save Protocol…", lambda page: page.save_protocol(), "Survey", "form", "report",
        status_tip="Write the protocol down for programmers", enabled=_has_questions, reason="Ask something first.",
        page="collect",
    ),
)  # fmt: skip
