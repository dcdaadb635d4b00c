"""Navigation rail (steps with state and sentence) and page stack."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_text
from anonymizer_gui.workspace.messages import LOGGER

NAME, NUMBER, ICON, MARK = (Qt.ItemDataRole.UserRole + i for i in range(4))

_TINTS = {
    StepState.EMPTY: "muted",
    StepState.READY: "accent",
    StepState.STALE: "warn",
    StepState.WARNING: "warn",
    StepState.DONE: "good",
}

STATE_WORDS = {
    StepState.EMPTY: "not yet",
    StepState.READY: "ready",
    StepState.STALE: "out of date",
    StepState.WARNING: "look at it",
    StepState.DONE: "done",
}


class NavigationRail(QListWidget):
    """A list of steps; choosing one asks for its page."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setAccessibleName(tr("Steps"))
        self.setItemDelegate(_StepDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFixedWidth(self.fontMetrics().height() * 13)
        self._colour()
        self.currentItemChanged.connect(self._on_current)

    def add_step(self, name: str, title: str, icon: str, number: int | None) -> None:
        """Add a step; one without a number stands apart from the way through the program."""
        item = QListWidgetItem(title)
        item.setData(NAME, name)
        item.setData(NUMBER, number)
        item.setData(ICON, icon)
        self.addItem(item)

    def remove_step(self, name: str) -> None:
        """Take a step away."""
        item = self._item(name)
        if item is not None:
            self.takeItem(self.row(item))

    def set_mark(self, name: str, mark: StepStatus) -> None:
        """Show how far a step is."""
        item = self._item(name)
        if item is not None:
            item.setData(MARK, mark)
            item.setToolTip(plain_text(mark.text))
            words = f"{item.text()}: {tr(STATE_WORDS[mark.state])}. {mark.text}"
            item.setData(Qt.ItemDataRole.AccessibleTextRole, words)

    def names(self) -> list[str]:
        """List the steps in order."""
        return [self.item(row).data(NAME) for row in range(self.count())]

    def mark(self, name: str) -> StepStatus | None:
        """Give the mark a step shows."""
        item = self._item(name)
        return item.data(MARK) if item is not None else None

    def set_current(self, name: str) -> None:
        """Choose a step."""
        item = self._item(name)
        if item is not None and item is not self.currentItem():
            self.setCurrentItem(item)

    def _colour(self) -> None:
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Base, theme.color("rail"))
        self.setPalette(palette)

    def changeEvent(self, event: QEvent) -> None:
        """Take on the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()

    def _item(self, name: str) -> QListWidgetItem | None:
        return next((self.item(row) for row in range(self.count()) if self.item(row).data(NAME) == name), None)

    def _on_current(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(NAME))


class _StepDelegate(QStyledItemDelegate):
    """Draws icon, number, title, the sentence under it, and the mark at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:
        """Leave room for the title and two lines under it."""
        return QSize(0, round(option.fontMetrics.height() * 3.6))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw one step."""
        painter.save()
        height = option.fontMetrics.height()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            edge = QRect(option.rect.topLeft(), QSize(height // 4, option.rect.height()))
            painter.setPen(Qt.PenStyle.NoPen)  # `fillRect` makes PySide load all there is about gradients first
            for place, shade in ((option.rect, "base"), (edge, "accent")):
                painter.setBrush(theme.color(shade))
                painter.drawRect(place)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        area = option.rect.adjusted(height * 3 // 4, height // 3, -height // 2, -height // 3)
        self._draw_icon(painter, index.data(ICON), "accent" if chosen else "text", area, height)
        self._draw_words(painter, option, index, area.adjusted(height * 2, 0, -height * 3 // 2, 0))
        mark = index.data(MARK)
        if mark is not None and index.data(NUMBER) is not None:
            corner = QRect(area.right() - height, area.top() + (area.height() - height) // 2, height, height)
            theme.icon(mark.state.value, _TINTS[mark.state]).paint(painter, corner)
        self._draw_focus(painter, option)
        painter.restore()

    def _draw_icon(self, painter: QPainter, name: str, tint: str, area: QRect, height: int) -> None:
        side = round(height * 1.4)
        theme.icon(name, tint).paint(painter, QRect(area.left(), area.top() + (area.height() - side) // 2, side, side))

    def _draw_words(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex, area: QRect) -> None:
        number, mark = index.data(NUMBER), index.data(MARK)
        title = index.data() if number is None else f"{number}  {index.data()}"
        words = _lines(mark.text.rstrip("."), _small(painter.font()), area.width()) if mark is not None else []
        line = option.fontMetrics.height()
        height = line + len(words) * QFontMetrics(_small(painter.font())).height()
        top = area.top() + (area.height() - height) // 2
        font = painter.font()
        font.setBold(bool(option.state & QStyle.StateFlag.State_Selected))
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        painter.drawText(QRect(area.left(), top, area.width(), line), Qt.AlignmentFlag.AlignVCenter, title)
        font.setBold(False)
        painter.setFont(_small(font))
        painter.setPen(theme.color("muted"))
        below = QRect(area.left(), top + line, area.width(), height - line)
        painter.drawText(below, Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextDontClip, "\n".join(words))

    def _draw_focus(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(theme.color("accent"))
            painter.drawRect(option.rect.adjusted(1, 1, -2, -2))


def _small(font: QFont) -> QFont:
    smaller = QFont(font)
    smaller.setBold(False)
    smaller.setPointSizeF(font.pointSizeF() * 0.85)
    return smaller


def _lines(text: str, font: QFont, width: int) -> list[str]:
    """Break a sentence into two lines at most; what does not fit is left to the tool tip."""
    metrics, first, words = QFontMetrics(font), "", text.split()
    while words and metrics.horizontalAdvance(f"{first} {words[0]}".strip()) <= width:
        first = f"{first} {words.pop(0)}".strip()
    rest = metrics.elidedText(" ".join(words), Qt.TextElideMode.ElideRight, width)
    return [line for line in (first, rest) if line]


class PageStack(QStackedWidget):
    """Knows the pages by name and makes them on demand; a page too large for the window scrolls."""

    made = Signal(object)
    """Carries a page that was just made."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("pages")
        self._make: dict[str, Callable[[], Page]] = {}
        self._pages: dict[str, Page] = {}
        self._areas: dict[str, QScrollArea] = {}

    def offer(self, name: str, make: Callable[[], Page]) -> None:
        """Tell how a page is made."""
        self._make[name] = make

    def forget(self, name: str) -> None:
        """Take a page away; it may belong to another room."""
        self._make.pop(name, None)
        if self._pages.pop(name, None) is not None:
            area = self._areas.pop(name)
            self.removeWidget(area)
            area.deleteLater()

    def names(self) -> list[str]:
        """List the pages that can be shown."""
        return list(self._make)

    def made_names(self) -> list[str]:
        """List the pages that were made already."""
        return list(self._pages)

    def page(self, name: str) -> Page:
        """Give a page, made now if need be."""
        if name not in self._pages:
            page = self._make[name]()
            self._pages[name] = page
            self._areas[name] = area = QScrollArea(widgetResizable=True)
            area.setFrameShape(QFrame.Shape.NoFrame)
            area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            area.setWidget(page)
            self.addWidget(area)
            self.made.emit(page)
        return self._pages[name]

    def show_page(self, name: str) -> Page:
        """Bring a page to the front."""
        page = self.page(name)
        if page is not self.current_page:
            LOGGER.info("Page: %s", name)
        self.setCurrentIndex(list(self._pages).index(name))
        return page

    @property
    def current_page(self) -> Page | None:
        """The page in front."""
        return list(self._pages.values())[self.currentIndex()] if self._pages else None

    @property
    def current_name(self) -> str:
        """The name of the page in front."""
        page = self.current_page
        return page.name if page is not None else ""
