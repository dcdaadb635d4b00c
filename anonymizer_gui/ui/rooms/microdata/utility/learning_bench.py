"""How well one can still learn from the release: a classifier trained on both tables, judged on the same people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.rooms.microdata.comfort import GOOD_LEARNING_LOSS
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, MetricResult
from anonymizer_gui.ui.i18n import decimal, percent, told, tr, whole
from anonymizer_gui.ui.widgets.layout_pieces import tab_in_order
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.note import Note
from anonymizer_gui.ui.widgets.param_form import ParamForm


class LearningBench(QWidget):
    """The settings, the button, and the answer in words."""

    wanted = Signal(object)
    """Carries the measure with its parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("learning_bench")
        self._declared = METRICS.get("learning")
        self._columns: tuple[str, ...] = ()
        self.form = ParamForm(self._declared)
        self.button = named(QPushButton(tr("Learn and Compare")), "learn")
        self.note = Note()
        self.answer = named(QLabel(wordWrap=True), "learning_answer")
        self._layout = QVBoxLayout(self)
        self._layout.addWidget(QLabel(tr(self._declared.summary), wordWrap=True))
        self._layout.addWidget(self.form)
        self._layout.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignLeft)
        self._layout.addWidget(self.note)
        self._layout.addWidget(self.answer)
        self._layout.addStretch()
        self.button.clicked.connect(self._on_clicked)

    def show_columns(self, columns: Sequence[str]) -> None:
        """Offer these columns as what is to be learned."""
        if tuple(columns) == self._columns:
            return
        self._columns = tuple(columns)
        form = ParamForm(self._declared, columns=columns)
        self._layout.replaceWidget(self.form, form)
        self.form.hide()
        self.form.deleteLater()
        self.form = form
        tab_in_order(*(field.widget for field in form.fields.values()), self.button)
        self.answer.clear()

    def forget(self) -> None:
        """Say nothing: what came out was about another release."""
        self.note.show_note("info", "")
        self.answer.clear()

    def show_waiting(self) -> None:
        """Say that it takes a moment."""
        self.note.show_note("info", tr("Learning…"))
        self.answer.clear()

    def show_result(self, found: MetricResult | AnonymizerError) -> None:
        """Say what came out."""
        if isinstance(found, AnonymizerError):
            self.note.show_note("warn", told(found))
            return
        self.note.show_note("good" if found.value < GOOD_LEARNING_LOSS else "warn", _sentence(found))
        self.answer.setText("\n".join(_details(found.details)))

    def _on_clicked(self) -> None:
        value = self.form.value()
        if value is None:
            self.note.show_note("bad", self.form.error)
        else:
            self.wanted.emit(value)


def _sentence(found: MetricResult) -> str:
    if found.value <= 0:
        return tr("Learning from the release costs no accuracy.")
    points = decimal(100 * found.value, 1)
    return tr("Learning from the release costs {points} percentage points of accuracy.", points=points)


def _details(details: Mapping[str, Any]) -> Iterator[str]:
    yield tr("Predicted “{column}” for {rows:row|rows}.", column=details["target"], rows=whole(details["tested_rows"]))
    for name, scores in ((tr("original"), details["original"]), (tr("release"), details["release"])):
        accuracy, area = percent(scores["accuracy"]), "–" if scores["auc"] is None else decimal(scores["auc"], 3)
        yield tr("Learnt from the {table}: {accuracy} right, AUC {area}.", table=name, accuracy=accuracy, area=area)
    yield tr("Always guessing the commonest value: {accuracy} right.", accuracy=percent(details["majority"]))
