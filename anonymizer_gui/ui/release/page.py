"""The last step: exactly what will leave, the checklist, and the export with its proof."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.releases.export import Exported, NotReady
from anonymizer_gui.engine.releases.ledger import Overtaken
from anonymizer_gui.engine.releases.scripts import command_line, python_script
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.microdata.leaving import LeavingTable, export_mapping
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.shapes.tables.table import Role
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.dialogs.file_questions import ask_target
from anonymizer_gui.ui.i18n import told, tr, whole
from anonymizer_gui.ui.page import Mark, Page, State, concerns
from anonymizer_gui.ui.release.as_text import AsTextDialog
from anonymizer_gui.ui.release.checklist_view import ChecklistView
from anonymizer_gui.ui.rooms.microdata.figures import figures_of
from anonymizer_gui.ui.rooms.microdata.release.leaving_columns import LeavingColumns
from anonymizer_gui.ui.rooms.microdata.release.release_options import ReleaseOptions
from anonymizer_gui.ui.rooms.microdata.result_figures import ResultFigures
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.layout_pieces import scrolled, titled
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.note import Note
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import tell_error
from anonymizer_gui.workspace.leaving import check_release, export_release

_WIDEST = 44
"""So many times the height of a line is the widest that options and checks become."""


class ReleasePage(Page):
    """What leaves at the left, how it stands at the right, and the button that lets it go."""

    name = "release"
    title = "Release"
    order = 70
    icon = "release"
    help = "release"

    @classmethod
    def mark(cls, document: Document) -> Mark:
        """Say whether there is something to release."""
        release = document.selected
        if release is None:
            return Mark(State.EMPTY, tr("Nothing to release yet"))
        if document.finished.is_stale(release):
            return Mark(State.STALE, tr("Settings changed since the run"))
        if document.finished.is_exported(release):
            return Mark(State.DONE, tr("Exported"))
        return Mark(State.READY, tr("Check and export"))

    def export(self, path: Path) -> None:
        """Export what was checked to a file."""
        prepared, release, project = self.prepared, self.document.selected, self.document.project
        if prepared is None or release is None or not self.export_button.isEnabled():
            return
        self.document.jobs.start(
            tr("Export {name}", name=path.name),
            export_release,
            prepared,
            path,
            self.document.safeguards.reason,
            on_done=lambda exported: self._on_exported(exported, release, project),
            on_error=self._on_export_failed,
            replace_key="export",
        )

    def export_as(self) -> None:
        """Ask where to, then export."""
        if self.export_button.isEnabled():
            ask_target(self, tr("Export the Release"), f"{self._stem()}_release.csv", self.export)

    def save_mapping(self) -> None:
        """Ask where to, then write which pseudonym stands for whom."""
        ask_target(self, tr("Save the Mapping of Pseudonyms"), f"{self._stem()}_mapping.csv", self._write_mapping)

    def show_command_line(self) -> None:
        """Show the call that gives the same bytes."""
        self._show_text(tr("Command Line"), command_line, "release.sh")

    def show_script(self) -> None:
        """Show the script that gives the same bytes."""
        self._show_text(tr("Python Script"), python_script, "release.py")

    def _build(self) -> None:
        self.prepared: LeavingTable | None = None
        self.columns, self.options, self.checks = LeavingColumns(), ReleaseOptions(), ChecklistView()
        self.figures, self.note, self.what = ResultFigures(), Note(), QLabel(wordWrap=True)
        self.reason = named(QLineEdit(), "reason")
        self.reason_label = QLabel(tr("Reason to release all the same"))
        self.reason_label.setBuddy(self.reason)
        self.reason.setPlaceholderText(tr("It will stand in the report and the certificate."))
        self.export_button = named(QPushButton(tr("Export…"), default=True), "export")
        self.mapping_button = named(QPushButton(tr("Save the Mapping…")), "mapping")
        self.settings_button = named(QPushButton(tr("Use Its Settings")), "use_settings")
        self.settings_button.setToolTip(tr("Take the settings this release was made with"))
        self.agree_button = named(QPushButton(tr("Agree to All Columns")), "agree_all")
        self.agree_button.setToolTip(tr("Publish every column without a role unchanged"))
        self.line_button = named(QPushButton(tr("As Command Line…")), "as_command_line")
        self.script_button = named(QPushButton(tr("As Script…")), "as_script")
        self.empty = EmptyState(
            tr("Nothing to release yet: run an algorithm first."),
            tr("Go to Protect"),
            lambda: self.go.emit("protect"),
            icon="release",
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        upper = named(QSplitter(childrenCollapsible=False), "release_splitter")
        upper.addWidget(titled(tr("What will leave"), self.what, self.columns))
        unit = self.fontMetrics().height()
        for part in (self.options, self.checks):  # lines that run across a large screen are hard to read
            part.setMaximumWidth(unit * _WIDEST)
        # The checks come first: what must be in order is never out of sight below the options.
        upper.addWidget(scrolled(titled(tr("Checklist"), self.checks), titled(tr("How it leaves"), self.options)))
        upper.setSizes([unit * 25, unit * 25])
        reason = QHBoxLayout()
        reason.addWidget(self.reason_label)
        reason.addWidget(self.reason, 1)
        buttons = QHBoxLayout()
        for button in (
            self.export_button,
            self.agree_button,
            self.settings_button,
            self.mapping_button,
            self.line_button,
            self.script_button,
        ):
            buttons.addWidget(button)
        buttons.addStretch()
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.addWidget(upper, 1)
        layout.addWidget(self.note)
        layout.addLayout(reason)
        layout.addLayout(buttons)
        layout.addWidget(self.figures)
        return whole

    def _connect(self) -> None:
        self.options.edited.connect(lambda text, publishing: self.document.edit(text, publishing=publishing))
        self.options.files_chosen.connect(lambda chosen: self.document.set_safeguards(**chosen))
        self.options.failed.connect(lambda error: tell_error(self.document.messages, error))
        self.columns.agreed.connect(self._on_agreed)
        self.columns.pseudonym_chosen.connect(self._on_pseudonym)
        self.reason.textChanged.connect(lambda text: self.document.set_safeguards(reason=text))
        self.export_button.clicked.connect(self.export_as)
        self.agree_button.clicked.connect(self._on_all_agreed)
        self.settings_button.clicked.connect(self._on_use_settings)
        self.mapping_button.clicked.connect(self.save_mapping)
        self.line_button.clicked.connect(self.show_command_line)
        self.script_button.clicked.connect(self.show_script)

    def _show(self, changed: frozenset[str]) -> None:
        release = self.document.selected
        self._stack.setCurrentIndex(int(release is not None))
        if release is None:
            self.prepared = None
            return
        project = self.document.project
        self.columns.show_project(project)
        self.options.show_publishing(project.publishing)
        self.figures.show_figures(figures_of(release, None))
        safeguards = self.document.safeguards
        self.options.show_files(safeguards.key_file, safeguards.ledger_file)
        if self.reason.text() != safeguards.reason:
            self.reason.setText(safeguards.reason)
        files = safeguards.key_file, safeguards.ledger_file
        if concerns(changed, "results", "releases", "publishing", "acknowledged", *room_of(project.room).roles) or (
            files != self._checked_with
        ):
            self._check()
        self._show_state()

    def _check(self) -> None:
        """Have the release checked as it would leave now."""
        release, table = self.document.selected, self.document.table
        self.prepared = None
        self._checked_with = self.document.safeguards.key_file, self.document.safeguards.ledger_file
        self._show_state()
        if release is None or table is None:
            return
        project = self.document.project
        self.document.jobs.start(
            tr("Check the release"),
            check_release,
            room_of(project.room).as_decided(release, project),
            self.document.files,
            self.document.safeguards,
            on_done=self._on_checked,
            on_error=self._on_check_failed,
            replace_key="check release",
        )

    def _show_state(self) -> None:
        release, prepared = self.document.selected, self.prepared
        failed = prepared.failed if prepared else ()
        why = self._obstacle(bool(failed))
        self.export_button.setEnabled(not why)
        self.export_button.setToolTip(why or tr("Write the release with its certificate and report"))
        self.note.show_note("warn", why)
        for widget in (self.reason, self.reason_label):
            widget.setVisible(bool(failed))
        self.settings_button.setVisible(release is not None and not self.document.finished.has_settings_of(release))
        self.agree_button.setVisible(len(self._not_agreed_to()) > 1)
        self.mapping_button.setVisible(bool(self.document.project.publishing.pseudonyms))
        self.mapping_button.setEnabled(prepared is not None)
        # While it is checked again the last checks stay, dimmed: what is below them does not jump.
        self.checks.setEnabled(prepared is not None)
        if prepared is not None and release is not None:
            self.checks.show_checks(prepared.checks)
            self.what.setText(
                tr(
                    "“{name}”: {rows:row|rows}, {columns:column|columns}; {suppressed:record|records} suppressed.",
                    name=release.name,
                    rows=whole(prepared.table.n_rows),
                    columns=len(prepared.table.columns),
                    suppressed=whole(release.suppressed),
                )
            )

    def _obstacle(self, has_failed: bool) -> str:
        release = self.document.selected
        if release is not None and self.document.finished.is_stale(release):
            return tr("The settings are not those of this release; run again, or use its settings.")
        if self.prepared is None:
            return self._check_error or tr("The release is being checked…")
        if has_failed and not self.document.safeguards.reason.strip():
            return tr("A check is not in order. Mend it, or give a reason.")
        return ""

    _check_error = ""
    _checked_with = ("", "")

    def _on_checked(self, prepared: LeavingTable) -> None:
        self.prepared, self._check_error = prepared, ""
        self._show_state()

    def _on_check_failed(self, error: BaseException) -> None:
        self._check_error = told(error)
        if not isinstance(error, AnonymizerError):
            tell_error(self.document.messages, error)
        self._show_state()

    def _on_export_failed(self, error: BaseException) -> None:
        tell_error(self.document.messages, error)
        if isinstance(error, NotReady | Overtaken):  # the ledger has got another release since the check
            self._check()

    def _on_use_settings(self) -> None:
        release = self.document.selected
        if release is not None:
            self.document.finished.use_settings_of(release, tr("Use the settings of {name}", name=release.name))

    def _on_agreed(self, name: str, agreed: bool) -> None:
        others = tuple(known for known in self.document.project.acknowledged if known != name)
        text = tr("Agree to publish {column}", column=name) if agreed else tr("Do not publish {column}", column=name)
        self.document.edit(text, acknowledged=(*others, name) if agreed else others)

    def _not_agreed_to(self) -> list[str]:
        project = self.document.project
        return [name for name in project.schema.names(Role.OTHER) if name not in project.acknowledged]

    def _on_all_agreed(self) -> None:
        agreed = (*self.document.project.acknowledged, *self._not_agreed_to())
        self.document.edit(tr("Agree to publish every column without a role"), acknowledged=agreed)

    def _on_pseudonym(self, name: str, way: str) -> None:
        publishing = self.document.project.publishing
        ways = {known: entry for known, entry in publishing.pseudonyms if known != name}
        changed = replace(publishing, pseudonyms=tuple({**ways, **({name: way} if way else {})}.items()))
        self.document.edit(tr("Choose what happens to {column}", column=name), publishing=changed)

    def _on_exported(self, exported: Exported, release: Release, project: Project) -> None:
        self.document.finished.note_export(release, project)
        columns = len(self.prepared.table.columns) if self.prepared else 0
        folder = QUrl.fromLocalFile(str(exported.path.parent))
        report = QUrl.fromLocalFile(str(exported.report))
        self.document.messages.success(
            tr(
                "{rows:row|rows} and {columns:column|columns} went to {name}; read back and measured again, k = {k}.",
                rows=whole(exported.numbers["rows"]),
                columns=columns,
                name=exported.path.name,
                k=exported.numbers["k"],
            ),
            actions=[
                (tr("Open Folder"), lambda: QDesktopServices.openUrl(folder)),
                (tr("Open Report"), lambda: QDesktopServices.openUrl(report)),
            ],
            key="exported",
        )
        if self.document.safeguards.ledger_file:
            self._check()

    def _write_mapping(self, path: Path) -> None:
        if self.prepared is not None:
            self.document.jobs.start(tr("Save the mapping"), export_mapping, self.prepared, path)

    def _show_text(self, title: str, make: type | object, suggested: str) -> None:
        project = self.document.path
        if project is None or self.document.is_dirty:
            self.document.messages.info(
                tr("Save the project first; the text refers to its file."),
                actions=[(tr("Save"), lambda: self.do.emit("file.save"))],
                key="save first",
            )
            return
        output = project.with_name(f"{self._stem()}_release.csv")
        files = self.document.safeguards
        text = make(project, output, files.key_file, files.reason, files.ledger_file)  # type: ignore[operator]
        AsTextDialog(title, text, suggested, self).open()

    def _stem(self) -> str:
        return Path(self.document.project.name or "table").stem


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
    _action("export_as", "Export Release…", "Write the release with certificate and report", "export", "Ctrl+E"),
    _action("show_command_line", "Show as Command Line…", "The call that gives the same release"),
    _action("show_script", "Show as Python Script…", "The script that gives the same release"),
)
