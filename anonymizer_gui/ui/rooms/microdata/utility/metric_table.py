"""The utility measures as a table: value, where it stands between best and worst, and what it says in words."""

from collections.abc import Mapping
from math import isnan

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
)

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.rooms.microdata.thresholds import BAD_LOSS, GOOD_LOSS
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Metric, MetricResult
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import error_text, format_percent, tr
from anonymizer_gui.ui.rooms.microdata.figures import number
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_text

MEASURE, VALUE, SCALE, WORDS = range(4)
_PLACE = Qt.ItemDataRole.UserRole
_SHARES = ((0.0, 1.0), (1.0, 0.0))


class MetricTable(QTableWidget):
    """A row per measure; the bar begins at the best value and is full at the worst."""

    def __init__(self) -> None:
        super().__init__(0, 4)
        self.setObjectName("metrics")
        self._values: dict[str, str] = {}
        self.setHorizontalHeaderLabels([tr("Measure"), tr("Value"), tr("Best to worst"), tr("In words")])
        self.setAccessibleName(tr("Measures of utility"))
        self.verticalHeader().hide()
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.verticalHeader().setMinimumSectionSize(round(self.fontMetrics().height() * 2.6))
        self.setMinimumWidth(self.fontMetrics().height() * 28)
        self.setItemDelegateForColumn(SCALE, _ScaleDelegate(self))
        head = self.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(SCALE, QHeaderView.ResizeMode.Fixed)
        head.resizeSection(SCALE, self.fontMetrics().height() * 8)
        head.setSectionResizeMode(WORDS, QHeaderView.ResizeMode.Stretch)
        head.sectionResized.connect(lambda *_sizes: self.resizeRowsToContents())

    def show_results(self, results: Mapping[str, MetricResult | AnonymizerError]) -> None:
        """Show what was measured."""
        self.setRowCount(len(results))
        self._values = {}
        for row, (name, found) in enumerate(results.items()):
            declared = METRICS.get(name)
            self._values[name] = _value(declared, found)
            place = _place(declared, found)
            for column, text in enumerate((tr(declared.title), self._values[name], "", _words(declared, found, place))):
                item = QTableWidgetItem(text)
                item.setToolTip(
                    plain_text(error_text(found) if isinstance(found, AnonymizerError) else _about(declared))
                )
                if column == VALUE:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if column == SCALE:
                    item.setData(_PLACE, place)
                    item.setData(Qt.ItemDataRole.AccessibleTextRole, "" if place is None else format_percent(place, 0))
                self.setItem(row, column, item)
        self.resizeRowsToContents()

    def value(self, name: str) -> str:
        """Give the text of a measure's value."""
        return self._values[name]

    def place(self, name: str) -> float | None:
        """Say where a measure stands between the best (0) and the worst (1); None where it has no worst."""
        found: float | None = self.model().index(list(self._values).index(name), SCALE).data(_PLACE)
        return found


class _ScaleDelegate(QStyledItemDelegate):
    """Draws how far a value is from the best one, in the colour of the limits that figures have."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw a bar in its groove; nothing where there is no worst value."""
        super().paint(painter, option, index)
        place = index.data(_PLACE)
        if place is None:
            return
        unit = option.fontMetrics.height()
        groove = QRectF(option.rect).adjusted(unit / 2, 0, -unit / 2, 0)
        groove.setTop(option.rect.center().y() - unit / 4)
        groove.setHeight(unit / 2)
        tone = "good" if place <= GOOD_LOSS else "warn" if place <= BAD_LOSS else "bad"
        painter.fillRect(groove, theme.color("grid"))
        groove.setWidth(max(groove.width() * place, 2))
        painter.fillRect(groove, theme.color(tone))


def _value(declared: type[Metric], found: MetricResult | AnonymizerError) -> str:
    if isinstance(found, AnonymizerError) or isnan(found.value):
        return "–"
    return format_percent(found.value) if declared.ends in _SHARES else number(found.value)


def _place(declared: type[Metric], found: MetricResult | AnonymizerError) -> float | None:
    if isinstance(found, AnonymizerError) or isnan(found.value) or declared.ends is None:
        return None
    best, worst = declared.ends
    return min(max((found.value - best) / (worst - best), 0.0), 1.0)


def _words(declared: type[Metric], found: MetricResult | AnonymizerError, place: float | None) -> str:
    if isinstance(found, AnonymizerError):
        return error_text(found)
    if place is None:
        better = tr("lower is better") if declared.direction == "lower" else tr("higher is better")
        return tr("{summary} ({better})", summary=tr(declared.summary), better=better)
    verdict = tr("good") if place <= GOOD_LOSS else tr("with care") if place <= BAD_LOSS else tr("bad")
    return tr("{summary} ({better})", summary=tr(declared.summary), better=verdict)


def _about(declared: type[Metric]) -> str:
    about = f"{tr(declared.summary)}\n{tr(declared.formula)} ({tr(declared.range)})\n{declared.reference}"
    if declared.ends is None:
        return about
    limits = tr(
        "Green up to {good} of the way from best to worst, amber up to {bad}, red beyond.",
        good=format_percent(GOOD_LOSS, 0),
        bad=format_percent(BAD_LOSS, 0),
    )
    return f"{about}\n{limits}"
