"""The second step: what somebody finds who knows a few items, before anything is protected and after."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QSpinBox,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.rooms.baskets.attack import (
    Exposure,
    RareItemset,
    exposure,
    exposures,
    max_known_items,
    rare_itemsets,
)
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import combine_demands
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.ui.widgets.layout import VerticalScrollArea, section
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

_ROOM = "baskets"
_MOST_KNOWN = 3


class AttackPage(Page):
    """A sentence with numbers to change, who is found, and the basket a set of items betrays."""

    name = "attack"
    title = "Attack"
    order = 15
    icon = "risk"
    help = "baskets/attack"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Ask for baskets; an attack is never done."""
        if document.room != _ROOM or document.table is None:
            return StepStatus(StepState.EMPTY, tr("Open baskets first."))
        return StepStatus(StepState.READY, tr("See who is found by a few items"))

    def _build(self) -> None:
        self._found: tuple[RareItemset, ...] = ()
        self._exposures: dict[str, Exposure | None] = {"before": None, "after": None}
        self._by_items: dict[str, tuple[Exposure, ...]] = {"before": (), "after": ()}
        self.known = name_widget(
            QSpinBox(minimum=1, maximum=_MOST_KNOWN, value=2), "known_items", spoken=tr("Known items")
        )
        self.fewer = name_widget(QSpinBox(minimum=2, maximum=100_000, value=5), "fewer_than", spoken=tr("Fewer than"))
        self.search = name_widget(QLineEdit(clearButtonEnabled=True), "search_sets", spoken=tr("Only sets with"))
        self.search.setPlaceholderText(tr("Only sets with this item"))
        self.before = name_widget(QRadioButton(tr("Before")), "attack_before")
        self.before.setChecked(True)
        self.after = name_widget(QRadioButton(tr("After")), "attack_after")
        self._sides = QButtonGroup(self)
        self._sides.addButton(self.before)
        self._sides.addButton(self.after)
        self.figures = CardRow()
        self.model = TextTableModel((tr("Known items"), tr("Baskets")), (1,))
        self.view = text_table_view(self.model, "rare_sets", tr("Sets that few hold"), 0)
        self.chart = ChartPanel(self.document.drawing, "found_by_items")
        self.chart.setMinimumHeight(12 * self.fontMetrics().height())
        self.betrayed = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "betrayed")
        self.betrayed.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.betrayed.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.empty = EmptyState(tr("Open baskets first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="risk")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        sentence = QHBoxLayout()
        for part in (
            QLabel(tr("Somebody knows up to")), self.known, QLabel(tr("items of a person, and finds fewer than")),
            self.fewer, QLabel(tr("baskets that hold them.")),
        ):  # fmt: skip
            sentence.addWidget(part)
        sentence.addStretch()
        choice = QHBoxLayout()
        for widget in (self.before, self.after, self.search):
            choice.addWidget(widget, int(widget is self.search))
        sets = QWidget()
        column = QVBoxLayout(sets)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(choice)
        column.addWidget(self.view, 1)
        split = name_widget(QSplitter(childrenCollapsible=False), "attack_splitter")
        split.addWidget(section(tr("Sets of items that only few hold"), sets))
        split.addWidget(self._told())
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 1)
        whole_page = QWidget()
        layout = QVBoxLayout(whole_page)
        layout.addLayout(sentence)
        layout.addWidget(self.figures)
        layout.addWidget(split, 1)
        return whole_page

    def _told(self) -> QWidget:
        """Lay out what the chosen set betrays, and below it that this has happened."""
        told = QWidget()
        column = QVBoxLayout(told)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(section(tr("The basket that is betrayed"), self.betrayed))
        column.addSpacing(self.fontMetrics().height())
        column.addWidget(section(tr("It has happened"), name_widget(QLabel(_story(), wordWrap=True), "attack_story")))
        column.addWidget(self.chart, 1)
        return VerticalScrollArea(told)

    def _connect(self) -> None:
        self.known.valueChanged.connect(lambda _value: self._attack())
        self.fewer.valueChanged.connect(lambda _value: self._attack())
        self.fewer.valueChanged.connect(lambda _value: self._show_chart())
        self.search.textChanged.connect(lambda _text: self._look())
        self.before.toggled.connect(lambda _on: self._look())
        self.view.selectionModel().currentRowChanged.connect(lambda *_: self._show_betrayed())

    def _show(self, changed: frozenset[str]) -> None:
        is_ours = self.document.room == _ROOM and self.document.table is not None
        self._stack.setCurrentIndex(int(is_ours))
        if not is_ours:
            return
        if is_affected(changed, "goals"):
            self._take_numbers()
        self.after.setEnabled(self.document.selected is not None)
        if self.document.selected is None:
            self.before.setChecked(True)
        if is_affected(changed, "table", Change.RESULTS, "goals"):
            self._attack()

    def _take_numbers(self) -> None:
        wanted = combine_demands(self.document.project.goals)
        for box, value in ((self.known, wanted.m), (self.fewer, max(wanted.k, wanted.whole, 2))):
            box.blockSignals(True)
            box.setValue(value)
            box.blockSignals(False)

    def _side(self, side: str) -> Any:
        release = self.document.selected
        return self.document.table if side == "before" else None if release is None else release.published

    def _attack(self) -> None:
        """Attack both sides with what is known, and list what betrays somebody."""
        for side in ("before", "after"):
            data = self._side(side)
            self._exposures[side], self._by_items[side] = None, ()
            if data is not None:
                self.document.ask(("found", side), _found, data, side, then=self._on_by_items, title=tr("Attack"))
                self.document.ask(
                    ("exposure", side), _exposure, data, self.known.value(), side, then=self._on_exposed,
                    title=tr("Attack"),
                )  # fmt: skip
        self._show_figures()
        self._look()

    def _on_exposed(self, answer: tuple[str, Exposure]) -> None:
        self._exposures[answer[0]] = answer[1]
        self._show_figures()

    def _on_by_items(self, answer: tuple[str, tuple[Exposure, ...]]) -> None:
        self._by_items[answer[0]] = answer[1]
        self._show_chart()

    def _show_chart(self) -> None:
        """Draw who is found by one, two and three known items, before and after."""
        k, sides = self.fewer.value(), {"before": tr("Before"), "after": tr("After")}
        shown = {words: self._by_items[side] for side, words in sides.items() if self._by_items[side]}
        series = {words: [each.share(k) for each in found] for words, found in shown.items()}
        labels = [tr("{n:item|items}", n=at + 1) for at in range(max(map(len, series.values()), default=0))]
        title = tr("Found among fewer than {k} baskets, by how many items are known", k=format_integer(k))
        self.chart.show_plot(BarPlot(title, labels, series, shares=True) if labels else None)

    def _show_figures(self) -> None:
        before, after = self._exposures["before"], self._exposures["after"]
        if before is None:
            return
        k, people = self.fewer.value(), max(len(before.fewest), 1)
        later = {
            "unique": None if after is None else after.unique,
            "found": None if after is None else after.exposed(k),
        }
        self.figures.show_figures(
            (
                _figure(
                    "unique", tr("Unique"), before.unique, later["unique"], people, tr("nobody else holds such a set")
                ),
                _figure(
                    "found", tr("Found"), before.exposed(k), later["found"], people,
                    tr("fewer than {k} hold such a set", k=format_integer(k)),
                ),
            )
        )  # fmt: skip

    def _look(self) -> None:
        data = self._side("before" if self.before.isChecked() else "after")
        if data is not None:
            self.document.ask(
                "betrayals", _betrayals, data, self.known.value(), self.fewer.value(), self.search.text().strip(),
                then=self._on_found, title=tr("Look for rare sets"),
            )  # fmt: skip

    def _on_found(self, found: tuple[RareItemset, ...]) -> None:
        self._found = found
        self.model.show_rows([(" + ".join(each.items), format_integer(each.support)) for each in found])
        if found:
            self.view.selectRow(0)
        self._show_betrayed()

    def _show_betrayed(self) -> None:
        row = self.view.currentIndex().row()
        if not 0 <= row < len(self._found):
            self.betrayed.setText(tr("No set of so few items betrays anybody."))
            return
        each = self._found[row]
        side = "before" if self.before.isChecked() else "after"
        data: Baskets = self._side(side)
        others = [item for item in data.held(each.basket) if item not in each.items]
        known = tr("Whoever knows {items} finds {n:basket|baskets}.", items=" + ".join(each.items), n=each.support)
        learned = tr("Learned about this person besides: {others}.", others=", ".join(others) or tr("nothing"))
        self.betrayed.setText("\n\n".join([known, learned, self._became(each.basket) if side == "before" else ""]))

    def _became(self, basket: int) -> str:
        release = self.document.selected
        if release is None:
            return tr("Protect the baskets to see what becomes of this one.")
        return tr("Released as: {items}.", items=", ".join(release.published.held(basket)) or tr("nothing"))


def _figure(name: str, title: str, before: int, after: int | None, people: int, words: str) -> Figure:
    now = before if after is None else after
    tone = "good" if now == 0 else "bad" if after is None else "warn"
    told = tr("{share} of all baskets; {words}", share=format_percent(now / people), words=words)
    return Figure(name, title, format_integer(now), told, tone, "" if after is None else format_integer(before))


def _exposure(baskets: Baskets, known: int, side: str, progress: Progress) -> tuple[str, Exposure]:
    return side, exposure(baskets, known, progress)


def _found(baskets: Baskets, side: str, progress: Progress) -> tuple[str, tuple[Exposure, ...]]:
    return side, tuple(exposures(baskets, max_known_items(baskets), progress))


def _betrayals(baskets: Baskets, known: int, below: int, text: str, progress: Progress) -> tuple[RareItemset, ...]:
    return rare_itemsets(baskets, known, below, text, progress=progress)


def _story() -> str:
    searched = tr(
        "In 2006 AOL published what 650,000 people had searched for, with numbers instead of names. One number had "
        "searched for people of her surname and for things in her town; reporters rang at her door within days."
    )
    at_the_till = tr(
        "At the till it is the same: a friend sees two things in your basket, looks them up in the published baskets, "
        "finds only one that holds both, and reads the rest of yours."
    )
    return f"{searched}\n\n{at_the_till}"
