"""Run on an engine: request, dialog, action."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.memory import free_memory
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io.read_write import engine_of
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.releases.interrupted_export import companion_names
from anonymizer_gui.engine.releases.release_candidate import read_safeguards
from anonymizer_gui.engine.releases.signing import read_signing_key
from anonymizer_gui.engine.rooms.microdata.out_of_core.engine_source import refuse_remote_target
from anonymizer_gui.engine.rooms.microdata.out_of_core.release_candidate import SUFFIXES
from anonymizer_gui.engine.rooms.microdata.out_of_core.run import (
    OutOfCoreJob,
    OutOfCoreResult,
    engine_input,
    run_out_of_core,
)
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.scale.contract import Engine, EngineInput
from anonymizer_gui.engine.scale.duckdb_engine import EngineLimits
from anonymizer_gui.engine.scale.engine_choice import (
    DUCKDB,
    EngineSelfTest,
    open_engine,
    self_test_engine,
    verification_engine,
)
from anonymizer_gui.engine.storage.sources import is_address, refuse_overwrite
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.i18n import error_text, format_decimal, format_integer, tr
from anonymizer_gui.ui.rooms.microdata.protect.run_forecast import run_obstacle
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument, ours
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.engine_tasks import ExportSafeguards


@dataclass(frozen=True, slots=True)
class OutOfCoreRequest:
    """Which engine, which table, where the release goes, and how much of this machine may be used."""

    engine: str
    table: str
    target: str
    memory_gb: float = 0.0
    spill: str = ""

    def command(self, project: Path | None) -> str:
        """Give the call that does the same without a window."""
        words = ["anonymizer-gui", "run", str(project or "PROJECT.anon"), "--engine", self.engine]
        words += ["--input", self.table, "--output", self.target]
        words += ["--memory", f"{self.memory_gb:g}GB"] if self.memory_gb else []
        return shlex.join([*words, *(["--spill", self.spill] if self.spill else [])])

    def source(self, project: Project) -> EngineInput:
        """Find the table; raises UnreadableFile."""
        return engine_input(project, self.table)

    def opened(self, source: EngineInput, target: Path | None) -> Engine:
        """Open the engine; raises BadParameter, MissingExtra, EngineFailed."""
        return open_engine(self.engine, [*source.files, *([target.absolute()] if target else [])], self.room())

    def room(self) -> EngineLimits:
        """Give what may be taken of this machine."""
        return EngineLimits(int(self.memory_gb * 1e9), Path(self.spill) if self.spill else None)


def check_engine(wish: OutOfCoreRequest, project: Project, progress: Progress) -> EngineSelfTest:
    """Try the engine out on the table."""
    source = wish.source(project)
    return self_test_engine(wish.opened(source, None), source, progress)


def run_request(
    wish: OutOfCoreRequest,
    project: Project,
    population: Table | None,
    safeguards: ExportSafeguards,
    project_file: Path | None,
    progress: Progress,
) -> OutOfCoreResult:
    """Run the project on the engine and export the release; the key is read now and kept nowhere."""
    refuse_remote_target(wish.target)
    source, target = wish.source(project), Path(wish.target)
    if target.suffix.lower() not in SUFFIXES:
        raise BadParameter("The release needs a name that ends in .parquet or .csv.", "Give it such a name.")
    own = [*source.files, *safeguards.files(), *([project_file] if project_file else [])]
    refuse_overwrite([target, *companion_names(target)], own)
    signer = read_signing_key(Path(safeguards.signing_file)) if safeguards.signing_file else None
    errand = OutOfCoreJob(
        source,
        target,
        lambda place: wish.opened(source, place),
        read_safeguards(safeguards.key_file, safeguards.ledger_file, safeguards.reason),
        exporting=(("signer", signer), ("own", own)),
        new_judge=verification_engine(wish.room()),
    )
    return run_out_of_core(project, errand, progress, population)


_CLUSTER = "cluster"

_FIRST_ADDRESS = "sc://localhost:15002"


class OutOfCoreDialog(QDialog):
    """Lets the user choose where a project runs."""

    chosen = Signal(object)
    """Carries the wish."""

    def __init__(self, document: MicrodataDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("run_elsewhere")
        self.setWindowTitle(tr("Run Elsewhere"))
        self._document = document
        self.engine = name_widget(QComboBox(), "elsewhere_engine")
        self.address = name_widget(QLineEdit(_FIRST_ADDRESS), "elsewhere_address")
        self.table = name_widget(QLineEdit(), "elsewhere_table")
        self.target = name_widget(QLineEdit(), "elsewhere_target")
        self.memory = name_widget(QDoubleSpinBox(), "elsewhere_memory")
        self.spill = name_widget(QLineEdit(), "elsewhere_spill")
        self.where = QLabel(wordWrap=True)
        self.note = InlineMessage()
        self._build()
        self._fill()
        self._on_engine()

    def wish(self) -> OutOfCoreRequest:
        """Give what was chosen."""
        is_here = self.engine.currentData() == DUCKDB
        return OutOfCoreRequest(
            DUCKDB if is_here else self.address.text().strip(),
            self.table.text().strip(),
            self.target.text().strip(),
            self.memory.value() if is_here else 0.0,
            self.spill.text().strip() if is_here else "",
        )

    def accept(self) -> None:
        """Tell the wish."""
        super().accept()
        self.chosen.emit(self.wish())

    def try_out(self) -> None:
        """Try the engine out in the background, and say what it sees."""
        self.note.show_note("info", tr("Asking the engine…"))
        self._document.jobs.start(
            tr("Test the engine"),
            check_engine,
            self.wish(),
            self._document.project,
            on_done=self._on_tried,
            on_error=self._on_failed,
            replace_key="try engine",
        )

    def copy_command(self) -> None:
        """Put the command that does the same on the clipboard."""
        QGuiApplication.clipboard().setText(self.wish().command(self._document.path))
        saved = tr("The command is copied.") if self._document.path else tr("The command is copied; save the project.")
        self.note.show_note("info", saved)

    def _build(self) -> None:
        self.engine.addItem(tr("DuckDB on this computer"), DUCKDB)
        self.engine.addItem(tr("Spark cluster (Spark Connect)"), _CLUSTER)
        self.memory.setRange(0.0, 10_000.0)
        self.memory.setSuffix(" GB")
        self.memory.setSpecialValueText(tr("half of what is free ({free} GB)", free=format_decimal(_free_gb() / 2, 1)))
        self.spill.setPlaceholderText(tr("folder for temporary files of the system"))
        self.buttons = self._button_row()
        self.engine.currentIndexChanged.connect(lambda _place: self._on_engine())
        for field in (self.table, self.target, self.address):
            field.textChanged.connect(lambda _text: self._refresh())
        layout = QVBoxLayout(self)
        intro = tr("The same settings on a table that memory does not hold. The release is verified from its file.")
        layout.addWidget(QLabel(intro, wordWrap=True))
        layout.addLayout(self._form())
        layout.addWidget(self.where)
        layout.addWidget(self.note)
        layout.addWidget(self.buttons)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 90)

    def _form(self) -> QFormLayout:
        file = self._button(tr("File…"), "elsewhere_file", self._ask_file)
        folder = self._button(tr("Folder…"), "elsewhere_folder", self._ask_folder)
        out = self._button(tr("File…"), "elsewhere_out", self._ask_out)
        spilling = self._button(tr("Folder…"), "elsewhere_spilling", self._ask_spill)
        rows: tuple[tuple[str, QWidget, QWidget], ...] = (
            (tr("Engine"), self.engine, self.engine),
            (tr("Address"), self.address, self.address),
            (tr("Table"), self.table, _with(self.table, file, folder)),
            (tr("Release"), self.target, _with(self.target, out)),
            (tr("Memory"), self.memory, self.memory),
            (tr("Spill folder"), self.spill, _with(self.spill, spilling)),
        )
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for title, buddy, row in rows:
            label = QLabel(title)
            label.setBuddy(buddy)
            buddy.setAccessibleName(title)
            form.addRow(label, row)
        return form

    def _button_row(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Run"))
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setText(tr("Cancel"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        for title, name, then in (
            (tr("Test Connection"), "elsewhere_test", self.try_out),
            (tr("Copy Command"), "elsewhere_copy", self.copy_command),
        ):
            buttons.addButton(self._button(title, name, then), QDialogButtonBox.ButtonRole.ActionRole)
        theme.strip_button_icons(buttons)
        return buttons

    def _fill(self) -> None:
        source = self._document.project.source
        if source is None:
            return
        path, is_far = Path(source.path), is_address(source.path)
        self.table.setText(source.path)
        stem = "".join(sign for sign in path.stem if sign not in "*?[]").strip("_-. ")
        self.target.setText(str((Path.home() if is_far else path.parent) / f"{stem or 'table'}_released.parquet"))
        if is_far:
            self.engine.setCurrentIndex(self.engine.findData(_CLUSTER))
            self.address.setText(engine_of(source) or _FIRST_ADDRESS)

    def _button(self, title: str, name: str, then: Callable[[], None]) -> QPushButton:
        button = name_widget(QPushButton(title), name)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False: then())
        return button

    def _on_engine(self) -> None:
        is_here = self.engine.currentData() == DUCKDB
        self.address.setEnabled(not is_here)
        for field in (self.memory, self.spill):
            field.setEnabled(is_here)
        self.where.setText(
            tr("Raw data stay on this computer. What does not fit into memory lies in the spill folder meanwhile, "
               "readable by you alone, and is removed afterwards.")
            if is_here
            else tr("Raw data stay in the cluster; counts of combinations come to this computer. Shuffle and spill "
                    "files of the cluster are outside our control. The token is taken from the keyring or from "
                    "ANONYMIZER_SPARK_TOKEN, and never saved.")
        )  # fmt: skip
        self.note.show_note("info", "")
        self._refresh()

    def _refresh(self) -> None:
        wish = self.wish()
        ready = bool(wish.engine and wish.table and wish.target)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(ready)

    def _on_tried(self, found: EngineSelfTest) -> None:
        self.note.show_note(
            "good",
            tr(
                "{engine} {version} sees {rows:row|rows} of {columns:column|columns}.",
                engine=found.engine,
                version=found.version,
                rows=format_integer(found.rows),
                columns=found.columns,
            ),
        )

    def _on_failed(self, error: BaseException) -> None:
        self.note.show_note("bad", error_text(error))

    def _ask_file(self) -> None:
        self._ask(QFileDialog.FileMode.ExistingFile, self.table)

    def _ask_folder(self) -> None:
        self._ask(QFileDialog.FileMode.Directory, self.table)

    def _ask_spill(self) -> None:
        self._ask(QFileDialog.FileMode.Directory, self.spill)

    def _ask_out(self) -> None:
        self._ask(QFileDialog.FileMode.AnyFile, self.target)

    def _ask(self, mode: QFileDialog.FileMode, field: QLineEdit) -> None:
        dialog = QFileDialog(self, tr("Choose"), str(Path(field.text()).parent) if field.text() else "")
        dialog.setFileMode(mode)
        if mode is QFileDialog.FileMode.AnyFile:
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.setDefaultSuffix("parquet")
        dialog.fileSelected.connect(field.setText)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()


def _with(field: QWidget, *buttons: QWidget) -> QWidget:
    whole_row = QWidget()
    row = QHBoxLayout(whole_row)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(field, 1)
    for button in buttons:
        row.addWidget(button)
    return whole_row


def _free_gb() -> float:
    return (free_memory() or 0) / 1e9


def ask_and_run(window: MainWindow) -> None:
    """Ask which engine is to do it, then let it."""
    document = ours(window.document)
    dialog = OutOfCoreDialog(document, window)
    dialog.chosen.connect(lambda wish: start_out_of_core(document, wish))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def start_out_of_core(document: MicrodataDocument, wish: OutOfCoreRequest) -> None:
    """Run the project on an engine in the background; to cancel it really stops what it does."""
    document.jobs.start(
        tr("Run on {engine}", engine=wish.engine),
        run_request,
        wish,
        document.project,
        document.population,
        document.safeguards,
        document.path,
        on_done=lambda done: _tell(document, done),
        replace_key="run elsewhere",
    )


def _tell(document: MicrodataDocument, done: OutOfCoreResult) -> None:
    notes = " ".join(tr(note) for note in done.release.notes)
    document.messages.success(
        tr("“{name}” is written and verified: {what}.", name=done.exported.path.name, what=tr(done.release.sentence())),
        notes,
    )


ACTIONS = (
    Action(
        "protect.run_elsewhere",
        "Run Elsewhere…",
        ask_and_run,
        "Protect",
        "run",
        status_tip="Run the same settings on DuckDB or a Spark cluster, for tables that memory does not hold",
        enabled=lambda document: not run_obstacle(ours(document)),
        reason="Mark quasi-identifiers, add a goal and choose an algorithm first.",
    ),
)
