"""Suggested roles; smallest identifying sets of columns."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.data.tables.suggestions import Suggestion
from anonymizer_gui.engine.data.tables.unique_columns import LARGEST_SET, MOST_FOUND, MOST_ROWS, UniqueCombination
from anonymizer_gui.engine.rooms.microdata.people import RepeatedPersons
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.widgets.accessibility import breakable, name_widget, plain_text
from anonymizer_gui.ui.widgets.role_chip import role_icon, role_name


class RoleSuggestionList(QWidget):
    """Lists suggestions that differ from what is set."""

    accepted = Signal(object)
    """Carries the suggestions to take over."""
    person_accepted = Signal(str)
    """Carries the column that says whom a row is about."""
    dismissed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("suggestions")
        self.headline = QLabel(wordWrap=True)
        self.accept_all = name_widget(QPushButton(tr("Accept All")), "accept_all")
        self.dismiss = name_widget(QPushButton(tr("Dismiss")), "dismiss_suggestions")
        self._area = QScrollArea(widgetResizable=True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._shown: tuple[Suggestion, ...] = ()
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._build()
        self.accept_all.clicked.connect(lambda: self.accepted.emit(self._shown))
        self.dismiss.clicked.connect(lambda: self.dismissed.emit())

    @property
    def shown(self) -> tuple[Suggestion, ...]:
        """The suggestions in the list."""
        return self._shown

    def show_suggestions(
        self, suggestions: Sequence[Suggestion], person: tuple[str, RepeatedPersons] | None = None
    ) -> None:
        """List these suggestions, and the column that seems to say whom a row is about."""
        self._shown = tuple(suggestions)
        self.accept_all.setEnabled(bool(suggestions))
        self.headline.setVisible(bool(suggestions))
        words = tr("{count:column seems|columns seem} to have a role. You decide.", count=len(suggestions))
        self.headline.setText(words)
        body = QWidget()
        grid = QGridLayout(body)
        grid.setColumnStretch(1, 1)
        for row, suggestion in enumerate(suggestions):
            self._add(grid, row, suggestion)
        if person is not None:
            self._add_person(grid, len(suggestions), *person)
        grid.setRowStretch(2 * len(suggestions) + 2, 1)
        self._area.setWidget(body)

    def buttons(self) -> Mapping[str, QToolButton]:
        """Give the button of each column."""
        inside = self._area.widget()
        found = inside.findChildren(QToolButton) if inside else []
        return {button.property("column"): button for button in found}

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.headline)
        row = QHBoxLayout()
        row.addWidget(self.accept_all)
        row.addWidget(self.dismiss)
        row.addStretch()
        layout.addLayout(row)
        layout.addWidget(self._area, 1)

    def _add(self, grid: QGridLayout, row: int, suggestion: Suggestion) -> None:
        words = " ".join(tr(text) for text in (suggestion.reason, suggestion.doubt) if text)
        name = role_name(suggestion.role)
        button = self._line(grid, row, (suggestion.column, name, words), role_icon(suggestion.role))
        button.clicked.connect(lambda _checked=False, one=suggestion: self.accepted.emit((one,)))

    def _add_person(self, grid: QGridLayout, row: int, column: str, found: RepeatedPersons) -> None:
        words = tr(
            "It repeats: {rows:row|rows} with {people:different value|different values}. If it says whom a row is "
            "about, people should be counted and not rows.",
            rows=format_integer(found.known),
            people=format_integer(found.people),
        )
        button = self._line(grid, row, (column, tr("The Person"), words), theme.icon("person"))
        button.setObjectName("accept_person")
        button.clicked.connect(lambda: self.person_accepted.emit(column))

    def _line(self, grid: QGridLayout, row: int, told: tuple[str, str, str], icon: QIcon) -> QToolButton:
        """Add a line: the column, what it seems to be, why; give the button that accepts it."""
        column, what, words = told
        side = self.fontMetrics().height()
        chip = name_widget(QLabel(), tip=what)
        chip.setPixmap(icon.pixmap(side, side))
        title = QLabel(f"{breakable(column)}: {what}", wordWrap=True)
        title.setTextFormat(Qt.TextFormat.PlainText)
        font = title.font()
        font.setBold(True)
        title.setFont(font)
        reason = QLabel(breakable(words), wordWrap=True)
        reason.setTextFormat(Qt.TextFormat.PlainText)
        reason.setForegroundRole(reason.foregroundRole().PlaceholderText)
        button = name_widget(QToolButton(), tip=tr("Accept"))
        button.setIcon(theme.icon("check", "good"))
        button.setProperty("column", column)
        button.setAccessibleName(tr("Accept {role} for {column}", role=what, column=column))
        grid.addWidget(chip, 2 * row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(title, 2 * row, 1)
        grid.addWidget(button, 2 * row, 2, 2, 1, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(reason, 2 * row + 1, 1)
        return button


class IdentifyingSetsPanel(QWidget):
    """Asks for the sets and lists them; marking is the page's business."""

    wanted = Signal()
    stopped = Signal()
    marked = Signal(object)
    """Carries the names of the columns to be quasi-identifiers."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("identifying")
        self.words = name_widget(QLabel(wordWrap=True), "identifying_words")
        self.start = name_widget(QPushButton(tr("Find Them")), "find_identifying")
        self.stop = name_widget(QPushButton(tr("Cancel")), "stop_identifying")
        self.mark = name_widget(QPushButton(tr("Mark as Quasi-identifiers")), "mark_identifying")
        self.list = name_widget(QTableWidget(0, 3), "identifying_sets", spoken=tr("Sets of columns that identify"))
        self._sets: tuple[UniqueCombination, ...] = ()
        self._build()
        self._connect()
        self.forget()

    def forget(self) -> None:
        """Show that nothing is known yet."""
        self._show_rows(())
        self._show_running(False)
        text = tr(
            "Nobody needs a name to be found: a few columns are enough. This looks for the smallest sets of up to "
            "{largest:column|columns} in which more than {share} of all rows have no equal.",
            largest=LARGEST_SET,
            share=format_percent(MOST_ROWS, 0),
        )
        self.words.setText(text)

    def show_running(self) -> None:
        """Show that the sets are being measured."""
        self._show_running(True)
        self.words.setText(tr("Sets of columns are being measured…"))

    def show_stopped(self) -> None:
        """Show that the search was given up."""
        self.forget()

    def show_sets(self, sets: Sequence[UniqueCombination]) -> None:
        """List what was found."""
        self._show_running(False)
        self._show_rows(sets)
        share = format_percent(MOST_ROWS, 0)
        if len(sets) >= MOST_FOUND:
            words = tr("The {count} smallest sets of columns that single out more than {share} of all rows.",
                       count=len(sets), share=share)  # fmt: skip
        elif sets:
            words = tr(
                "{count:set|sets} of columns single out more than {share} of all rows.", count=len(sets), share=share
            )
        else:
            words = tr("No set of up to {largest:column|columns} singles out more than {share} of all rows.",
                       largest=LARGEST_SET, share=share)  # fmt: skip
        self.words.setText(words)
        if sets:
            self.list.selectRow(0)

    def chosen(self) -> list[str]:
        """Name the columns of the selected sets, each once."""
        rows = sorted({index.row() for index in self.list.selectionModel().selectedRows()})
        return list(dict.fromkeys(name for row in rows for name in self._sets[row].columns))

    def _build(self) -> None:
        self.list.setHorizontalHeaderLabels([tr("Columns together"), tr("Size"), tr("Rows singled out")])
        self.list.verticalHeader().hide()
        self.list.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.6))
        self.list.setTabKeyNavigation(False)
        self.list.setShowGrid(False)
        self.list.setAlternatingRowColors(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        head = self.list.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        row = QHBoxLayout()
        for button in (self.start, self.stop, self.mark):
            row.addWidget(button)
        row.addStretch()
        layout = QVBoxLayout(self)
        edge = self.fontMetrics().height() // 2
        layout.setContentsMargins(edge, edge, 0, 0)
        layout.addWidget(self.words)
        layout.addLayout(row)
        layout.addWidget(self.list, 1)

    def _connect(self) -> None:
        self.start.clicked.connect(lambda: self.wanted.emit())
        self.stop.clicked.connect(lambda: self.stopped.emit())
        self.mark.clicked.connect(lambda: self.marked.emit(self.chosen()))
        self.list.itemSelectionChanged.connect(lambda: self.mark.setEnabled(bool(self.chosen())))

    def _show_running(self, is_running: bool) -> None:
        self.start.setEnabled(not is_running)
        self.stop.setVisible(is_running)

    def _show_rows(self, sets: Sequence[UniqueCombination]) -> None:
        self._sets = tuple(sets)
        self.list.setRowCount(len(sets))
        for row, one in enumerate(sets):
            texts = (", ".join(one.columns), str(len(one.columns)), format_percent(one.share))
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                if column:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                item.setToolTip(plain_text("\n".join(one.columns)))
                self.list.setItem(row, column, item)
        self.mark.setEnabled(bool(self.chosen()))
