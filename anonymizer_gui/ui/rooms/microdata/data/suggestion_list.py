"""Suggested roles with their reasons: taken one by one, all at once, or not at all."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.data.tables.suggestions import Suggestion
from anonymizer_gui.engine.rooms.microdata.people import RepeatedPersons
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.widgets.accessibility import breakable, name_widget
from anonymizer_gui.ui.widgets.role_chip import role_icon, role_name


class SuggestionList(QWidget):
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
