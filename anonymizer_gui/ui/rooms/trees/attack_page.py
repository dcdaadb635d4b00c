"""The second step: what somebody finds who knows a few labels and how they hang together, before and after."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QSpinBox,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.trees.algorithms.contract import KnowledgeBounded
from anonymizer_gui.engine.rooms.trees.attack import (
    AttackedRecords,
    Exposure,
    RarePattern,
    attack_release,
    attack_source,
    exposure,
    rare_patterns,
)
from anonymizer_gui.engine.rooms.trees.encoding import PathRole
from anonymizer_gui.engine.rooms.trees.release import Release
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.trees.record_views import record_text, record_text_view
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.ui.widgets.layout import section
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

_ROOM = "trees"
_MOST_KNOWN = 3


class AttackPage(Page):
    """A sentence with numbers to change, who is found, and the record a pattern betrays."""

    name = "attack"
    title = "Attack"
    order = 15
    icon = "risk"
    help = "trees/attack"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Ask for records; an attack is never done."""
        if document.room != _ROOM or document.table is None:
            return StepStatus(StepState.EMPTY, tr("Open records first."))
        return StepStatus(StepState.READY, tr("See who is found by a few labels"))

    def _build(self) -> None:
        self._found: tuple[RarePattern, ...] = ()
        self._exposures: dict[str, Exposure | None] = {"before": None, "after": None}
        self.known = name_widget(
            QSpinBox(minimum=1, maximum=_MOST_KNOWN, value=2), "known_labels", spoken=tr("Known labels")
        )
        self.relations = name_widget(
            QSpinBox(minimum=0, maximum=2, value=1), "known_relations", spoken=tr("Known relations")
        )
        self.fewer = name_widget(QSpinBox(minimum=2, maximum=100_000, value=5), "fewer_than", spoken=tr("Fewer than"))
        self.search = name_widget(
            QLineEdit(clearButtonEnabled=True), "search_patterns", spoken=tr("Only patterns with")
        )
        self.search.setPlaceholderText(tr("Only patterns with, such as department=Bio course=Topology"))
        self.before = name_widget(QRadioButton(tr("Before")), "attack_before")
        self.before.setChecked(True)
        self.after = name_widget(QRadioButton(tr("After")), "attack_after")
        self._sides = QButtonGroup(self)
        self._sides.addButton(self.before)
        self._sides.addButton(self.after)
        self.figures = CardRow()
        self.model = TextTableModel((tr("What is known"), tr("Records")), (1,))
        self.view = text_table_view(self.model, "rare_patterns", tr("Patterns that few records fit"), 0)
        self.words = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "betrayed_words")
        self.betrayed = record_text_view("betrayed", tr("The record that is betrayed"))
        self.became = record_text_view("became", tr("The record as it is released"))
        self.empty = EmptyState(tr("Open records first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="risk")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        sentence = QHBoxLayout()
        for part in (
            QLabel(tr("Somebody knows up to")), self.known, QLabel(tr("labels and")), self.relations,
            QLabel(tr("relations between them, and finds fewer than")), self.fewer, QLabel(tr("records.")),
        ):  # fmt: skip
            sentence.addWidget(part)
        sentence.addStretch()
        choice = QHBoxLayout()
        for widget in (self.before, self.after, self.search):
            choice.addWidget(widget, int(widget is self.search))
        patterns = QWidget()
        column = QVBoxLayout(patterns)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(choice)
        column.addWidget(self.view, 1)
        column.addWidget(
            QLabel(tr("+ joins labels of one record, → says that one stands with or above the other."), wordWrap=True)
        )
        records = name_widget(QSplitter(childrenCollapsible=False), "betrayed_splitter")
        records.addWidget(section(tr("The record that is betrayed"), self.betrayed))
        records.addWidget(section(tr("As it is released"), self.became))
        right = QWidget()
        beside = QVBoxLayout(right)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(self.words)
        beside.addWidget(records, 1)
        split = name_widget(QSplitter(childrenCollapsible=False), "attack_splitter")
        split.addWidget(section(tr("Patterns that only few records fit"), patterns))
        split.addWidget(right)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        split.setSizes([2000, 3000])  # shares: a pattern is read as a whole
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.addLayout(sentence)
        layout.addWidget(self.figures)
        layout.addWidget(split, 1)
        return page

    def _connect(self) -> None:
        for box in (self.known, self.relations, self.fewer):
            box.valueChanged.connect(lambda _value: self._attack())
        self.search.textChanged.connect(lambda _text: self._look())
        self.before.toggled.connect(lambda _on: self._look())
        self.view.selectionModel().currentRowChanged.connect(lambda *_: self._show_betrayed())

    def _show(self, changed: frozenset[str]) -> None:
        is_ours = self.document.room == _ROOM and self.document.table is not None
        self._stack.setCurrentIndex(int(is_ours))
        if not is_ours:
            return
        if is_affected(changed, "algorithm"):
            self._take_numbers()
        self.after.setEnabled(self.document.selected is not None)
        if self.document.selected is None:
            self.before.setChecked(True)
        if is_affected(changed, "table", Change.RESULTS, "algorithm", "paths"):
            self._attack()

    def _take_numbers(self) -> None:
        algorithm = self.document.project.algorithm
        known, relations = (algorithm.m, algorithm.n) if isinstance(algorithm, KnowledgeBounded) else (2, 1)
        for box, value in ((self.known, known), (self.relations, relations), (self.fewer, max(algorithm.k, 2))):
            box.blockSignals(True)
            box.setValue(value)
            box.blockSignals(False)

    def _side(self, side: str) -> Any:
        return self.document.files["table"] if side == "before" else self.document.selected

    def _knows_anything(self) -> bool:
        return bool(self.document.project.of_role(PathRole.QUASI))

    def _attack(self) -> None:
        """Attack both sides with what is known, and list what betrays somebody."""
        if self._stack.currentIndex() == 0 or not self._knows_anything():
            return
        numbers = self.known.value(), self.relations.value(), self.fewer.value()
        for side in ("before", "after"):
            data = self._side(side)
            self._exposures[side] = None
            if data is not None:
                self.document.ask(
                    ("exposure", side), _exposure, data, self.document.project, numbers, side, then=self._on_exposed,
                    title=tr("Attack"),
                )  # fmt: skip
        self._show_figures()
        self._look()

    def _on_exposed(self, answer: tuple[str, Exposure]) -> None:
        self._exposures[answer[0]] = answer[1]
        self._show_figures()

    def _show_figures(self) -> None:
        first, last = self._exposures["before"], self._exposures["after"]
        if first is None:
            return
        k, people = self.fewer.value(), max(len(first.fewest), 1)
        found = tr("fewer than {k} fit such a pattern", k=format_integer(k))
        rare = tr(
            "{share} of {all:pattern|patterns}",
            share=format_percent(first.rare / max(first.patterns, 1)),
            all=first.patterns,
        )
        self.figures.show_figures(
            (
                _figure("unique", tr("Unique"), first, last, 2, people, tr("nobody else fits such a pattern")),
                _figure("found", tr("Found"), first, last, k, people, found),
                Figure("patterns", tr("Rare patterns before"), format_integer(first.rare), rare, "info"),
            )
        )

    def _look(self) -> None:
        data = self._side("before" if self.before.isChecked() else "after") if self._stack.currentIndex() else None
        if data is not None and self._knows_anything():
            numbers = self.known.value(), self.relations.value(), self.fewer.value()
            self.document.ask(
                "betrayals", _betrayals, data, self.document.project, numbers, self.search.text().strip(),
                then=self._on_found, title=tr("Look for rare patterns"),
            )  # fmt: skip

    def _on_found(self, found: tuple[RarePattern, ...]) -> None:
        self._found = found
        self.model.show_rows([(each.words, format_integer(each.support)) for each in found])
        if found:
            self.view.selectRow(0)
        self._show_betrayed()

    def _show_betrayed(self) -> None:
        row = self.view.currentIndex().row()
        if not 0 <= row < len(self._found):
            self.words.setText(tr("No pattern of so few labels betrays anybody."))
            self.betrayed.setPlainText("")
            self.became.setPlainText("")
            return
        each, trees = self._found[row], self.document.files["table"]
        self.words.setText(tr("Whoever knows {words} finds {n:record|records}.", words=each.words, n=each.support))
        self.betrayed.setPlainText(record_text(trees.records[each.record], trees.form))
        is_record = self.document.selected is not None
        modes = QPlainTextEdit.LineWrapMode
        self.became.setLineWrapMode(modes.NoWrap if is_record else modes.WidgetWidth)
        self.became.setPlainText(self._released(each.record))

    def _released(self, record: int) -> str:
        release = self.document.selected
        if release is None:
            return tr("Protect the records to see what becomes of this one.")
        if record not in release.source_of:
            return tr("It does not leave.")
        return record_text(release.published[release.source_of.index(record)], release.form)


def _figure(name: str, title: str, first: Exposure, last: Exposure | None, k: int, people: int, words: str) -> Figure:
    now = first.exposed(k) if last is None else last.exposed(k)
    tone = "good" if now == 0 else "bad" if last is None else "warn"
    told = tr("{share} of all records; {words}", share=format_percent(now / people), words=words)
    return Figure(
        name, title, format_integer(now), told, tone, "" if last is None else format_integer(first.exposed(k))
    )


def _target(data: Any, project: Any) -> AttackedRecords:
    return attack_release(data) if isinstance(data, Release) else attack_source(data, project)


def _exposure(
    data: Any, project: Any, numbers: tuple[int, int, int], side: str, progress: Progress
) -> tuple[str, Exposure]:
    return side, exposure(_target(data, project), *numbers, progress=progress)


def _betrayals(
    data: Any, project: Any, numbers: tuple[int, int, int], text: str, progress: Progress
) -> tuple[RarePattern, ...]:
    return rare_patterns(_target(data, project), *numbers, containing=text, progress=progress)
