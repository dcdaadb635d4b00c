"""Opening a table: the first rows are shown as they will be read, while one changes how they are read."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QProgressBar,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import AnonymizerError, UnreadableFile
from anonymizer_gui.engine.core.messages import Message
from anonymizer_gui.engine.core.params import to_json
from anonymizer_gui.engine.data.tables.io import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_write import ImportPreview, misfits_by_column
from anonymizer_gui.engine.data.tables.table import ColumnType, Schema
from anonymizer_gui.engine.scale.sampled_table import preview_input
from anonymizer_gui.engine.storage.sources import PasswordNeeded, is_address
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.dialogs import file_questions
from anonymizer_gui.ui.dialogs.database_questions import ask_password, bare_address
from anonymizer_gui.ui.dialogs.import_holding import Holding
from anonymizer_gui.ui.dialogs.import_options import ImportOptions
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.shell.file_drops import files_of
from anonymizer_gui.ui.widgets.layout_pieces import UpAndDown, resize_in_lines
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.note import Note
from anonymizer_gui.ui.widgets.table_model import DISPLAY, TableModel
from anonymizer_gui.ui.widgets.table_view import TableView
from anonymizer_gui.ui.widgets.type_choice import first_format
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Job

TYPING_PAUSE_MS = 250
MOST_PROBLEMS = 4
_KEY = "import"


class PreviewModel(TableModel):
    """Shows the type of a column under its name."""

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> Any:
        """Give name and type; roles are given later."""
        if role == Qt.ItemDataRole.DecorationRole:
            return None
        value = super().headerData(section, orientation, role)
        if role == DISPLAY and orientation == Qt.Orientation.Horizontal and self.schema.columns:
            return f"{value}\n{tr(self.schema.columns[section].type.value)}"
        return value


class ImportDialog(QDialog):
    """Stays until the table is there; every obstacle is told inside it."""

    def __init__(self, document: Document, source: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("import_dialog")
        self.setWindowTitle(tr("Open Table"))
        self.setAcceptDrops(True)
        self._document = document
        self._options: ReadOptions | None = None
        self._seen: ImportPreview | None = None
        self._types: dict[str, tuple[ColumnType, str]] = {}
        self._job: Job | None = None
        self._is_loading = False
        self._pause = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self.source = named(QLineEdit(source), "import_source")
        self.browse_button = named(QPushButton(tr("Browse…"), autoDefault=False), "import_browse")
        self.folder_button = named(QPushButton(tr("Folder…"), autoDefault=False), "import_folder")
        self.connect_button = named(QPushButton(tr("Connect"), autoDefault=False), "import_connect")
        self.side = ImportOptions()
        self.model = PreviewModel()
        self.view = TableView(self.model, document.jobs)
        self.menu = QMenu(self)
        self.holding = Holding()
        self.note = Note()
        self.bar = named(QProgressBar(maximum=1000), spoken=tr("Progress"))
        self.bar.setVisible(False)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel)
        self._build()
        self._connect()
        self._on_source_typed(source)
        if source:
            self._look()

    @property
    def open_button(self) -> QPushButton:
        """The button that opens the table."""
        return self.buttons.button(QDialogButtonBox.StandardButton.Open)

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.addLayout(self._source_row())
        splitter = named(QSplitter(childrenCollapsible=False), "import_splitter")
        area = UpAndDown(self.side)
        splitter.addWidget(area)
        splitter.addWidget(self.view)
        splitter.setStretchFactor(1, 1)
        line = self.fontMetrics().height()
        splitter.setSizes([area.minimumSizeHint().width(), line * 70])
        layout.addWidget(splitter, 1)
        layout.addWidget(self.holding)
        layout.addWidget(self.note)
        row = QHBoxLayout()
        row.addWidget(self.bar, 1)
        row.addWidget(self.buttons)
        layout.addLayout(row)
        self.view.setAccessibleName(tr("Preview"))
        self.view.horizontalHeader().setToolTip(tr("Click a name to choose the type of its column"))
        self.open_button.setDefault(True)
        theme.plain_buttons(self.buttons)
        # A text field would take a dropped file for a text.
        for field in self.findChildren(QLineEdit):
            field.setAcceptDrops(False)
        resize_in_lines(self, 70, 40)

    def _source_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        label = QLabel(tr("File or database"))
        label.setBuddy(self.source)
        self.source.setPlaceholderText("sqlite:///people.db, postgresql://user@host/database, s3://bucket/people")
        for widget in (label, self.source, self.browse_button, self.folder_button, self.connect_button):
            row.addWidget(widget, widget is self.source)
        return row

    def _connect(self) -> None:
        self.side.changed.connect(self._on_options)
        self.side.invalid.connect(self._on_invalid)
        self.side.type_chosen.connect(self._on_type)
        self.source.textChanged.connect(self._on_source_typed)
        self.source.returnPressed.connect(self._on_source)
        self.browse_button.clicked.connect(self._on_browse)
        self.folder_button.clicked.connect(self._on_folder)
        self.connect_button.clicked.connect(self._on_source)
        self.view.horizontalHeader().sectionClicked.connect(self._on_head)
        self.menu.triggered.connect(self._on_menu)
        self.holding.asked.connect(self._on_source)
        self._pause.timeout.connect(self._look)
        self.buttons.accepted.connect(self._on_open)
        self.buttons.rejected.connect(self.reject)
        self._document.jobs.progressed.connect(self._on_progress)
        self._document.opened.connect(self._on_opened)

    def _look(self) -> None:
        self._document.jobs.start(
            tr("Look into the file"),
            preview_input,
            self.source.text().strip(),
            self._options,
            self.holding.address(),
            on_done=self._on_look,
            on_error=self._on_error,
            replace_key=_KEY,
        )

    def _on_look(self, seen: ImportPreview) -> None:
        if self._options is None:
            self._options = seen.options
            self.side.show_look(seen)
            self.holding.show_source(self.source.text().strip(), seen.why_held)
        self._seen = seen
        schema = self._show_preview(seen)
        if seen.error is not None:
            self._on_error(seen.error)
            return
        self._tell(seen, schema)
        self.open_button.setEnabled(True)
        if self.source.hasFocus():
            self.open_button.setFocus()

    def _show_preview(self, seen: ImportPreview) -> Schema:
        schema = seen.schema
        for name, (chosen, form) in self._types.items():
            if name in seen.table.names:
                schema = schema.with_type(name, chosen, form)
        self.model.set_table(seen.table, schema)
        self.view.fit_columns()
        self.side.show_schema(schema)
        return schema

    def _tell(self, seen: ImportPreview, schema: Schema) -> None:
        """Say how the rows in sight were read; those below them are told about when the table is open."""
        misfits = [tr(sentence) for sentence in misfits_by_column(seen.table, schema)]
        problems = [*misfits, *(tr(problem) for problem in seen.problems)]
        if len(seen.table.names) == 1 and "delimiter" in seen.choices:
            problems.append(tr("There is only one column. If there should be more, choose another delimiter."))
        if problems:
            more = len(problems) - MOST_PROBLEMS
            told = [*problems[:MOST_PROBLEMS], *([tr("{count} more.", count=more)] if more > 0 else [])]
            self.note.show_note("warn" if misfits else "info", tr("In the rows shown: {found}", found="\n".join(told)))
        else:
            self.note.show_note("good", tr("The rows shown are read without repairs."))

    def _on_error(self, error: BaseException) -> None:
        self.bar.hide()
        self._job, self._is_loading = None, False
        self.open_button.setEnabled(False)
        self.note.show_note("bad", _sentence(error))
        if isinstance(error, PasswordNeeded):
            ask_password(self, error.address, self._look)
        if not isinstance(error, AnonymizerError):
            self._document.jobs.tell(error)

    def _on_options(self, options: ReadOptions) -> None:
        self._options = options
        self._pause.start()

    def _on_invalid(self, sentence: str) -> None:
        self._pause.stop()
        self.open_button.setEnabled(False)
        self.note.show_note("bad", sentence)

    def _on_source_typed(self, text: str) -> None:
        self.holding.show_place(text.strip())
        self.connect_button.setText(tr("Connect") if is_address(text) or not text else tr("Read Again"))
        self.open_button.setEnabled(False)
        self.note.show_note("info", tr("Press Return to look into it.") if text.strip() else "")

    def _on_source(self) -> None:
        self.source.setText(bare_address(self.source.text().strip()))
        self._options = None
        self._types.clear()
        self._look()

    def _on_browse(self) -> None:
        here = self.source.text().strip()
        folder = "" if is_address(here) or not here else str(Path(here).parent)
        file_questions.ask_open(self, folder, lambda path: self._read_from(str(path)), tables_only=True)

    def _on_folder(self) -> None:
        here = self.source.text().strip()
        folder = "" if is_address(here) or not here else str(Path(here).parent)
        title = tr("Folder of Parquet or CSV Files")
        file_questions.ask_folder(self, folder, title, lambda path: self._read_from(str(path)))

    def _read_from(self, source: str) -> None:
        self.source.setText(source)
        self._on_source()

    def _on_head(self, place: int) -> None:
        self.side.show_column(place)
        self.menu.clear()
        for column_type in ColumnType:
            entry = self.menu.addAction(tr(column_type.value))
            entry.setData((place, column_type))
            entry.setCheckable(True)
            entry.setChecked(self.model.schema.columns[place].type is column_type)
        head = self.view.horizontalHeader()
        self.menu.popup(head.viewport().mapToGlobal(QPoint(head.sectionViewportPosition(place), head.height())))

    def _on_menu(self, entry: QAction) -> None:
        place, chosen = entry.data()
        self._on_type(self.model.table.names[place], chosen, first_format(chosen))

    def _on_type(self, name: str, chosen: ColumnType, form: str) -> None:
        self._types[name] = (chosen, form)
        if self._seen is not None:
            self._on_look(self._seen)

    def _on_open(self) -> None:
        self._pause.stop()
        self.open_button.setEnabled(False)
        self.bar.show()
        names = self.model.table.names
        types = {name: chosen for name, chosen in self._types.items() if name in names}
        self._is_loading = True
        source = self.source.text().strip()
        options = {**(to_json(self._options) if self._options else {}), **self.holding.options()}
        self._job = self._document.open_table(source, options, on_error=self._on_error, types=types)
        if not self._is_loading:
            self._job = None

    def _on_opened(self) -> None:
        if self._is_loading:
            self._is_loading, self._job = False, None
            self.accept()

    def _on_progress(self, job: Job) -> None:
        if job is self._job:
            self.bar.setValue(round(job.fraction * 1000))
            self.bar.setFormat(tr(job.text) if job.text else "%p%")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take another file."""
        if len(files_of(event)) == 1:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Look into the file that was dropped."""
        event.acceptProposedAction()
        self._read_from(str(files_of(event)[0]))

    def reject(self) -> None:
        """Stop reading, then close; a second look changes nothing."""
        if self._job is not None:
            self._job.cancel()
            self._job, self._is_loading = None, False
            self.bar.hide()
            self.open_button.setEnabled(True)
            return
        super().reject()


def _sentence(error: BaseException) -> str:
    if not isinstance(error, AnonymizerError):
        return tr("The file cannot be read.")
    place = ""
    told = error.message.values if isinstance(error.message, Message) else {}
    if isinstance(error, UnreadableFile) and error.line is not None and "line" not in told:
        place = tr("Line {line}: ", line=error.line)
        if error.column:
            place = tr("Line {line}, column {column}: ", line=error.line, column=error.column)
    return f"{place}{tr(error.message)}\n{tr(error.hint) if error.hint else ''}".strip()
