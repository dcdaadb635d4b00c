"""What happens to each column on its way out: removed, replaced, generalised, left out, or published as it is."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QWidget

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.masking.steps import is_masked
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.output_format import untruthful_output_columns
from anonymizer_gui.engine.rooms.microdata.release.pseudonyms import PSEUDONYM_KINDS
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import plain_text
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.role_chip import role_icon, role_name


class LeavingColumns(QTableWidget):
    """A row per column; identifiers may get pseudonyms, columns of no role are agreed to or left out."""

    pseudonym_chosen = Signal(str, str)
    """Carries the column and the way; an empty way removes the column."""
    decided = Signal(str, str)
    """Carries a column of no role and what was decided: agreed, left_out, or nothing."""

    def __init__(self) -> None:
        super().__init__(0, 2)
        self.setObjectName("leaving_columns")
        self.setHorizontalHeaderLabels([tr("Column"), tr("In the release")])
        self.setAccessibleName(tr("Columns of the release"))
        self.verticalHeader().hide()
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        head = self.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.setMinimumWidth(self.fontMetrics().height() * 18)
        self._shown: object = None

    def show_project(self, project: Project) -> None:
        """Show the columns as they are decided."""
        publishing = project.publishing
        untrue = untruthful_output_columns(project)
        shown = (
            project.schema,
            publishing.pseudonyms,
            publishing.left_out,
            project.acknowledged,
            project.goals,
            untrue,
        )
        if shown == self._shown:
            return
        self._shown = shown
        ways = dict(project.publishing.pseudonyms)
        self.setRowCount(len(project.schema.columns))
        for row, column in enumerate(project.schema.columns):
            name = tr("{column} (not truthful)", column=column.name) if column.name in untrue else column.name
            item = QTableWidgetItem(role_icon(column.role), name)
            item.setToolTip(plain_text(f"{column.name}: {role_name(column.role)}"))
            self.setItem(row, 0, item)
            self.setCellWidget(row, 1, self._fate(column.name, column.role, ways, project))
        self.resizeRowsToContents()
        self._fit()

    def _fate(self, name: str, role: Role, ways: dict[str, str], project: Project) -> QWidget:
        if role is Role.EI:
            return self._pseudonym_box(name, ways.get(name, ""))
        if role is Role.OTHER:
            return self._decision_box(name, project)
        is_protected = project.protects(name)
        kept = tr("unchanged, protected") if is_protected else tr("unchanged, not protected")
        if is_masked(project.source, name):
            kept = tr("masked, protected") if is_protected else tr("masked, not protected")
        changed = tr("items grouped or deleted") if name in project.schema.sets else tr("generalised")
        told = QLabel(changed if role is Role.QI else kept)
        if role is Role.SA:
            told.setToolTip(tr("A goal is about it") if is_protected else tr("No goal is about it"))
        told.setMargin(self.fontMetrics().height() // 4)
        return told

    def _fit(self) -> None:
        """Let what happens to a column be read in full; a name too long for the rest is told by its tooltip."""
        wanted = self.sizeHintForColumn(0) + self.fontMetrics().height()
        left = self.viewport().width() - self.sizeHintForColumn(1)
        self.setColumnWidth(0, max(min(wanted, left), self.fontMetrics().height() * 7))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        self._fit()

    def _decision_box(self, name: str, project: Project) -> WidePopupComboBox:
        box = WidePopupComboBox()
        box.setObjectName(f"decide_{name}")
        masked = is_masked(project.source, name)
        box.addItem(tr("masked, not yet agreed") if masked else tr("unchanged, not yet agreed"), "")
        box.addItem(tr("masked; I agree") if masked else tr("unchanged; I agree"), "agreed")
        box.addItem(tr("left out"), "left_out")
        is_left_out, is_agreed = name in project.publishing.left_out, name in project.acknowledged
        box.setCurrentIndex(2 if is_left_out else int(is_agreed))
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.setAccessibleName(tr("What happens to {column}", column=name))
        box.activated.connect(lambda place: self.decided.emit(name, box.itemData(place)))
        return box

    def _pseudonym_box(self, name: str, way: str) -> WidePopupComboBox:
        box = WidePopupComboBox()
        box.setObjectName(f"pseudonym_{name}")
        box.addItem(tr("removed"), "")
        for entry, words in PSEUDONYM_KINDS.items():
            box.addItem(tr(words), entry)
        box.setCurrentIndex(box.findData(way))
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.setAccessibleName(tr("What happens to {column}", column=name))
        box.activated.connect(lambda place: self.pseudonym_chosen.emit(name, box.itemData(place)))
        return box
