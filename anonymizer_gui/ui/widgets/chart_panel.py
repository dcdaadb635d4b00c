"""A chart with its title and what can be done with it: copy, save, read as numbers."""

from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.storage.saving import replace_file
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.plot_drawing import Canvas, draw_file
from anonymizer_gui.ui.plots import Plot
from anonymizer_gui.ui.widgets.chart import Chart, copy_numbers
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.workspace.jobs import JobRunner


class ChartPanel(QWidget):
    """A titled chart; the button at its right copies, saves, and switches to the numbers."""

    def __init__(self, drawing: JobRunner, name: str) -> None:
        super().__init__()
        self.setObjectName(f"{name}_panel")
        self._drawing = drawing
        self.chart = Chart(drawing, name)
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
        self.title = named(QLabel())
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
        self.menu_button = named(QToolButton(), f"{self.chart.objectName()}_menu")
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


def _save(plot: Plot, canvas: Canvas, path: Path, progress: Progress) -> None:
    progress(0.0)
    content = draw_file(plot, canvas, path.suffix.lower().lstrip("."))
    replace_file(path, lambda temporary: _write(temporary, content))


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)
