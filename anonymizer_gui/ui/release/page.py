"""Which keys and which ledger an export is given; the document holds them, the project never does."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.projects.opening import is_from_database
from anonymizer_gui.engine.releases.export import ExportResult, NotReady, export_command, export_script
from anonymizer_gui.engine.releases.ledger.releases import LedgerChanged
from anonymizer_gui.engine.releases.signing import fingerprint, make_signing_key
from anonymizer_gui.engine.room import Finding, ReleaseCandidate, room_of
from anonymizer_gui.engine.storage.keys import make_key
from anonymizer_gui.engine.storage.saving import write_text
from anonymizer_gui.engine.storage.sources import refuse_overwrite
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.dialogs.file_dialogs import ask_file, ask_target
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.release.release_history import ReleaseHistoryDialog, ReleaseSelector
from anonymizer_gui.ui.room_view import view_of_document
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text, show_file_name
from anonymizer_gui.ui.widgets.check_list import CheckList
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines, scroll_column, section
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.engine_tasks import ExportSafeguards, own_files
from anonymizer_gui.workspace.export_jobs import check_candidate, export_release
from anonymizer_gui.workspace.jobs import post_error


class SafeguardsForm(QWidget):
    """Key file, ledger and signing key, each chosen or made."""

    chosen = Signal(object)
    """Carries what is chosen of key_file, ledger_file and signing_file."""
    failed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.key_label, self.ledger_label, self.signing_label = (QLabel(tr("none")) for _ in range(3))
        choose, make, none = tr("Choose…"), tr("Make…"), tr("Clear")
        key, ledger = tr("Key file"), tr("Ledger of releases")
        self.choose_key = _button(choose, key, lambda: ask_file(self, tr("Choose the Key File"), self.set_key_file))
        self.make_key = _button(make, key, lambda: ask_file(self, tr("Make a Key File"), self.new_key, new=True))
        self.choose_ledger = _button(
            choose, ledger, lambda: ask_file(self, tr("Choose or Make the Ledger"), self.set_ledger_file, new=True)
        )
        self.no_ledger = _button(none, ledger, lambda: self.set_ledger_file(""))
        self.no_ledger.setEnabled(False)
        signing = tr("Signing key")
        self.choose_signing = _button(
            choose, signing, lambda: ask_file(self, tr("Choose the Signing Key"), self.set_signing_file)
        )
        self.make_signing = _button(
            make, signing, lambda: ask_file(self, tr("Make a Signing Key"), self.new_signing_key, new=True)
        )
        self.no_signing = _button(none, signing, lambda: self.set_signing_file(""))
        rows = QFormLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        rows.addRow(key, _row(self.key_label, self.choose_key, self.make_key))
        rows.addRow(ledger, _row(self.ledger_label, self.choose_ledger, self.no_ledger))
        rows.addRow(signing, _row(self.signing_label, self.choose_signing, self.make_signing, self.no_signing))

    def show_files(self, files: ExportSafeguards) -> None:
        """Show which key and ledger are used."""
        show_file_name(self.key_label, files.key_file)
        show_file_name(self.ledger_label, files.ledger_file)
        self.no_ledger.setEnabled(bool(files.ledger_file))
        show_file_name(self.signing_label, files.signing_file)
        self.no_signing.setEnabled(bool(files.signing_file))

    def set_key_file(self, path: str) -> None:
        """Use this key file."""
        self.chosen.emit({"key_file": path})

    def set_ledger_file(self, path: str) -> None:
        """Use this ledger."""
        self.chosen.emit({"ledger_file": path})

    def set_signing_file(self, path: str) -> None:
        """Sign what leaves with this key; with none nothing is signed."""
        self.chosen.emit({"signing_file": path})

    def new_signing_key(self, path: str) -> None:
        """Make a key to sign with and use it."""
        try:
            make_signing_key(Path(path))
        except AnonymizerError as error:
            self.failed.emit(error)
            return
        self.set_signing_file(path)

    def new_key(self, path: str) -> None:
        """Make a key and use it."""
        try:
            make_key(Path(path))
        except AnonymizerError as error:
            self.failed.emit(error)
            return
        self.set_key_file(path)


def _button(text: str, about: str, action: Callable[[], None]) -> QPushButton:
    button = QPushButton(text)
    button.setAccessibleName(f"{about}: {text}")
    button.clicked.connect(lambda: action())
    return button


def _row(label: QLabel, *buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(label, 1)
    for button in buttons:
        row.addWidget(button)
    return row


class ScriptDialog(QDialog):
    """Shows a text with Copy and Save."""

    def __init__(
        self, title: str, text: str, suggested: str, parent: QWidget | None = None, own: Sequence[Path] = ()
    ) -> None:
        """Show a text; `own` are files that it may not be saved over."""
        super().__init__(parent)
        self._own = own
        self.setObjectName("as_text")
        self.setWindowTitle(title)
        self._suggested = suggested
        self.text = QPlainTextEdit(text, readOnly=True)
        self.text.setAccessibleName(title)
        self.note = InlineMessage()
        self._build()
        self.finished.connect(self.deleteLater)

    def copy(self) -> None:
        """Put the text on the clipboard."""
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.note.show_note("good", tr("Copied."))

    def save(self, path: str) -> None:
        """Write the text to a file; a failure is told here."""
        try:
            refuse_overwrite([Path(path)], self._own)
            write_text(Path(path), self.text.toPlainText())
        except AnonymizerError as error:
            self.note.show_note("bad", error_text(error))
        else:
            self.note.show_note("good", tr("Saved."))

    def _build(self) -> None:
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        buttons = QDialogButtonBox()
        buttons.addButton(tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole).clicked.connect(self.copy)
        buttons.addButton(tr("Save…"), QDialogButtonBox.ButtonRole.ActionRole).clicked.connect(self._on_save)
        buttons.addButton(tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.note)
        layout.addWidget(buttons)
        resize_in_text_lines(self, 44, 22)

    def _on_save(self) -> None:
        dialog = QFileDialog(self, tr("Save"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(self._suggested)
        dialog.fileSelected.connect(self.save)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()


_WIDEST = 44
"""So many times the height of a line is the widest that options and checks become by themselves."""


class ReleasePage(Page):
    """What leaves at the left, how it stands at the right, and the button that lets it go."""

    name = "release"
    title = "Release"
    order = 70
    icon = "release"
    help = "release"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say whether there is something to release."""
        release = document.selected
        if release is None:
            return StepStatus(StepState.EMPTY, tr("Nothing to release yet"))
        if document.finished.is_stale(release):
            return StepStatus(StepState.STALE, tr("Settings changed since the run"))
        is_exported = document.finished.is_exported(release)
        if worst := document.finished.not_in_order(release):
            words = tr("Exported, though not all is in order") if is_exported else tr(worst)
            return StepStatus(StepState.WARNING, words)
        return (
            StepStatus(StepState.DONE, tr("Exported"))
            if is_exported
            else StepStatus(StepState.READY, tr("Check and export"))
        )

    def export(self, path: Path) -> None:
        """Export what was checked to a file."""
        leaving, release, project = self.leaving, self.document.selected, self.document.project
        if leaving is None or release is None or not self.export_button.isEnabled():
            return
        self.document.jobs.start(
            tr("Export {name}", name=path.name),
            export_release,
            leaving,
            path,
            self.document.safeguards,
            self.document.path,
            on_done=lambda exported: self._on_exported(exported, leaving, project),
            on_error=self._on_export_failed,
            replace_key="export",
        )

    def export_as(self) -> None:
        """Ask where to, then export; while the release is still being checked, ask when that is done."""
        self._is_wanted = self.leaving is None and not self._check_error
        if self.export_button.isEnabled():
            ask_target(self, tr("Export the Release"), self._suggested_name(), self.export, self.panel.formats)

    def show_command_line(self) -> None:
        """Show the call that gives the same bytes."""
        self._show_text(tr("Command Line"), export_command, "release.sh")

    def show_script(self) -> None:
        """Show the script that gives the same bytes."""
        self._show_text(tr("Python Script"), export_script, "release.py")

    def show_earlier(self) -> None:
        """Show the releases the project keeps, to be made again."""
        ReleaseHistoryDialog(self.document, self.window()).open()

    def _build(self) -> None:
        self.leaving: ReleaseCandidate | None = None
        self._check_error = ""
        self._is_wanted = False
        self._checked_with = ("", "")
        self.panel = view_of_document(self.document).leaving_panel(self.document)
        self.chooser = ReleaseSelector(self.document)
        self.safeguards, self.checks, self.note = SafeguardsForm(), CheckList(), InlineMessage()
        self.what = name_widget(QLabel(wordWrap=True), "what_leaves")
        self.reason = name_widget(QLineEdit(), "reason")
        self.reason_label = QLabel(tr("Reason to release all the same"))
        self.reason_label.setBuddy(self.reason)
        self.reason.setPlaceholderText(tr("It will stand in the report and the certificate."))
        self.export_button = name_widget(QPushButton(tr("Export…"), default=True), "export")
        self.settings_button = name_widget(QPushButton(tr("Use Its Settings")), "use_settings")
        self.settings_button.setToolTip(tr("Take the settings this release was made with"))
        self.line_button = name_widget(QPushButton(tr("As Command Line…")), "as_command_line")
        self.script_button = name_widget(QPushButton(tr("As Script…")), "as_script")
        way = self.panel.way
        self.empty = EmptyState(way.sentence, way.button, lambda: self.go.emit(way.page), icon="release")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        upper = name_widget(QSplitter(childrenCollapsible=False), "release_splitter")
        upper.addWidget(section(tr("What will leave"), self.what, self.panel.what))
        unit = self.fontMetrics().height()
        parts = [self.panel.how, self.safeguards] if self.panel.how is not None else [self.safeguards]
        # The checks come first: what must be in order is never out of sight below the options.
        # Lines that run across a large screen are hard to read: what leaves gets the room a large screen has more.
        told = (section(tr("Checklist"), self.checks), section(tr("How it leaves"), *parts))
        for part in told:
            part.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        upper.addWidget(scroll_column(*told))
        upper.setStretchFactor(0, 1)
        upper.setSizes([unit * 26, unit * _WIDEST])
        reason = QHBoxLayout()
        reason.addWidget(self.reason_label)
        reason.addWidget(self.reason, 1)
        buttons = QHBoxLayout()
        for button in (
            self.export_button,
            *self.panel.buttons,
            self.settings_button,
            self.line_button,
            self.script_button,
        ):
            buttons.addWidget(button)
        buttons.addStretch()
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.addWidget(self.chooser)
        layout.addWidget(upper, 1)
        layout.addWidget(self.note)
        layout.addLayout(reason)
        layout.addLayout(buttons)
        layout.addWidget(self.panel.figures)
        return whole

    def _connect(self) -> None:
        self.safeguards.chosen.connect(lambda chosen: self.document.set_safeguards(**chosen))
        self.safeguards.failed.connect(lambda error: post_error(self.document.messages, error))
        self.reason.textChanged.connect(lambda text: self.document.set_safeguards(reason=text))
        self.checks.wanted.connect(self._on_finding)
        self.export_button.clicked.connect(self.export_as)
        self.settings_button.clicked.connect(self._on_use_settings)
        self.line_button.clicked.connect(self.show_command_line)
        self.script_button.clicked.connect(self.show_script)

    def _show(self, changed: frozenset[str]) -> None:
        release = self.document.selected
        self._stack.setCurrentIndex(int(release is not None))
        if release is None:
            self.leaving = None
            return
        self.chooser.show_document()
        self.panel.show_project(release)
        files = self.document.safeguards
        self.safeguards.show_files(files)
        if self.reason.text() != files.reason:
            self.reason.setText(files.reason)
        roles = room_of(self.document.room).roles
        is_touched = is_affected(changed, Change.RESULTS, Change.RELEASES, *roles, *self.panel.fields)
        if is_touched or self._checked_with != (files.key_file, files.ledger_file):
            self._check()
        self._show_state()

    def _check(self) -> None:
        """Have the release checked as it would leave now."""
        release, project, safeguards = self.document.selected, self.document.project, self.document.safeguards
        self.leaving = None
        self._checked_with = safeguards.key_file, safeguards.ledger_file
        self._show_state()
        if release is None or not self.document.files:
            return
        self.document.jobs.start(
            tr("Check the release"),
            check_candidate,
            room_of(project.room).as_decided(release, project),
            self.document.files,
            safeguards,
            on_done=self._on_checked,
            on_error=self._on_check_failed,
            replace_key="check release",
        )

    def _show_state(self) -> None:
        release, leaving = self.document.selected, self.leaving
        has_failed = leaving is not None and not all(check.holds or not check.blocks for check in leaving.checks)
        why = self._obstacle(has_failed)
        self.export_button.setEnabled(not why)
        self.export_button.setToolTip(plain_text(why) or tr("Write the release with its certificate and report"))
        self.note.show_note("warn", why)
        for widget in (self.reason, self.reason_label):
            widget.setVisible(has_failed)
        self.settings_button.setVisible(release is not None and not self.document.finished.has_settings_of(release))
        self.panel.show_leaving(leaving)
        # While it is checked again the last checks stay, dimmed: what is below them does not jump.
        self.checks.setEnabled(leaving is not None)
        if leaving is not None:
            self.checks.show_checks(leaving.checks)
            self.what.setText(self.panel.sentence(leaving))

    def _obstacle(self, has_failed: bool) -> str:
        release = self.document.selected
        if release is not None and self.document.finished.is_stale(release):
            return tr("The settings are not those of this release; run again, or use its settings.")
        if self.leaving is None:
            return self._check_error or tr("The release is being checked…")
        if has_failed and not self.document.safeguards.reason.strip():
            return tr("A check is not in order. Mend it, or give a reason.")
        return ""

    def _on_checked(self, leaving: ReleaseCandidate) -> None:
        self.leaving, self._check_error = leaving, ""
        self.document.finished.note_checks(leaving.release, _not_in_order(leaving))
        self._show_state()
        if self._is_wanted and self.isVisible():
            self.export_as()

    def _on_check_failed(self, error: BaseException) -> None:
        self._check_error = error_text(error)
        if not isinstance(error, AnonymizerError):
            post_error(self.document.messages, error)
        self._show_state()

    def _on_export_failed(self, error: BaseException) -> None:
        post_error(self.document.messages, error)
        if isinstance(error, NotReady | LedgerChanged):  # the ledger has got another release since the check
            self._check()

    def _on_finding(self, finding: Finding) -> None:
        """Go to the first page of the room, which shows the data, and to what was found in it."""
        self.document.point_to(finding.place, finding.rows)
        self.go.emit(view_of_document(self.document).pages()[0].name)

    def _on_use_settings(self) -> None:
        release = self.document.selected
        if release is not None:
            self.document.finished.use_settings_of(release, tr("Use the settings of {name}", name=release.name))

    def _on_exported(self, exported: ExportResult, leaving: ReleaseCandidate, project: Any) -> None:
        self.document.finished.note_export(leaving.release, project)
        folder = QUrl.fromLocalFile(str(exported.path.parent))
        report = QUrl.fromLocalFile(str(exported.report))
        messages = self.document.messages
        tell = messages.warning if _not_in_order(leaving) else messages.success
        tell(
            self.panel.success(leaving, exported.path),
            _kept_inside(exported),
            actions=[
                (tr("Open Folder"), lambda: self._open(folder)),
                (tr("Open Report"), lambda: self._open(report)),
                *self._as_a_project(leaving, exported.path),
            ],
            key="exported",
        )
        if self.document.safeguards.ledger_file:
            self._check()

    def _as_a_project(self, leaving: ReleaseCandidate, path: Path) -> list[tuple[str, Callable[[], object]]]:
        """Offer to go on with a table that has left, such as a synthetic one."""
        table = self.panel.table_in(leaving, path)
        return [] if table is None else [(tr("Open as a Project"), lambda: self.begin.emit(str(table)))]

    def _open(self, place: QUrl) -> None:
        """Open a file or folder with the program the system has for it; say where it is when there is none."""
        if not QDesktopServices.openUrl(place):
            self.document.messages.warning(
                tr("No program here opens “{name}”.", name=place.fileName() or place.path()),
                tr("It is at {place}.", place=place.toLocalFile()),
                key="not opened",
            )

    def _show_text(self, title: str, make: Callable[..., str], suggested: str) -> None:
        project = self.document.path
        if project is None or not self.document.is_decided_as_saved:
            self.document.messages.info(
                tr("Save the project first; the text refers to its file."),
                actions=[(tr("Save"), lambda: self.do.emit("file.save"))],
                key="save first",
            )
            return
        files = self.document.safeguards
        output = project.with_name(self._suggested_name())
        named = files.key_file, files.reason, files.ledger_file, files.signing_file
        text = make(project, output, *named, allow_database=is_from_database(self.document.project))
        ScriptDialog(title, text, suggested, self, own_files(self.document)).open()

    def _suggested_name(self) -> str:
        suffix = view_of_document(self.document).release_suffix
        name: str = self.panel.name_for(
            f"{self.panel.file_stem(Path(self.document.project.name or 'table').stem)}{suffix}"
        )
        return name


