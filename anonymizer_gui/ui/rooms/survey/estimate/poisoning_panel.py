"""Made-up reports: what so many of them do to the estimate of one value, and the most they can."""

from PySide6.QtWidgets import QHBoxLayout, QLabel, QSpinBox, QVBoxLayout, QWidget

from anonymizer_gui.engine.dp.local.estimation import max_loss, poison_counts, poison_mean
from anonymizer_gui.engine.dp.local.protocol import FrequencyProtocol, MeanProtocol
from anonymizer_gui.engine.rooms.survey.estimates import QuestionEstimates
from anonymizer_gui.engine.rooms.survey.release import Release
from anonymizer_gui.ui.i18n import format_integer, format_significant, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox

_MOST = 1_000_000


class PoisoningPanel(QWidget):
    """Chooses a value and a number of fakes, and says what they do."""

    def __init__(self) -> None:
        super().__init__()
        self._release: Release | None = None
        self._result: QuestionEstimates | None = None
        self.value = name_widget(WidePopupComboBox(), "pushed_value", spoken=tr("The answer they push"))
        self.fakes = name_widget(QSpinBox(), "made_up_reports", spoken=tr("Made-up reports"))
        self.fakes.setRange(1, _MOST)
        self.fakes.setValue(10)
        self.words = name_widget(QLabel(wordWrap=True), "poisoning_words")
        row = QHBoxLayout()
        for widget in (self.fakes, self.value):
            label = QLabel(widget.accessibleName())
            label.setBuddy(widget)
            row.addWidget(label)
            row.addWidget(widget)
        self._value_label = label
        row.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.words)
        self.fakes.valueChanged.connect(lambda _n: self._tell())
        self.value.activated.connect(lambda _at: self._tell())

    def show_result(self, release: Release | None, result: QuestionEstimates | None) -> None:
        """Show another result; a mean has no value to choose."""
        is_other = result is not self._result
        self._release, self._result = release, result
        self.setVisible(result is not None)
        for widget in (self.value, self._value_label):
            widget.setVisible(result is not None and bool(result.question.domain))
        if is_other:
            self.value.clear()
            self.value.addItems([cell.value for cell in result.cells] if result is not None else [])
            self.value.make_room()
        self._tell()

    def _tell(self) -> None:
        if self._release is None or self._result is None:
            return
        protocol = self._release.collection.protocols[self._result.question.name]
        at, fakes = max(self.value.currentIndex(), 0), self.fakes.value()
        if not isinstance(protocol, FrequencyProtocol):
            self.words.setText(_of_mean(protocol, self._result, fakes))
            return
        support = [cell.support for cell in self._result.cells]
        found = poison_counts(protocol, support, self._result.n, at, fakes)
        self.words.setText(
            tr(
                "{fakes:made-up report raises|made-up reports raise} “{value}” from {before} to {after}. The bound is "
                "{bound} more, where as many honest people raise it by {honest}; each can also lower an answer by "
                "{loss} at most. Whoever can send reports can do this: hand out the form so that nobody sends many.",
                fakes=fakes,
                value=self._result.cells[at].value,
                before=format_significant(found.before, 6),
                after=format_significant(found.after, 6),
                bound=format_significant(found.bound, 6),
                honest=format_integer(fakes),
                loss=format_significant(max_loss(protocol), 4),
            )
        )


def _of_mean(protocol: MeanProtocol, result: QuestionEstimates, fakes: int) -> str:
    question, before = result.question, result.cells[0].estimate
    after, bound = poison_mean(protocol, before, result.n, (question.low, question.high), fakes)
    return tr(
        "{fakes:made-up report raises|made-up reports raise} the mean from {before} to {after}. The bound is {bound}, "
        "up or down. Whoever can send reports can do this: hand out the form so that nobody sends many.",
        fakes=fakes,
        before=format_significant(before, 6),
        after=format_significant(after, 6),
        bound=format_significant(bound, 6),
    )
