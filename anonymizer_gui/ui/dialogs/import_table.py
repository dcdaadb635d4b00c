"""Opening a table: the first rows are shown as they will be read, while one changes how they are read."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.errors import AnonymizerError, UnreadableFile
from anonymizer_gui.engine.project_file import is_address
from anonymizer_gui.engine.table import ColumnType, Schema, Table
from anonymizer_gui.engine.table_io import ReadOptions
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.item_models.table_model import DISPLAY, TableModel
from anonymizer_gui.ui.widgets.note import Note
from anonymizer_gui.ui.widgets.param_form import ParamForm
from anonymizer_gui.ui.widgets.table_view import TableView
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Job
from anonymizer_gui.workspace.looking import Look, look

TYPING_PAUSE_MS = 250
_SHOWN = ("delimiter", "quote", "encoding", "header", "skip_lines", "decimal", "missing", "short_rows", "long_rows")
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
        super().__init__(parent, objectName="import_dialog", windowTitle=tr("Open Table"))
        self._document = document
        self._options: ReadOptions | None = None
        self._types: dict[str, ColumnType] = {}
        self._schema = Schema()
        self._job: Job | None = None
        self._is_loading = False
        self._pause = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self.source = QLineEdit(source, objectName="import_source")
        self.connect_button = QPushButton(tr("Connect"), objectName="import_connect")
        self.part = QComboBox(objectName="import_part")
        self.query = QLineEdit(objectName="import_query")
        self.form = ParamForm(ReadOptions, names=_SHOWN)
        self.model = PreviewModel()
        self.view = TableView(self.model, document.jobs)
        self.note = Note()
        self.bar = QProgressBar(maximum=1000, textVisible=False, visible=False, accessibleName=tr("Progress"))
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
        splitter = QSplitter(objectName="import_splitter")
        area = QScrollArea(widgetResizable=True, frameShape=QFrame.Shape.NoFrame)
        area.setWidget(self._options_side())
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setMinimumWidth(self.fontMetrics().height() * 20)
        splitter.addWidget(area)
        splitter.addWidget(self.view)
        splitter.setStretchFactor(1, 1)
        layout.addWidget(splitter, 1)
        layout.addWidget(self.note)
        row = QHBoxLayout()
        row.addWidget(self.bar, 1)
        row.addWidget(self.buttons)
        layout.addLayout(row)
        self.view.setAccessibleName(tr("Preview"))
        self.view.horizontalHeader().setToolTip(tr("Click a name to choose the type of its column"))
        self.open_button.setDefault(True)
        theme.plain_buttons(self.buttons)
        line = self.fontMetrics().height()
        self.resize(line * 66, line * 38)

    def _source_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        label = QLabel(tr("File or database"))
        label.setBuddy(self.source)
        self.source.setPlaceholderText("sqlite:///people.db, postgresql://user@host/database")
        row.addWidget(label)
        row.addWidget(self.source, 1)
        row.addWidget(self.connect_button)
        self.connect_button.setAutoDefault(False)
        return row

    def _options_side(self) -> QWidget:
        side = QWidget()
        layout = QVBoxLayout(side)
        layout.setContentsMargins(0, 0, self.fontMetrics().height() // 2, 0)
        self._part_form = QFormLayout()
        self._part_form.addRow(tr("Sheet or table"), self.part)
        self._part_form.addRow(tr("Query"), self.query)
        self.query.setPlaceholderText("SELECT …")
        layout.addLayout(self._part_form)
        layout.addWidget(self.form)
        layout.addStretch()
        self._part_form.setRowVisible(self.part, False)
        self._part_form.setRowVisible(self.query, False)
        return side

    def _connect(self) -> None:
        self.form.changed.connect(self._on_options)
        self.form.invalid.connect(self._on_invalid)
        self.part.activated.connect(self._on_part)
        self.query.textEdited.connect(self._on_part)
        self.source.textChanged.connect(self._on_source_typed)
        self.source.returnPressed.connect(self._on_source)
        self.connect_button.clicked.connect(self._on_source)
        self.view.horizontalHeader().sectionClicked.connect(self._on_head)
        self._pause.timeout.connect(self._look)
        self.buttons.accepted.connect(self._on_open)
        self.buttons.rejected.connect(self.reject)
        self._document.jobs.progressed.connect(self._on_progress)
        self._document.opened.connect(self._on_opened)

    def _look(self) -> None:
        self._document.jobs.start(
            tr("Look into the file"),
            look,
            self.source.text().strip(),
            self._options,
            on_done=self._on_look,
            on_error=self._on_error,
            replace_key=_KEY,
        )

    def _on_look(self, seen: Look) -> None:
        if self._options is None:
            self._options = seen.options
            self.form.set_value(seen.options)
            self._show_parts(seen)
        self._schema = seen.schema
        self._show_preview(seen.table)
        if seen.error is not None:
            self._on_error(seen.error)
            return
        self._tell(seen)
        self.open_button.setEnabled(True)
        if self.source.hasFocus():
            self.open_button.setFocus()

    def _tell(self, seen: Look) -> None:
        """Say how the rows in sight were read; those below them are told about when the table is open."""
        problems = [tr(problem) for problem in seen.problems[:4]]
        if len(seen.table.names) == 1 and not is_address(self.source.text()):
            problems.append(tr("There is only one column. If there should be more, choose another delimiter."))
        if problems:
            self.note.show_note("info", tr("In the rows shown: {found}", found="\n".join(problems)))
        else:
            self.note.show_note("good", tr("The rows shown are read without repairs."))

    def _show_preview(self, table: Table) -> None:
        schema = self._schema
        for name, chosen in self._types.items():
            if name in table.names:
                schema = schema.with_type(name, chosen, _format_of(schema, name, chosen))
        self.model.set_table(table, schema)
        self.view.fit_columns()
        self._schema = schema

    def _show_parts(self, seen: Look) -> None:
        self.part.clear()
        self.part.addItems(list(seen.parts))
        self.part.setCurrentText(seen.options.part)
        from_database = is_address(self.source.text())
        self._part_form.setRowVisible(self.part, len(seen.parts) > 0)
        self._part_form.setRowVisible(self.query, from_database)
        self.form.setVisible(not from_database)

    def _on_error(self, error: BaseException) -> None:
        self.bar.hide()
        self._job, self._is_loading = None, False
        self.open_button.setEnabled(False)
        self.note.show_note("bad", _sentence(error))
        if not isinstance(error, AnonymizerError):
            self._document.jobs.tell(error)

    def _on_options(self, options: ReadOptions) -> None:
        part = self._options.part if self._options else ""
        query = self._options.query if self._options else ""
        self._options = replace(options, part=part, query=query)
        self._pause.start()

    def _on_invalid(self, sentence: str) -> None:
        self._pause.stop()
        self.open_button.setEnabled(False)
        self.note.show_note("bad", sentence)

    def _on_part(self) -> None:
        if self._options is not None:
            self._options = replace(self._options, part=self.part.currentText(), query=self.query.text().strip())
            self._pause.start()

    def _on_source_typed(self, text: str) -> None:
        self.connect_button.setText(tr("Connect") if is_address(text) or not text else tr("Read Again"))
        self.open_button.setEnabled(False)

    def _on_source(self) -> None:
        self._options = None
        self._types.clear()
        self._look()

    def _on_head(self, place: int) -> None:
        head = self.view.horizontalHeader()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for column_type in ColumnType:
            entry = menu.addAction(tr(column_type.value))
            entry.setCheckable(True)
            entry.setChecked(self._schema.columns[place].type is column_type)
            entry.triggered.connect(lambda _=False, chosen=column_type: self._on_type(place, chosen))
        menu.popup(head.viewport().mapToGlobal(QPoint(head.sectionViewportPosition(place), head.height())))

    def _on_type(self, place: int, chosen: ColumnType) -> None:
        name = self.model.table.names[place]
        self._types[name] = chosen
        self._show_preview(self.model.table)

    def _on_open(self) -> None:
        self._pause.stop()
        self.open_button.setEnabled(False)
        self.bar.show()
        source = self.source.text().strip()
        types = {name: (chosen, self._schema.column(name).format) for name, chosen in self._types.items()}
        self._is_loading = True
        self._job = self._document.open_table(source, self._options, on_error=self._on_error, types=types)
        if not self._is_loading:
            self._job = None

    def _on_opened(self) -> None:
        if self._is_loading:
            self._is_loading, self._job = False, None
            self.accept()

    def _on_progress(self, job: Job) -> None:
        if job is self._job:
            self.bar.setValue(round(job.fraction * 1000))

    def reject(self) -> None:
        """Stop reading, then close; a second look changes nothing."""
        if self._job is not None:
            self._job.cancel()
            self._job, self._is_loading = None, False
            self.bar.hide()
            self.open_button.setEnabled(True)
            return
        super().reject()


def _format_of(schema: Schema, name: str, chosen: ColumnType) -> str:
    entry = schema.column(name)
    defaults = {ColumnType.DATE: "%Y-%m-%d", ColumnType.DECIMAL: "."}
    return entry.format if entry.type is chosen else defaults.get(chosen, "")


def _sentence(error: BaseException) -> str:
    if not isinstance(error, AnonymizerError):
        return tr("The file cannot be read.")
    place = ""
    if isinstance(error, UnreadableFile) and error.line is not None:
        place = tr("Line {line}: ", line=error.line)
        if error.column:
            place = tr("Line {line}, column {column}: ", line=error.line, column=error.column)
    return f"{place}{tr(error.message)}\n{tr(error.hint) if error.hint else ''}".strip()
