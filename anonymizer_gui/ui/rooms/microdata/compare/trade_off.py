"""Privacy against utility: every release a point, those that none beats joined by a line."""

import math
from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.views.release_comparison import MORE_IS_BETTER, pareto_front, release_figure
from anonymizer_gui.ui.charts.plots import ScatterPlot
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.compare.release_table import sensitive_columns
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel

_SHARES = ("risk", "average-risk", "lm", "query-error")
_WHERE_THEY_DIFFER = ("risk", "average-risk", "l", "t")
"""What is tried in turn for the axis of privacy until the releases differ in it."""
_ALIKE = 1e-9


class TradeOffChart(QWidget):
    """The scatter of releases with the choice of both axes."""

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__()
        self.setObjectName("trade_off")
        self.document = document
        self.panel = ChartPanel(document.drawing, "trade_off_chart")
        self.across = name_widget(QComboBox(), "trade_off_across")
        self.up = name_widget(QComboBox(), "trade_off_up")
        self.words = name_widget(QLabel(wordWrap=True), "trade_off_words")
        self._errors: Mapping[str, float | None] = {}
        self._shown: list[Release] = []
        self._is_old = self._is_chosen = False
        self._build()
        self._connect()

    def refresh(self, errors: Mapping[str, float | None]) -> None:
        """Draw the releases as they are, as soon as somebody looks."""
        self._errors = errors
        several = len(sensitive_columns(self.document.releases)) > 1
        for key, title in (("l", tr("l, least of all columns")), ("t", tr("t, largest of all columns"))):
            self.across.setItemText(self.across.findData(key), title if several else key)
        self._choose_axis()
        self._is_old = True
        if self.isVisible():
            self._draw()

    def _build(self) -> None:
        privacy = (
            ("risk", tr("Highest risk")),
            ("average-risk", tr("Average risk")),
            ("k", "k"),
            ("l", "l"),
            ("t", "t"),
        )
        for key, title in privacy:
            self.across.addItem(title, key)
        for key, title in (("lm", tr("Loss (LM)")), ("query-error", tr("Query error"))):
            self.up.addItem(title, key)
        self.words.setForegroundRole(self.words.foregroundRole().PlaceholderText)
        row = QHBoxLayout()
        for text, box in ((tr("&Privacy"), self.across), (tr("&Utility"), self.up)):
            label = QLabel(text)
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.panel, 1)
        layout.addWidget(self.words)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def _connect(self) -> None:
        self.across.currentIndexChanged.connect(self._on_axis)
        self.up.currentIndexChanged.connect(self._draw)
        self.panel.chart.clicked.connect(self._on_clicked)

    def _choose_axis(self) -> None:
        """Show privacy where the releases differ in it, until somebody chooses for himself."""
        if self._is_chosen:
            return
        differing = (key for key in _WHERE_THEY_DIFFER if not self._share(key))
        place = self.across.findData(next(differing, _WHERE_THEY_DIFFER[0]))
        self.across.blockSignals(True)
        self.across.setCurrentIndex(place)
        self.across.blockSignals(False)

    def _share(self, key: str) -> bool:
        """Tell whether all releases agree in a figure, or too few have it."""
        found = [value for release in self.document.releases if (value := self._value(release, key)) is not None]
        return len(found) < 2 or max(found) - min(found) < _ALIKE

    def _on_axis(self) -> None:
        self._is_chosen = True
        self._draw()

    def _value(self, release: Release, key: str) -> float | None:
        value = self._errors.get(release.id) if key == "query-error" else release_figure(release, key)
        return None if value is None or math.isnan(value) else value

    def _draw(self) -> None:
        self._is_old = False
        across, up = self.across.currentData(), self.up.currentData()
        found = [(r, self._value(r, across), self._value(r, up)) for r in self.document.releases]
        points = [(r, x, y) for r, x, y in found if x is not None and y is not None]
        self._shown = [r for r, _, _ in points]
        xs, ys = [x for _, x, _ in points], [y for _, _, y in points]
        best = pareto_front(xs, ys, more_x=across in MORE_IS_BETTER) if points else ()
        self._say(best, len(found) - len(points))
        chosen = next((i for i, r in enumerate(self._shown) if r is self.document.selected), -1)
        plot = ScatterPlot(
            tr("Privacy against utility"),
            [r.name for r in self._shown],
            xs,
            ys,
            self.across.currentText(),
            self.up.currentText(),
            front=best,
            chosen=chosen,
            dimmed=[i for i, r in enumerate(self._shown) if self.document.finished.is_stale(r)],
            front_name=tr("Not beaten by any other (Pareto front)"),
            x_is_share=across in _SHARES,
            y_is_share=up in _SHARES,
        )
        self.panel.show_plot(plot if points else None)

    def _say(self, best: tuple[int, ...], left_out: int) -> None:
        names = ", ".join(dict.fromkeys(tr("“{name}”", name=self._shown[i].name) for i in best))
        words = tr("No other release is better in both: {names}.", names=names) if best else ""
        if len(self.document.releases) == 1:
            words = tr("There is one release so far: Try All and Sweep on Protect make others to compare it with.")
        if len(self._shown) > 1 and self._share("risk") and self.across.currentData() != "risk":
            words = tr("{words} All have the same highest risk, so another figure is shown.", words=words).strip()
        if left_out:
            words = tr(
                "{words} {count:release has|releases have} no such figure yet.", words=words, count=left_out
            ).strip()
        self.words.setText(words)

    def _on_clicked(self, number: int) -> None:
        if 0 <= number < len(self._shown):
            self.document.finished.select(self._shown[number])

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what changed while another tab was in front."""
        super().showEvent(event)
        if self._is_old:
            self._draw()
