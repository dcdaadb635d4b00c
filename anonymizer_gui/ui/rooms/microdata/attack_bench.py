"""Attacks before and after, detail, worst verdict for the rail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QScrollArea,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.risk.attacks import AttackResult
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, BeforeAndAfter, Risk, WorstClass
from anonymizer_gui.engine.rooms.microdata.thresholds import COMFORTABLE_RISK
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import error_text, format_integer, format_percent, tr, translated_label
from anonymizer_gui.ui.rooms.microdata.figures import format_figure
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text, set_tab_order
from anonymizer_gui.ui.widgets.figure_cards import Figure
from anonymizer_gui.ui.widgets.param_form import ParamForm

_MOST_KEPT = 64


@dataclass(frozen=True, slots=True)
class _Worst:
    """The title of the attack that stands worst, and how many rows or people it hits."""

    title: str = ""
    hit: int = 0
    counts_people: bool = False
    tone: str = "good"


_known: dict[str, _Worst] = {}
"""By id of a release that was attacked."""


def attack_severity(attack: AttackResult | None) -> str:
    """Say how an attack stands: good when it hits nobody, bad when its share is no smaller than in the original.

    An estimate that hits nobody proves nothing, and what could not be tried says nothing.
    """
    both = attack.both if attack else None
    if both is None or (both.after.is_estimate and not both.after.hit):
        return "info"
    if not both.after.hit:
        return "good"
    return "warn" if both.after.share < both.before.share else "bad"


def severity_legend() -> str:
    """Say what the colours of attacks mean."""
    return tr(
        "Green: hits nobody. Amber: a smaller share than in the original. Red: no smaller share than in the original. "
        "Blue: not tried, or an estimate."
    )


def record_attacks(release: Release, titles: Mapping[str, str], attacks: Mapping[str, AttackResult]) -> bool:
    """Keep which attack stands worst; say whether that is news. Estimates count, too: they prove nothing good."""
    hits = {name: attack for name, attack in attacks.items() if attack.both is not None and attack.both.after.hit}
    found = _Worst()
    if hits:
        name = max(hits, key=lambda each: (attack_severity(hits[each]) == "bad", hits[each].share, hits[each].hit))
        found = _Worst(titles.get(name, ""), hits[name].hit, hits[name].counts_people, attack_severity(hits[name]))
    is_news = _known.get(release.id) != found
    _known[release.id] = found
    while len(_known) > _MOST_KEPT:
        _known.pop(next(iter(_known)))
    return is_news


def worst_attack_figure(release: Release) -> Figure:
    """Put the attack that stands worst into a figure: no page about risk is green without it."""
    title = tr("Worst attack")
    if not was_attacked(release):
        return Figure("attack", title, "–", tr("not tried yet"), "info")
    worst = _known[release.id]
    if not worst.hit:
        return Figure("attack", title, format_integer(0), tr("those that could be tried hit nobody"), worst.tone)
    name = tr(worst.title)
    words = tr("people hit: {attack}", attack=name) if worst.counts_people else tr("rows hit: {attack}", attack=name)
    return Figure("attack", title, format_integer(worst.hit), words, worst.tone)


def was_attacked(release: Release) -> bool:
    """Say whether the attacks were tried on a release."""
    return release.id in _known


def worst_attack_text(release: Release) -> str:
    """Say the worst that is known of a release; nothing where all that was tried is comfortable."""
    worst = _known.get(release.id, _Worst())
    if worst.hit and worst.counts_people:
        return tr("{attack} hits {people:person|people}", attack=tr(worst.title), people=format_integer(worst.hit))
    if worst.hit:
        return tr("{attack} hits {rows:row|rows}", attack=tr(worst.title), rows=format_integer(worst.hit))
    if 1 / max(release.measured.fewest, 1) > COMFORTABLE_RISK * (1 + 1e-9):
        return tr("At worst 1 in {k}", k=release.measured.fewest)
    alike = [name for name, share in release.measured.largest_share.items() if share >= 1]
    if alike:
        return tr("Some class agrees in “{column}”", column=alike[0])
    return ""


_TONES = {"good": "check", "warn": "warning", "bad": "error", "info": "info"}

_MOST_COLUMNS = 5


class AttackBench(QSplitter):
    """Above the list of attacks, below the chosen one: what the attacker knows, its parameters, the worst classes."""

    changed = Signal(object)
    """Carries an analysis whose parameters were changed."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal, childrenCollapsible=False)
        self.setObjectName("attack_bench")
        self.risks: dict[str, Risk] = {declared.name: declared() for declared in RISKS}
        self.attacks: Mapping[str, AttackResult] = {}
        self._columns: tuple[str, ...] = ()
        self._qis: tuple[str, ...] = ()
        self.form: ParamForm | None = None
        self._is_chosen = False
        self._build()

    def show_attacks(self, attacks: Mapping[str, AttackResult], qis: Sequence[str], sas: Sequence[str]) -> None:
        """Show what was found."""
        self.attacks, self._qis = attacks, tuple(qis)
        if tuple(sas) != self._columns:
            self._columns = tuple(sas)
            self._show_form()
        for row, name in enumerate(self.risks):
            self._fill(row, name, attacks.get(name))
        self._choose_one_that_ran()
        self._show_worst()

    def _choose_one_that_ran(self) -> None:
        """Show the attack that hits most, as long as nobody has chosen one: one that cannot run tells nothing."""
        ran = {name: attack.both for name, attack in self.attacks.items() if name in self.risks and attack.both}
        if ran and not self._is_chosen:
            worst = max(ran, key=lambda name: (attack_severity(self.attacks[name]) == "bad", ran[name].after.share))
            self.choose(worst)
            self._is_chosen = False

    def choose(self, name: str) -> None:
        """Show one attack in detail."""
        self.list.selectRow(list(self.risks).index(name))

    def found(self, name: str) -> BeforeAndAfter | None:
        """Give what an attack found, None where it was not or could not be made."""
        attack = self.attacks.get(name)
        return attack.both if attack else None

    @property
    def chosen(self) -> str:
        """The name of the attack that is shown in detail."""
        return list(self.risks)[max(self.list.currentRow(), 0)]

    def _build(self) -> None:
        heads = [tr("Attack"), tr("Hit before"), tr("Hit after"), tr("Of")]
        self.list = _table(heads, "attacks", tr("Attacks"))
        self.list.setRowCount(len(self.risks))
        self.list.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.list.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.title = QLabel(wordWrap=True)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.words = QLabel(wordWrap=True)
        self.answer = name_widget(QLabel(wordWrap=True), "attack_answer")
        self.worst = _table([], "worst_classes", tr("Worst classes"))
        inside = QWidget()
        self._detail = QVBoxLayout(inside)
        for widget in (self.title, self.words, self.answer):
            self._detail.addWidget(widget)
        self._form_place = self._detail.count()
        self.worst_title = QLabel(wordWrap=True)
        self._detail.addWidget(self.worst_title)
        self._detail.addWidget(self.worst, 1)
        area = QScrollArea(widgetResizable=True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inside)
        self.addWidget(self._list_with_words())
        self.addWidget(area)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 1)
        self.list.currentCellChanged.connect(lambda *_places: self._on_chosen())
        for row, name in enumerate(self.risks):
            self._fill(row, name, None)
        self.list.selectRow(0)

    def _list_with_words(self) -> QWidget:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.list, 1)
        colours = name_widget(QLabel(severity_legend(), wordWrap=True), "meaning_of_tones")
        colours.setForegroundRole(colours.foregroundRole().PlaceholderText)
        column.addWidget(colours)
        return left

    def _fill(self, row: int, name: str, attack: AttackResult | None) -> None:
        both = attack.both if attack else None
        texts, tone = ["", "", ""], attack_severity(attack)
        if both is not None:
            texts = [format_integer(both.before.hit), format_integer(both.after.hit), format_integer(both.after.people)]
        title = QTableWidgetItem(theme.icon(_TONES[tone], tone), tr(self.risks[name].title))
        title.setToolTip(tr(self.risks[name].summary))
        self.list.setItem(row, 0, title)
        for column, text in enumerate(texts, start=1):
            item = QTableWidgetItem(text or "–")
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setToolTip(plain_text(error_text(attack.obstacle) if attack and attack.obstacle else ""))
            self.list.setItem(row, column, item)

    def _on_chosen(self) -> None:
        self._is_chosen = bool(self.attacks)
        self._show_form()
        self._show_worst()

    def _show_form(self) -> None:
        risk = self.risks[self.chosen]
        self.title.setText(tr(risk.title))
        self.words.setText(f"{tr(risk.summary)}\n{tr('The attacker')}: {tr(risk.attacker)}")
        if self.form is not None:
            self._detail.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
        self.form = ParamForm(type(risk), risk, columns=self._columns)
        self.form.changed.connect(self._on_changed)
        self._detail.insertWidget(self._form_place, self.form)
        set_tab_order(self.list, *(field.widget for field in self.form.fields.values()), self.worst)

    def _show_worst(self) -> None:
        attack = self.attacks.get(self.chosen)
        self.answer.setText(_answer(attack))
        classes = attack.worst if attack else ()
        self.worst_title.setText(tr("Worst classes of the release"))
        if attack and not classes and attack.worst_before:
            classes = attack.worst_before
            self.worst_title.setText(tr("Worst rows of the original; the release has none of them"))
        self.worst.setColumnCount(len(self._qis) + 2)
        unit = tr("People") if attack is not None and attack.counts_people else tr("Rows")
        is_score = any(found.shares for found in classes)
        self.worst.setHorizontalHeaderLabels([*self._qis, unit, tr("Score") if is_score else tr("Value")])
        if is_score:
            told = tr("A share says in which part of the score its column has a hand.")
            self.worst_title.setText(f"{self.worst_title.text()}. {told}")
        self.worst.setRowCount(len(classes))
        for row, found in enumerate(classes):
            for column, text in enumerate((*_cells(found), format_integer(found.rows), format_figure(found.value))):
                self.worst.setItem(row, column, QTableWidgetItem(text))
        self.worst.resizeColumnsToContents()

    def _on_changed(self, value: Risk) -> None:
        self.risks[value.name] = value
        self.changed.emit(value)


