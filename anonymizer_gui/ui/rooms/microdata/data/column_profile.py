"""The selected column: facts, histogram, role and type."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QButtonGroup,
    QFormLayout,
    QGridLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.data.tables.column_profile import Profile
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.widgets.accessibility import breakable, name_widget, plain_text
from anonymizer_gui.ui.widgets.combo_boxes import ColumnTypeBox
from anonymizer_gui.ui.widgets.layout import VerticalScrollArea
from anonymizer_gui.ui.widgets.role_chip import ROLE_LETTERS, role_help, role_icon, role_name


class MiniHistogram(QWidget):
    """Bars of equal width; the pointer shows what each stands for."""

    def __init__(self) -> None:
        super().__init__()
        self._bars: Sequence[tuple[str, int]] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Distribution"))

    def set_bars(self, bars: Sequence[tuple[str, int]]) -> None:
        """Show other bars: their words and heights."""
        self._bars = bars
        words = ", ".join(f"{label}: {format_integer(rows)}" for label, rows in bars)
        self.setAccessibleDescription(words)
        self.update()

    def sizeHint(self) -> QSize:
        """Be as high as six lines of text."""
        height = self.fontMetrics().height()
        return QSize(height * 10, height * 5)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars on a ground line."""
        painter = QPainter(self)
        base = self.height() - 1.0
        painter.setPen(theme.color("line"))
        painter.drawLine(QPointF(0, base), QPointF(self.width(), base))
        highest = max((rows for _, rows in self._bars), default=0)
        if not highest:
            return
        step = self.width() / len(self._bars)
        gap = min(2.0, step * 0.2)
        for place, (_, rows) in enumerate(self._bars):
            tall = max(rows / highest * (base - 2), 1.0 if rows else 0.0)
            painter.fillRect(QRectF(place * step + gap / 2, base - tall, step - gap, tall), theme.color("series_1"))

    def event(self, event: QEvent) -> bool:
        """Tell what the bar under the pointer stands for."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._bars:
            place = min(int(event.pos().x() / max(self.width(), 1) * len(self._bars)), len(self._bars) - 1)
            label, rows = self._bars[max(place, 0)]
            words = tr("{label}: {rows:row|rows}", label=label, rows=format_integer(rows))
            QToolTip.showText(event.globalPos(), plain_text(words), self)
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Redraw in the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()


class ColumnProfilePanel(VerticalScrollArea):
    """Shows one column; a button of a role or a type asks for that change."""

    role_chosen = Signal(object)
    type_chosen = Signal(object, str)
    left_out_chosen = Signal()
    agreed = Signal()
    person_chosen = Signal()

    def __init__(self) -> None:
        super().__init__(QWidget())
        self.setObjectName("column_panel")
        self.title = name_widget(QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True), "column_title")
        self.roles = {role: name_widget(QPushButton(), f"role_{role.value}") for role in Role}
        self.left_out = name_widget(QPushButton(tr("Leave Out")), "leave_out")
        self.agree = name_widget(QPushButton(tr("Agree to Publish")), "agree_column")
        self.person = name_widget(QPushButton(tr("The Person")), "person_column")
        self._type_form = QFormLayout()
        self.type = ColumnTypeBox(self._type_form)
        self.whose = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "column_whose")
        self.facts = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "column_facts")
        self.bars = MiniHistogram()
        self.ends = name_widget(QLabel(), "column_ends")
        self.top = name_widget(QTableWidget(0, 2), "column_top")
        self.problems = name_widget(QLabel(wordWrap=True), "column_problems")
        self._build()
        self._connect()

    def show_columns(self, columns: Sequence[ColumnSchema]) -> None:
        """Show name, role and type, of several the role they share; the figures follow with `show_profile`."""
        is_one = len(columns) == 1
        self.title.setText(breakable(columns[-1].name) if is_one else tr("{count:column|columns}", count=len(columns)))
        self.whose.setText(tr("Figures of {column}:", column=breakable(columns[-1].name)))
        self.whose.setVisible(not is_one)
        shared = {column.role for column in columns}
        # An exclusive group would keep one button pressed where the columns have different roles.
        self._group.setExclusive(False)
        for role, button in self.roles.items():
            button.setIcon(role_icon(role))
            button.setChecked(shared == {role})
        self._group.setExclusive(len(shared) == 1)
        for role, button in self.roles.items():
            self._colour(role, button)
        self.type.show_type(columns[-1])

    def show_leaving(self, project: Project, names: Sequence[str]) -> None:
        """Show whether the columns are left out, or agreed to be published as they are."""
        others = project.schema.names(Role.OTHER)
        left_out = set(project.left_out_columns())
        self.left_out.setChecked(left_out.issuperset(names))
        self.left_out.setEnabled(not set(project.schema.names(Role.EI)).issuperset(names))
        self.agree.setEnabled(set(others).issuperset(names))
        self.person.setIcon(theme.icon("person"))
        self.person.setEnabled(len(names) == 1)
        self.person.setChecked(list(names) == [project.person])
        self.person.setVisible(set(project.schema.names(Role.EI)).issuperset(names))
        self.agree.setChecked(set(project.acknowledged).difference(left_out).issuperset(names))

    def show_profile(self, profile: Profile) -> None:
        """Show the figures of a column."""
        self.facts.setText(_facts(profile))
        self.bars.set_bars([(bar.label, bar.rows) for bar in profile.bars])
        self.ends.setText(tr("{low} to {high}", low=profile.lowest, high=profile.highest) if profile.lowest else "")
        self.ends.setVisible(bool(profile.lowest))
        self._show_top(profile)
        values = ", ".join(tr("“{name}”", name=value) for value in profile.misfit_values[:5])
        words = tr(
            "{count:cell does|cells do} not fit the type: {values}",
            count=format_integer(profile.misfits),
            values=values,
        )
        self.problems.setText(words if profile.misfits else "")
        self.problems.setVisible(bool(profile.misfits))

    def _build(self) -> None:
        layout = QVBoxLayout(self.inside)
        font = self.title.font()
        font.setBold(True)
        font.setPointSizeF(font.pointSizeF() * 1.2)
        self.title.setFont(font)
        layout.addWidget(self.title)
        layout.addLayout(self._role_buttons())
        layout.addLayout(self._leaving_buttons())
        layout.addWidget(self.person)
        layout.addLayout(self._type_form)
        layout.addWidget(self.whose)
        layout.addWidget(self.problems)
        layout.addWidget(self.facts)
        layout.addWidget(self.bars)
        layout.addWidget(self.ends)
        layout.addWidget(self.top, 1)
        self._build_top()
        self._build_person()

    def _role_buttons(self) -> QGridLayout:
        grid = QGridLayout()
        self._group = QButtonGroup(self)
        for place, (role, button) in enumerate(self.roles.items()):
            button.setCheckable(True)
            button.setText(role_name(role))
            button.setToolTip(f"{role_help(role)} ({ROLE_LETTERS[role]})")
            button.setStatusTip(role_help(role))
            self._group.addButton(button)
            grid.addWidget(button, place // 2, place % 2)
        return grid

    def _leaving_buttons(self) -> QGridLayout:
        grid = QGridLayout()
        tips = (
            tr("Publish nothing of it; a quasi-identifier or sensitive column loses its role"),
            tr("Publish a column without a role as it is"),
        )
        for place, (button, tip) in enumerate(zip((self.left_out, self.agree), tips, strict=True)):
            button.setCheckable(True)
            button.setToolTip(tip)
            button.setStatusTip(tip)
            grid.addWidget(button, 0, place)
            grid.setColumnStretch(place, 1)
        return grid

    def _build_person(self) -> None:
        tip = tr("Count people and not rows wherever somebody has several: in k, every l, risk, attacks and the ledger")
        self.person.setCheckable(True)
        self.person.setToolTip(tip)
        self.person.setStatusTip(tip)

    def _build_top(self) -> None:
        self.top.setHorizontalHeaderLabels([tr("Most frequent"), tr("Rows")])
        self.top.setAccessibleName(tr("Most frequent values"))
        self.top.verticalHeader().hide()
        self.top.horizontalHeader().setSectionResizeMode(0, self.top.horizontalHeader().ResizeMode.Stretch)
        self.top.horizontalHeader().setSectionResizeMode(1, self.top.horizontalHeader().ResizeMode.ResizeToContents)
        self.top.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.top.setTabKeyNavigation(False)
        self.top.setMinimumHeight(self.fontMetrics().height() * 8)
        self.top.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.5))

    def _connect(self) -> None:
        for role, button in self.roles.items():
            button.clicked.connect(lambda _checked=False, role=role: self.role_chosen.emit(role))
        # A second click takes the decision back: the column is of no role and open again.
        self.left_out.clicked.connect(
            lambda on: self.left_out_chosen.emit() if on else self.role_chosen.emit(Role.OTHER)
        )
        self.agree.clicked.connect(lambda on: self.agreed.emit() if on else self.role_chosen.emit(Role.OTHER))
        self.person.clicked.connect(lambda: self.person_chosen.emit())
        self.type.chosen.connect(self.type_chosen)

    def _colour(self, role: Role, button: QPushButton) -> None:
        """Make the button of the present role stand out by weight and colour."""
        font = button.font()
        font.setBold(button.isChecked())
        button.setFont(font)
        palette = QPalette()
        if button.isChecked():
            palette.setColor(QPalette.ColorRole.Button, theme.color(f"{role.value}_soft"))
        button.setPalette(palette)

    def _show_top(self, profile: Profile) -> None:
        self.top.setRowCount(len(profile.top))
        for row, (label, rows) in enumerate(profile.top):
            count = QTableWidgetItem(format_integer(rows))
            count.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.top.setItem(row, 0, QTableWidgetItem(label))
            self.top.setItem(row, 1, count)


def _facts(profile: Profile) -> str:
    share = profile.unique / profile.rows if profile.rows else 0.0
    return "\n".join(
        [
            tr("{count:distinct value|distinct values}", count=format_integer(profile.distinct)),
            tr("{count} missing", count=format_integer(profile.missing)),
            tr(
                "{count:row|rows} with a value of their own ({share})",
                count=format_integer(profile.unique),
                share=format_percent(share),
            ),
            tr("Distinction {share}: distinct values per row", share=format_percent(profile.distinction, 2)),
            tr("Separation {share}: pairs of rows it tells apart", share=format_percent(profile.separation, 2)),
        ]
    )
