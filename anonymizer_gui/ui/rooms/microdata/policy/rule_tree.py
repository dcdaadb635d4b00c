"""Policies with their rules, each with what was found."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import JudgedPolicy, RuleSet
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import plain_text

_PLACE = Qt.ItemDataRole.UserRole
_RULE_SHARE = 31
"""How wide the rules are, in letters."""


class RuleTree(QTreeWidget):
    """A branch per policy, a line per rule: met or missing by icon and word."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("policy_rules")
        self.setAccessibleName(tr("Policies and their rules"))
        self.setHeaderLabels([tr("Rule"), tr("State"), tr("What was found")])
        self.setAlternatingRowColors(True)
        self.setUniformRowHeights(True)
        header = self.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.setColumnWidth(0, self.fontMetrics().averageCharWidth() * _RULE_SHARE * 2)

    def place(self) -> tuple[int, int | None] | None:
        """Give the policy that is selected, and the rule where one is."""
        selected = self.selectedItems()
        place: tuple[int, int | None] | None = selected[0].data(0, _PLACE) if selected else None
        return place

    def told(self) -> str:
        """Give all words of the line that is selected, which may be cut off in it."""
        selected = self.selectedItems()
        return ". ".join(text for text in (selected[0].text(0), selected[0].text(2)) if text) if selected else ""

    def show_policies(self, policies: Sequence[RuleSet], found: Sequence[JudgedPolicy]) -> None:
        """Show the rules; without findings they are not judged yet. What was selected and closed stays so."""
        kept = self.place()
        closed = {at for at, top in enumerate(self._tops()) if not top.isExpanded()}
        self.clear()
        for at, policy in enumerate(policies):
            judged = found[at] if at < len(found) and found[at].policy == policy else None
            top = QTreeWidgetItem([tr(policy.title), "", policy.source and tr(policy.source)])
            top.setData(0, _PLACE, (at, None))
            self._write_state(top, None if judged is None else judged.passes, tr("passed"), tr("not passed"))
            for place, rule in enumerate(policy.rules):
                self._add_rule(top, (at, place), tr(rule.demand()), judged)
            self.addTopLevelItem(top)
            top.setExpanded(at not in closed)
        self._select(kept)

    def _add_rule(self, top: QTreeWidgetItem, place: tuple[int, int], demand: str, judged: JudgedPolicy | None) -> None:
        answer = None if judged is None else judged.answers[place[1]]
        told = "" if answer is None else tr(answer.sentence)
        line = QTreeWidgetItem(top, [demand, "", told])
        line.setData(0, _PLACE, place)
        line.setToolTip(0, plain_text(demand))
        line.setToolTip(2, plain_text(told))
        self._write_state(line, None if answer is None else answer.holds, tr("met"), tr("missing"))

    def _write_state(self, item: QTreeWidgetItem, holds: bool | None, good: str, bad: str) -> None:
        if holds is None:
            item.setText(1, tr("not judged"))
            return
        item.setText(1, good if holds else bad)
        item.setIcon(1, theme.icon("check", "good") if holds else theme.icon("error", "bad"))

    def _tops(self) -> list[QTreeWidgetItem]:
        root = self.invisibleRootItem()
        return [top for at in range(root.childCount()) if (top := root.child(at)) is not None]

    def _select(self, place: tuple[int, int | None] | None) -> None:
        tops = self._tops()
        if place is None or place[0] >= len(tops):
            return
        top = tops[place[0]]
        rule = None if place[1] is None else top.child(place[1])
        self.setCurrentItem(top if rule is None else rule)