def _cells(found: WorstClass) -> list[str]:
    """Give the cells of a class, each with its part in the number where that is told."""
    texts = [translated_label(cell) for cell in found.cells]
    if not found.shares:
        return texts
    return [
        tr("{cell} ({share})", cell=text, share=format_percent(share, 0))
        for text, share in zip(texts, found.shares, strict=True)
    ]


def _answer(attack: AttackResult | None) -> str:
    if attack is None:
        return tr("Being computed…")
    if attack.both is None:
        return error_text(attack.obstacle) if attack.obstacle else ""
    before, after = attack.both.before, attack.both.after
    answer = tr(
        "Before, {before} of {people:person is|people are} hit ({before_share}); "
        "after, {after} of {left} ({after_share})."
        if attack.counts_people
        else "Before, {before} of {people:row is|rows are} hit ({before_share}); "
        "after, {after} of {left} ({after_share}).",
        before=format_integer(before.hit),
        people=format_integer(before.people),
        before_share=format_percent(before.share),
        after=format_integer(after.hit),
        left=format_integer(after.people),
        after_share=format_percent(after.share),
    )
    if after.is_estimate:
        by_number = tr("This is an estimate from the number of people alone; a population table would prove it.")
        by_weight = tr("This is an estimate from the sampling weights; a population table would prove it.")
        answer += "\n" + (by_weight if attack.by_weight else by_number)
        answer += _models(after.details)
    column = after.details.get("column")
    if column:
        return answer + " " + tr("Most are hit in “{column}”.", column=column)
    return "\n".join((answer, *_contributions(before.details), *_links(before.details, after.details)))