def _not_in_order(leaving: ReleaseCandidate) -> str:
    """Say for the rail how the checklist stands; nothing when all is in order."""
    failed = [check for check in leaving.checks if not check.holds]
    if any(check.blocks for check in failed):
        return "A check is not in order"
    return "A check should be looked at again" if failed else ""


def _kept_inside(exported: ExportResult) -> str:
    """Say which file stays in the house, and who signed the release."""
    kept = tr("“{name}” must never be published.", name=exported.inside.name)
    if not exported.signer:
        return kept
    return f"{kept} {tr('Signed by {who}.', who=fingerprint(exported.signer))}"


def _has_release(document: Document) -> bool:
    return document.selected is not None


def _action(name: str, title: str, tip: str, icon: str = "", shortcut: str = "") -> Action:
    return Action(
        f"release.{name}",
        title,
        lambda page: getattr(page, name)(),
        "File",
        "export",
        icon,
        shortcut,
        tip,
        _has_release,
        "Run an algorithm first.",
        "release",
    )


ACTIONS = (
    Action(
        "release.earlier",
        "Earlier Releases…",
        lambda page: page.show_earlier(),
        "File",
        "export",
        icon="history",
        status_tip="Settings and figures of releases made before, to be made again",
        enabled=lambda document: bool(document.finished.earlier),
        reason="The project keeps no earlier release.",
        page="release",
    ),
    _action("export_as", "Export Release…", "Write the release with certificate and report", "export", "Ctrl+E"),
    _action("show_command_line", "Show as Command Line…", "The call that gives the same release"),
    _action("show_script", "Show as Python Script…", "The script that gives the same release"),
)
