"""Import of a table: options, types, where it is held, preview."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGroupBox,
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
from anonymizer_gui.engine.core.params import Json, to_json
from anonymizer_gui.engine.data.tables.io import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_write import IN_MEMORY, ImportPreview, misfits_by_column
from anonymizer_gui.engine.data.tables.table import ColumnType, Schema
from anonymizer_gui.engine.scale.contract import is_for_cluster, is_for_engines
from anonymizer_gui.engine.scale.engine_choice import DUCKDB, can_duckdb_hold
from anonymizer_gui.engine.scale.sampled_table import preview_input
from anonymizer_gui.engine.storage.sources import ENGINE_OPTION, PasswordNeeded, is_address
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.dialogs import file_dialogs
from anonymizer_gui.ui.dialogs.database_dialogs import address_without_password, ask_password
from anonymizer_gui.ui.dialogs.file_dialogs import local_paths
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.combo_boxes import ColumnTypeBox, first_format
from anonymizer_gui.ui.widgets.layout import VerticalScrollArea, resize_in_text_lines
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.param_form import ParamForm
from anonymizer_gui.ui.widgets.table_view import DISPLAY, TableModel, TableView
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Job

_ASKED = (
    "delimiter", "quote", "encoding", "header", "skip_lines", "decimal", "missing", "short_rows", "long_rows",
    "stray_bytes",
)  # fmt: skip


class ImportOptionsPanel(QWidget):
    """Shows only what makes a difference to the source that is looked at."""

    changed = Signal(object)
    """Carries the new options."""
    invalid = Signal(str)
    type_chosen = Signal(str, object, str)
    """Carries a column, its type and the format."""

    def __init__(self) -> None:
        super().__init__()
        self._options: ReadOptions | None = None
        self._schema = Schema()
        self.part = name_widget(QComboBox(), "import_part")
        self.query = name_widget(QLineEdit(placeholderText="SELECT …"), "import_query")
        self.form = ParamForm(ReadOptions, names=_ASKED)
        self.column = name_widget(QComboBox(), "import_column")
        self._types = QGroupBox(tr("Types of the columns"))
        types = QFormLayout(self._types)
        types.addRow(tr("Column"), self.column)
        self.type = ColumnTypeBox(types)
        self._build()
        self._connect()

    def show_look(self, seen: ImportPreview) -> None:
        """Show the options proposed for a source, and hide those that are nothing to it."""
        self._options = seen.options
        self.form.set_value(seen.options)
        self.form.show_only(seen.choices)
        self.form.setVisible(any(name in seen.choices for name in _ASKED))
        self.part.clear()
        self.part.addItems(list(seen.parts))
        self.part.setCurrentText(seen.options.part)
        self.query.setText(seen.options.query)
        self._parts.setRowVisible(self.part, len(seen.parts) > 0)
        self._parts.setRowVisible(self.query, "query" in seen.choices)

    def show_schema(self, schema: Schema) -> None:
        """Show the types of the columns, staying at the one that is looked at."""
        here = self.column.currentText()
        self._schema = schema
        self.column.clear()
        self.column.addItems([column.name for column in schema.columns])
        self.column.setCurrentIndex(max(self.column.findText(here), 0) if schema.columns else -1)
        self._types.setVisible(bool(schema.columns))
        self._on_column()

    def show_column(self, place: int) -> None:
        """Look at another column."""
        self.column.setCurrentIndex(place)
        self._on_column()

    def _build(self) -> None:
        self._parts = QFormLayout()
        self._parts.addRow(tr("Sheet or table"), self.part)
        self._parts.addRow(tr("Query"), self.query)
        self._parts.setRowVisible(self.part, False)
        self._parts.setRowVisible(self.query, False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, self.fontMetrics().height() // 2, 0)
        layout.addLayout(self._parts)
        layout.addWidget(self.form)
        layout.addWidget(self._types)
        layout.addStretch()
        self._types.hide()
        self.form.hide()  # delimiter and quotes are nothing to a database; what is asked follows from the source
        for box in (self.part, self.column):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(12)
        for field in self.form.fields.values():
            _widen(field.widget)

    def _connect(self) -> None:
        self.form.changed.connect(self._on_options)
        self.form.invalid.connect(self.invalid)
        self.part.activated.connect(self._on_part)
        self.query.textEdited.connect(self._on_part)
        self.column.activated.connect(self._on_column)
        self.type.chosen.connect(self._on_type)

    def _on_options(self, options: ReadOptions) -> None:
        before = self._options or options
        self._tell(replace(options, part=before.part, query=before.query))

    def _on_part(self) -> None:
        if self._options is not None:
            self._tell(replace(self._options, part=self.part.currentText(), query=self.query.text().strip()))

    def _tell(self, options: ReadOptions) -> None:
        self._options = options
        self.changed.emit(options)

    def _on_column(self) -> None:
        if self.column.currentText():
            self.type.show_type(self._schema.column(self.column.currentText()))

    def _on_type(self, column_type: ColumnType, column_format: str) -> None:
        self.type_chosen.emit(self.column.currentText(), column_type, column_format)


def _widen(widget: QWidget) -> None:
    """Make room for the longest words a field can show; a row too narrow for them is put under its label."""
    if isinstance(widget, QComboBox):
        widget.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        widget.setMinimumWidth(0 if widget.isEditable() else widget.sizeHint().width())
    elif isinstance(widget, QLineEdit):
        metrics = widget.fontMetrics()
        widget.setMinimumWidth(metrics.horizontalAdvance(widget.placeholderText()) + metrics.height())


class StorageChoice(QWidget):
    """A box to tick, and why it is ticked already, or the address of a cluster; hidden for what no engine reads."""

    asked = Signal()
    """Return was pressed at the address of the cluster."""

    def __init__(self) -> None:
        super().__init__()
        self.box = name_widget(QCheckBox(tr("Leave the table where it is, and let DuckDB read it")), "import_held")
        self.why = name_widget(QLabel(wordWrap=True), "import_why")
        self.box.setToolTip(tr("Some rows are shown, figures of columns are exact, and runs go through Run Elsewhere."))
        self.cluster = name_widget(QLineEdit(), "import_cluster", spoken=tr("Spark cluster"))
        self.cluster.setPlaceholderText("sc://host:15002")
        self.cluster.setToolTip(
            tr("The token is taken from the keyring or from ANONYMIZER_SPARK_TOKEN, and never saved.")
        )
        self._form = QFormLayout()
        self._form.addRow(tr("Spark cluster"), self.cluster)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(self._form)
        layout.addWidget(self.box)
        layout.addWidget(self.why)
        self._is_decided = False
        self.box.clicked.connect(self._on_clicked)
        self.cluster.returnPressed.connect(self.asked)
        self.show_place("")

    def show_place(self, source: str) -> None:
        """Ask for the cluster as soon as a place is typed that only a cluster sees."""
        is_far = is_for_cluster(source)
        self._form.setRowVisible(self.cluster, is_far)
        self.box.setVisible(not is_far)
        self.why.setVisible(False)
        self.setVisible(is_far)

    def address(self) -> str:
        """Give the address of the cluster; nothing where none is asked for."""
        return self.cluster.text().strip() if self._form.isRowVisible(self.cluster) else ""

    def show_source(self, source: str, why: Message | None) -> None:
        """Tick the box where memory would hardly suffice, and say why in one line."""
        self._is_decided = False
        self.box.setChecked(why is not None)
        self.box.setEnabled(not is_for_engines(source))
        self.why.setText(tr(why) if why is not None else "")
        self.why.setVisible(why is not None)
        self.setVisible(can_duckdb_hold(source) or is_for_cluster(source))

    def options(self) -> dict[str, Json]:
        """Give the entry of the source that says so; nothing where memory was never in doubt."""
        if address := self.address():
            return {ENGINE_OPTION: address}
        if self.box.isChecked():
            return {ENGINE_OPTION: DUCKDB}
        return {ENGINE_OPTION: IN_MEMORY} if self._is_decided else {}

    def _on_clicked(self) -> None:
        self._is_decided = True


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


class ImportTableDialog(QDialog):
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
        self.source = name_widget(QLineEdit(source), "import_source")
        self.browse_button = name_widget(QPushButton(tr("Browse…"), autoDefault=False), "import_browse")
        self.folder_button = name_widget(QPushButton(tr("Folder…"), autoDefault=False), "import_folder")
        self.connect_button = name_widget(QPushButton(tr("Connect"), autoDefault=False), "import_connect")
        self.side = ImportOptionsPanel()
        self.model = PreviewModel()
        self.view = TableView(self.model, document.jobs)
        self.menu = QMenu(self)
        self.holding = StorageChoice()
        self.note = InlineMessage()
        self.bar = name_widget(QProgressBar(maximum=1000), spoken=tr("Progress"))
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
        splitter = name_widget(QSplitter(childrenCollapsible=False), "import_splitter")
        area = VerticalScrollArea(self.side)
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
        theme.strip_button_icons(self.buttons)
        # A text field would take a dropped file for a text.
        for field in self.findChildren(QLineEdit):
            field.setAcceptDrops(False)
        resize_in_text_lines(self, 70, 40)

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
        self.source.setText(address_without_password(self.source.text().strip()))
        self._options = None
        self._types.clear()
        self._look()

    def _on_browse(self) -> None:
        here = self.source.text().strip()
        folder = "" if is_address(here) or not here else str(Path(here).parent)
        file_dialogs.ask_open(self, folder, lambda path: self._read_from(str(path)), tables_only=True)

    def _on_folder(self) -> None:
        here = self.source.text().strip()
        folder = "" if is_address(here) or not here else str(Path(here).parent)
        title = tr("Folder of Parquet or CSV Files")
        file_dialogs.ask_folder(self, folder, title, lambda path: self._read_from(str(path)))

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
        if len(local_paths(event)) == 1:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Look into the file that was dropped."""
        event.acceptProposedAction()
        self._read_from(str(local_paths(event)[0]))

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