def _contributions(before: Mapping[str, Any]) -> list[str]:
    """Say which columns of the original single people out, most first."""
    shares = {name: share for name, share in before.get("contributions", {}).items() if share > 0}
    if not shares:
        return []
    most = sorted(shares, key=lambda name: (-shares[name], name))[:_MOST_COLUMNS]
    listed = ", ".join(f"{name} {format_percent(shares[name], 0)}" for name in most)
    return [tr("Before, the columns that take part in most of it: {columns}.", columns=listed)]


def _models(details: Mapping[str, Any]) -> str:
    """Name what every model of the population says, and which one was taken."""
    if "estimates" not in details:
        return ""
    titles = {"zayatz": "Zayatz", "pitman": "Pitman", "snb": "SNB", "benedetti-franconi": "Benedetti-Franconi"}
    told = ", ".join(
        f"{titles[name]} {tr('no answer') if found is None else format_integer(round(found))}"
        for name, found in details["estimates"].items()
    )
    return "\n" + tr(
        "People unique in the population, by model: {told}. Taken: {taken} (the rule of Dankar and others).",
        told=told,
        taken=titles[details["taken"]],
    )


def _links(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Say by which columns a second table was linked, and how many people fit so many rows, before and after."""
    if "people_by_rows" not in after:
        return []
    was, now = before["people_by_rows"], after["people_by_rows"]
    counts = "; ".join(
        f"{tr('more') if rows == 'more' else rows}: {format_integer(was[rows])} → {format_integer(now[rows])}"
        for rows in now
        if was[rows] or now[rows]
    )
    return [
        tr("Linked by: {columns}", columns=", ".join(after["columns"])),
        tr("People by the number of rows they fit: {counts}", counts=counts),
    ]


def _table(heads: Sequence[str], name: str, spoken: str) -> QTableWidget:
    table = name_widget(QTableWidget(0, len(heads)), name)
    table.setHorizontalHeaderLabels(list(heads))
    table.setAccessibleName(spoken)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(round(table.fontMetrics().height() * 1.6))
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.horizontalHeader().setResizeContentsPrecision(50)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setMinimumHeight(table.fontMetrics().height() * 8)
    return table
