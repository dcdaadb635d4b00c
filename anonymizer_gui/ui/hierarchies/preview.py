"""The real column at a level chosen by a slider: labels with their rows, and what the level costs."""

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QTableView, QVBoxLayout, QWidget

from anonymizer_gui.engine.hierarchy.fit import Usage
from anonymizer_gui.engine.hierarchy.tree import Uneven
from anonymizer_gui.ui.hierarchies.bars import shape_counts
from anonymizer_gui.ui.hierarchies.counts_model import CountsModel
from anonymizer_gui.ui.hierarchies.page_words import PageWords
from anonymizer_gui.ui.i18n import percent, tr
from anonymizer_gui.ui.widgets.named import named


class HierarchyPreview(QWidget):
    """Shows what a release of this column alone would look like at each level."""

    def __init__(self, said: PageWords) -> None:
        super().__init__()
        self.setObjectName("hierarchy_preview")
        self._said = said
        self._usage: Usage | None = None
        self._uneven: Uneven = "cap"
        self.slider = named(QSlider(Qt.Orientation.Horizontal), "hierarchy_level")
        self.level = named(QLabel(), "hierarchy_level_name")
        self.words = named(QLabel(wordWrap=True), "hierarchy_level_words")
        self.model = CountsModel(said.counted, parent=self)
        self.view = named(QTableView(), "hierarchy_level_values")
        self._build()
        self.slider.valueChanged.connect(self._on_level_changed)

    def show_usage(self, usage: Usage | None, uneven: Uneven, is_other: bool = False) -> None:
        """Show a column in its hierarchy; the level stays where it is unless it is another column."""
        self._usage, self._uneven = usage, uneven
        height = usage.hierarchy.height if usage else 0
        self.slider.blockSignals(True)
        self.slider.setRange(0, height)
        if is_other:
            self.slider.setValue(min(1, height))
        self.slider.blockSignals(False)
        self.slider.setEnabled(height > 0)
        self._on_level_changed(self.slider.value())

    def _build(self) -> None:
        title = QLabel(tr(self._said.level))
        title.setBuddy(self.slider)
        self.slider.setAccessibleName(tr("Level of the preview"))
        self.slider.setToolTip(tr("Level 0 is the exact value, the last level is the root (arrow keys)"))
        self.slider.setPageStep(1)
        self.slider.setTickPosition(QSlider.TickPosition.TicksBelow)
        self.slider.setTickInterval(1)
        self.view.setModel(self.model)
        self.view.setAccessibleName(tr("Labels of the column at this level"))
        shape_counts(self.view)
        self.view.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head = QHBoxLayout()
        head.addWidget(title)
        head.addWidget(self.level)
        head.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, self.fontMetrics().height() // 3, 0, 0)
        layout.addLayout(head)
        for widget in (self.slider, self.words, self.view):
            layout.addWidget(widget)

    def _on_level_changed(self, level: int) -> None:
        if self._usage is None:
            self.level.clear()
            self.words.clear()
            self.model.show((), ())
            return
        view = self._usage.at_level(level, self._uneven)
        number = QLocale().toString
        self.level.setText(tr("{level} of {height}", level=level, height=self._usage.hierarchy.height))
        rows, loss = number(view.smallest), percent(view.loss)
        one = tr(self._said.one_class, rows=rows, loss=loss)
        many = tr(self._said.classes, classes=number(len(view.labels)), rows=rows, loss=loss)
        self.words.setText(one if len(view.labels) == 1 else many)
        self.model.show(view.labels, view.rows)
