"""The dialog of Run Elsewhere: engine, table, release, what may be used, and the command that does the same."""

from collections.abc import Callable
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

from anonymizer_gui.engine.core.memory import free_memory
from anonymizer_gui.engine.data.tables.io.read_write import engine_of
from anonymizer_gui.engine.scale.engine_choice import DUCKDB, EngineSelfTest
from anonymizer_gui.engine.storage.sources import is_address
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import error_text, format_decimal, format_integer, tr
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.rooms.microdata.elsewhere.wish import Wish, try_out
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.message_strip import InlineMessage

_CLUSTER = "cluster"
_FIRST_ADDRESS = "sc://localhost:15002"


class ElsewhereDialog(QDialog):
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

    def wish(self) -> Wish:
        """Give what was chosen."""
        is_here = self.engine.currentData() == DUCKDB
        return Wish(
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
            try_out,
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
