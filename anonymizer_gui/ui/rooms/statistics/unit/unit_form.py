"""The kind of data, and who is protected in it: a row more or less, a row changed, or a person with some rows."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QButtonGroup, QFormLayout, QLabel, QRadioButton, QSpinBox, QVBoxLayout, QWidget

from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import DATA_KINDS, SURPLUS, data_kind
from anonymizer_gui.engine.rooms.statistics.project import Project, protected_by
from anonymizer_gui.engine.rooms.statistics.question import DEFAULT_DATA_KIND
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox

_MOST_ROWS = 1_000_000


class UnitForm(QWidget):
    """Three kinds of neighbours; for people the column that names them and how many rows each may have."""

    edited = Signal(str, object)
    """Carries what was done and the fields of the project that change."""

    read_as = Signal(str)
    """Carries the shape the data is to be read in."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds = {kind: name_widget(QRadioButton(), f"unit_{kind}") for kind in Neighbours}
        self.shape = name_widget(WidePopupComboBox(), "shape", spoken=tr("Kind of data"))
        self.shape_words = name_widget(QLabel(wordWrap=True), "shape_words")
        self.column = name_widget(WidePopupComboBox(), "person_column")
        self.rows = name_widget(QSpinBox(minimum=1, maximum=_MOST_ROWS), "person_rows")
        self.surplus = name_widget(WidePopupComboBox(), "surplus")
        self.sentence = name_widget(QLabel(wordWrap=True), "unit_sentence")
        self._columns: tuple[str, ...] = ()
        self._build()
        self._connect()

    def show_project(self, project: Project, columns: Sequence[str]) -> None:
        """Show who is protected now."""
        unit, shape = project.unit, data_kind(project.shape)
        self._show_shape(project)
        self._show_columns(columns)
        widgets = (*self.kinds.values(), self.column, self.rows, self.surplus)
        blockers = [QSignalBlocker(widget) for widget in widgets]
        self.kinds[unit.kind].setChecked(True)
        if unit.kind is Neighbours.PERSON:
            self.column.setCurrentIndex(self.column.findData(unit.column))
            self.rows.setValue(unit.rows)
        self.surplus.setCurrentIndex(self.surplus.findData(project.surplus))
        del blockers
        for widget in (self.column, self.rows, self.surplus):
            widget.setEnabled(unit.kind is Neighbours.PERSON)
        for kind, button in self.kinds.items():
            button.setVisible(kind in shape.units())
            button.setText(tr(shape.units().get(kind, "")))
        self.people.setVisible(Neighbours.PERSON in shape.units())
        self.kinds[Neighbours.PERSON].setEnabled(bool(columns))
        self.sentence.setText(tr(protected_by(project)))

    def _build(self) -> None:
        group, layout = QButtonGroup(self), QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for name in DATA_KINDS.names():
            self.shape.addItem(tr(data_kind(name).title), name)
        self.shape.make_room()
        layout.addWidget(self.shape)
        layout.addWidget(self.shape_words)
        usual = data_kind(DEFAULT_DATA_KIND).units()
        for kind, button in self.kinds.items():
            button.setText(tr(usual[kind]))
            group.addButton(button)
            layout.addWidget(button)
        for way, text in SURPLUS.items():
            self.surplus.addItem(tr(text), way)
        self.surplus.make_room()
        self.people = QWidget()
        form = QFormLayout(self.people)
        form.setContentsMargins(2 * self.fontMetrics().height(), 0, 0, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        rows = (
            (tr("Column of the person"), self.column),
            (tr("Rows of a person at most"), self.rows),
            (tr("What is left out"), self.surplus),
        )
        for title, widget in rows:
            label = QLabel(title)
            label.setBuddy(widget)
            widget.setAccessibleName(title)
            form.addRow(label, widget)
        layout.addWidget(self.people)
        layout.addWidget(self.sentence)
        layout.addStretch(1)

    def _connect(self) -> None:
        self.shape.activated.connect(lambda _at: self.read_as.emit(self.shape.currentData()))
        for button in self.kinds.values():
            button.clicked.connect(self._on_unit)
        self.column.currentIndexChanged.connect(self._on_unit)
        self.rows.valueChanged.connect(self._on_unit)
        self.surplus.currentIndexChanged.connect(
            lambda _at: self.edited.emit(tr("Choose which rows are left out"), {"surplus": self.surplus.currentData()})
        )

    def _show_shape(self, project: Project) -> None:
        """Show how the data is read; once something is asked about it, it cannot be read in another way."""
        self.shape.setCurrentIndex(self.shape.findData(project.shape))
        self.shape.setEnabled(not project.questions)
        why = tr("Remove the questions first: they are about this kind of data.")
        self.shape.setToolTip(why if project.questions else "")
        self.shape_words.setText(tr(data_kind(project.shape).summary))

    def _show_columns(self, columns: Sequence[str]) -> None:
        if tuple(columns) == self._columns:
            return
        self._columns = tuple(columns)
        blocker = QSignalBlocker(self.column)
        self.column.clear()
        for name in columns:
            self.column.addItem(name, name)
        del blocker

    def _on_unit(self) -> None:
        kind = next(kind for kind, button in self.kinds.items() if button.isChecked())
        if kind is not Neighbours.PERSON:
            unit = PrivacyUnit(kind)
        elif self.column.currentData():
            unit = PrivacyUnit(kind, self.column.currentData(), self.rows.value())
        else:
            return
        self.edited.emit(tr("Choose who is protected"), {"unit": unit})
