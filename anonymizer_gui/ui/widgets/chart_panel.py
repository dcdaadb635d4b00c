"""A chart: drawn beside the window's thread, read by pointer, copied as picture or numbers, saved as PNG or SVG."""

from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.storage.saving import replace_file
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.charts.plots import HoverSpot, Plot
from anonymizer_gui.ui.charts.rendering import CanvasSize, RenderedPlot, render_image, save_figure
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text
from anonymizer_gui.workspace.jobs import Job, JobRunner

_SETTLE_MS = 60

_REACH = 6.0

_COLOR_NAMES = ("text", "muted", "line", "base", "grid", "accent", "accent_text", "good", "warn", "bad", *theme.SERIES)


class ChartView(QWidget):
    """Shows one plot; the spots of the plot can be pointed at, walked through by keys, and clicked."""

    clicked = Signal(int)
    """Carries the number of the spot that was chosen."""

    def __init__(self, drawing: JobRunner, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._drawing = drawing
        self._plot: Plot | None = None
        self._picture: RenderedPlot | None = None
        self._image = QImage()
        self._job: Job | None = None
        self._at = -1
        self._later = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._later.timeout.connect(self._draw)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def plot(self) -> Plot | None:
        """What is shown."""
        return self._plot

    def show_plot(self, plot: Plot | None) -> None:
        """Show another plot; one that is drawn, or being drawn, is not drawn again."""
        if plot == self._plot and (self._picture is not None or self._is_drawing()):
            return
        self._plot = plot
        self._at = -1
        self.setAccessibleName(plot.title if plot else tr("Empty chart"))
        self.setAccessibleDescription(_words(plot))
        self._draw()

    def canvas(self) -> CanvasSize:
        """Give the size and the colours the chart is drawn with."""
        ratio = self.devicePixelRatioF()
        return CanvasSize(
            round(self.width() * ratio),
            round(self.height() * ratio),
            ratio,
            max(self.font().pointSizeF(), 7.0) * 0.95,
            {name: theme.color(name).name() for name in _COLOR_NAMES},
        )

    def _draw(self) -> None:
        self._later.stop()
        if self._plot is None or self.width() < 10 or self.height() < 10:
            self._picture, self._image = None, QImage()
            self.update()
            return
        key = ("chart", id(self))
        self._job = self._drawing.start(
            "Draw", render_image, self._plot, self.canvas(), on_done=self._on_drawn, replace_key=key
        )

    def _is_drawing(self) -> bool:
        return self._job is not None and self._job in self._drawing.active and not self._job.is_cancelled

    def _on_drawn(self, picture: RenderedPlot) -> None:
        self._picture = picture
        stride = picture.width * 4
        image = QImage(picture.pixels, picture.width, picture.height, stride, QImage.Format.Format_RGBA8888)
        self._image = image.copy()
        self.update()

    def _spot_under(self, place: QPointF) -> int:
        found = -1
        for number, spot in enumerate(self.spots()):
            if self._box(spot).adjusted(-_REACH, -_REACH, _REACH, _REACH).contains(place):
                found = number
                if self._box(spot).contains(place):
                    return number
        return found

    def spots(self) -> tuple[HoverSpot, ...]:
        """Give the places that answer to the pointer."""
        return self._picture.spots if self._picture else ()

    def _box(self, spot: HoverSpot) -> QRectF:
        left, top = spot.left * self.width(), spot.top * self.height()
        return QRectF(left, top, (spot.right - spot.left) * self.width(), (spot.bottom - spot.top) * self.height())

    def _tell(self, place: QPointF) -> None:
        spots = self.spots()
        text = spots[self._at].text if 0 <= self._at < len(spots) else ""
        QToolTip.showText(self.mapToGlobal(place.toPoint()), plain_text(text), self)

    def sizeHint(self) -> QSize:
        """Be large enough to be read."""
        unit = self.fontMetrics().height()
        return QSize(unit * 24, unit * 14)

    def minimumSizeHint(self) -> QSize:
        """Do not shrink below what can be read."""
        unit = self.fontMetrics().height()
        return QSize(unit * 12, unit * 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show the picture, and a frame around the spot the keys are at or the chart that has the focus."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("base"))
        if not self._image.isNull():
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(QRectF(self.rect()), self._image)
        elif self._plot is not None:
            painter.setPen(theme.color("muted"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, tr("Drawing…"))
        if self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 2))
            spots = self.spots()
            box = self._box(spots[self._at]).adjusted(-3, -3, 3, 3) if 0 <= self._at < len(spots) else self.rect()
            painter.drawRect(QRectF(box).adjusted(1, 1, -1, -1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw anew when the size has settled; until then the old picture is stretched."""
        super().resizeEvent(event)
        if self._picture is None:
            self._draw()
        else:
            self._later.start()

    def changeEvent(self, event: QEvent) -> None:
        """Draw anew in the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._plot is not None:
            self._draw()

    def event(self, event: QEvent) -> bool:
        """Tell what is under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._at = self._spot_under(QPointF(event.pos()))
            self._tell(QPointF(event.pos()))
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the spot that is clicked."""
        super().mousePressEvent(event)
        self._at = self._spot_under(event.position())
        self.update()
        if self._at >= 0:
            self.clicked.emit(self.spots()[self._at].number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk through the spots with the arrow keys and choose one with Enter."""
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
        spots = self.spots()
        if event.key() in steps and spots:
            self._at = (self._at + steps[Qt.Key(event.key())]) % len(spots)
            self._tell(self._box(spots[self._at]).center())
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and 0 <= self._at < len(spots):
            self.clicked.emit(spots[self._at].number)
        else:
            super().keyPressEvent(event)


def copy_numbers(plot: Plot) -> None:
    """Put the numbers of a plot on the clipboard, as lines with tabs."""
    head, rows = plot.numbers()
    QGuiApplication.clipboard().setText("\n".join("\t".join(row) for row in [head, *rows]))


def _words(plot: Plot | None) -> str:
    if plot is None:
        return ""
    head, rows = plot.numbers()
    return "; ".join(", ".join(f"{h} {v}".strip() for h, v in zip(head, row, strict=True)) for row in rows[:40])


class ChartPanel(QWidget):
    """A titled chart; the button at its right copies, saves, and switches to the numbers."""

    def __init__(self, drawing: JobRunner, name: str) -> None:
        super().__init__()
        self.setObjectName(f"{name}_panel")
        self._drawing = drawing
        self.chart = ChartView(drawing, name)
        self._build()

    def show_plot(self, plot: Plot | None) -> None:
        """Show another plot."""
        self.title.setText(plot.title if plot else "")
        self.menu_button.setEnabled(plot is not None)
        self.chart.show_plot(plot)
        if self._stack.currentIndex() == 1:
            self._fill_numbers()

    def show_numbers(self, shown: bool) -> None:
        """Show the numbers instead of the picture, or the picture again."""
        self._stack.setCurrentIndex(int(shown))
        self._as_numbers.setChecked(shown)
        if shown:
            self._fill_numbers()

    def copy_picture(self) -> None:
        """Put the picture on the clipboard."""
        QGuiApplication.clipboard().setPixmap(self.chart.grab())

    def copy_numbers(self) -> None:
        """Put the numbers on the clipboard, as lines with tabs."""
        if self.chart.plot is not None:
            copy_numbers(self.chart.plot)

    def save(self, path: Path) -> None:
        """Save the picture as PNG or SVG, by the name's ending; a failure is told in the message bar."""
        if self.chart.plot is None:
            return
        suffix = path.suffix.lower().lstrip(".")
        target = path if suffix in ("png", "svg") else path.with_name(path.name + ".png")
        self._drawing.start(tr("Save the chart"), _save, self.chart.plot, self.chart.canvas(), target)

    def _build(self) -> None:
        self.title = name_widget(QLabel())
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.title.setWordWrap(True)
        self.numbers = QTableWidget()
        self.numbers.setAccessibleName(tr("Numbers of the chart"))
        self.numbers.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.numbers.verticalHeader().hide()
        self.numbers.setTabKeyNavigation(False)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.chart)
        self._stack.addWidget(self.numbers)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self._menu_button())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(head)
        layout.addWidget(self._stack, 1)

    def _menu_button(self) -> QToolButton:
        menu = QMenu(self)
        menu.addAction(tr("Copy as Picture"), self.copy_picture)
        menu.addAction(tr("Copy Numbers"), self.copy_numbers)
        menu.addAction(tr("Save…"), self._on_save)
        self._as_numbers = menu.addAction(tr("Show as Numbers"))
        self._as_numbers.setCheckable(True)
        self._as_numbers.toggled.connect(self.show_numbers)
        self.menu_button = name_widget(QToolButton(), f"{self.chart.objectName()}_menu")
        self.menu_button.setText("⋯")
        self.menu_button.setMenu(menu)
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.setToolTip(tr("Copy, save, or read the chart as numbers"))
        self.menu_button.setWhatsThis(self.menu_button.toolTip())
        self.menu_button.setAccessibleName(tr("Chart menu"))
        self.menu_button.setAutoRaise(True)
        return self.menu_button

    def _fill_numbers(self) -> None:
        head, rows = self.chart.plot.numbers() if self.chart.plot else ([], [])
        self.numbers.clear()
        self.numbers.setColumnCount(len(head))
        self.numbers.setRowCount(len(rows))
        self.numbers.setHorizontalHeaderLabels(head)
        for i, row in enumerate(rows):
            for j, text in enumerate(row):
                self.numbers.setItem(i, j, QTableWidgetItem(text))
        self.numbers.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)

    def _on_save(self) -> None:
        dialog = QFileDialog(self, tr("Save the Chart"), "", "PNG (*.png);;SVG (*.svg)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("png")
        dialog.fileSelected.connect(lambda name: self.save(Path(name)))
        dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix("svg" if "svg" in chosen else "png"))
        dialog.open()


def _save(plot: Plot, canvas: CanvasSize, path: Path, progress: Progress) -> None:
    progress(0.0)
    content = save_figure(plot, canvas, path.suffix.lower().lstrip("."))
    replace_file(path, lambda temporary: _write(temporary, content))


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)
