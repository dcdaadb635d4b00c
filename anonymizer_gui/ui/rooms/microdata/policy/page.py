"""Policies: named checklists the release is judged by, and the three questions of the European regulators."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.rooms.microdata.policies.contract import Rule
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import NEVER_SEEN, RuleSet, read_rule_set
from anonymizer_gui.engine.rooms.microdata.policies.safe_harbor import (
    BUILT_IN,
    built_in,
    has_area_rule,
    needs_area_table,
    read_areas,
    with_areas,
)
from anonymizer_gui.engine.rooms.microdata.release.policy_check import PolicyJudgement, judge_run
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.ui.dialogs.file_dialogs import ask_file
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.release.release_history import ReleaseSelector
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.rooms.microdata.policy.question_cards import QuestionCards
from anonymizer_gui.ui.rooms.microdata.policy.rule_dialog import RuleDialog
from anonymizer_gui.ui.rooms.microdata.policy.rule_tree import RuleTree
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.layout import VerticalScrollArea
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

_ANSWER = "policies"
_SIZES = 680, 380
_NOTHING: PolicyJudgement = ((), ())


class PolicyPage(Page):
    """The rules with what was found at the left, the three questions at the right."""

    document: MicrodataDocument
    name = "policy"
    title = "Policies"
    order = 65
    icon = "report"
    help = "microdata/policies"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say whether the selected release passes."""
        release, policies = document.selected, document.project.policies
        if not policies:
            return StepStatus(StepState.EMPTY, tr("No policy chosen"))
        if release is None:
            return StepStatus(StepState.READY, tr("Run an algorithm first"))
        if document.finished.is_stale(release):
            return StepStatus(StepState.STALE, tr("Settings changed since the run"))
        found = _opinion(document, release)
        if found is None:
            return StepStatus(StepState.READY, tr("Judging"))
        missing = sum(judged.missing for judged in found[0])
        if missing:
            return StepStatus(StepState.WARNING, tr("{count:rule|rules} not met", count=missing))
        return StepStatus(StepState.DONE, tr("All rules met"))

    def take_rule_set(self, path: Path) -> None:
        """Read a policy of the house from its file and judge by it."""

        def work(progress: object) -> RuleSet:
            return read_rule_set(path)

        self.document.jobs.start(tr("Read the policy"), work, on_done=self._add, replace_key="read policy")

    def take_areas(self, path: Path) -> None:
        """Read how many people live in each postal area."""
        self.document.jobs.start(
            tr("Read the areas"), read_areas, path, on_done=self._on_areas, replace_key="read areas"
        )

    def _build(self) -> None:
        self.chooser = ReleaseSelector(self.document)
        self.stale, self.missing = InlineMessage(), InlineMessage()
        self.tree, self.questions = RuleTree(), QuestionCards()
        self.detail = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "policy_detail")
        self.detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.add = name_widget(QPushButton(tr("Add a Policy")), "policy_add")
        self.edit_rule = name_widget(QPushButton(tr("Edit Rule…")), "policy_edit")
        about = tr("A table whose first column has postal codes and whose second says how many people live there")
        self.areas = name_widget(QPushButton(tr("Areas…")), "policy_areas", tip=about)
        self.remove = name_widget(QPushButton(tr("Remove")), "policy_remove", tip=tr("Remove the policy"))
        self.empty = EmptyState(
            tr("No table yet: open one first."), tr("Go to Data"), lambda: self.go.emit("data"), icon="report"
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        buttons = QHBoxLayout()
        for button in (self.add, self.edit_rule, self.areas, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        left = QWidget()
        rules = QVBoxLayout(left)
        rules.setContentsMargins(0, 0, 0, 0)
        rules.addLayout(buttons)
        rules.addWidget(self.missing)
        rules.addWidget(self.tree, 1)
        rules.addWidget(self.detail)
        halves = name_widget(QSplitter(childrenCollapsible=False), "policy_splitter")
        halves.addWidget(left)
        halves.addWidget(VerticalScrollArea(self.questions))
        halves.setStretchFactor(0, 3)
        halves.setStretchFactor(1, 2)
        halves.setSizes(list(_SIZES))
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.addWidget(self.chooser)
        layout.addWidget(self.stale)
        layout.addWidget(halves, 1)
        return whole

    def _connect(self) -> None:
        menu = QMenu(self.add)
        for name, make in BUILT_IN.items():
            menu.addAction(tr(make().title)).triggered.connect(lambda _=False, name=name: self._add(built_in(name)))
        menu.addSeparator()
        menu.addAction(tr("From a File…")).triggered.connect(
            lambda: ask_file(self, tr("Choose a Policy"), lambda name: self.take_rule_set(Path(name)))
        )
        self.add.setMenu(menu)
        self.areas.clicked.connect(
            lambda: ask_file(self, tr("Choose the Table of Areas"), lambda name: self.take_areas(Path(name)))
        )
        self.remove.clicked.connect(self._on_remove)
        self.edit_rule.clicked.connect(self._on_edit)
        self.tree.itemSelectionChanged.connect(self._show_buttons)
        self.tree.itemDoubleClicked.connect(lambda _item, _column: self._on_edit())

    def _show(self, changed: frozenset[str]) -> None:
        self._stack.setCurrentIndex(int(self.document.table is not None))
        if self.document.table is None or not is_affected(
            changed, "policies", "publishing", "table", Change.RESULTS, Change.RELEASES, Change.ANSWERS
        ):
            return
        release, policies = self.document.selected, self.document.project.policies
        self.chooser.show_document()
        self.chooser.setVisible(release is not None)
        is_stale = release is not None and self.document.finished.is_stale(release)
        self.stale.show_note(
            "warn", tr("The settings have changed since this run.") if is_stale else "" if release else _first_run()
        )
        found: PolicyJudgement | None = None
        if release is not None:
            found = _opinion(self.document, release)
        self._show_found(policies, found or _NOTHING)

    def _show_found(self, policies: tuple[RuleSet, ...], found: PolicyJudgement) -> None:
        self.tree.show_policies(policies, found[0])
        unseen = [tr(text) for policy in policies for text in policy.unseen]
        self.questions.show_questions(found[1], [*(f"• {text}" for text in unseen), tr(NEVER_SEEN)])
        asks = any(needs_area_table(policy) for policy in policies)
        told = tr("A rule about postal areas needs a table that says how many people live there.") if asks else ""
        if not policies:
            told = tr("Add a policy: its rules about roles, hierarchies, goals and the release are checked one by one.")
        self.missing.show_note("info", told)
        self._show_buttons()

    def _show_buttons(self) -> None:
        place = self.tree.place()
        self.detail.setText(self.tree.told())
        self.detail.setVisible(bool(self.detail.text()))
        self.remove.setEnabled(place is not None)
        self.edit_rule.setEnabled(place is not None and place[1] is not None)
        self.areas.setEnabled(any(has_area_rule(policy) for policy in self.document.project.policies))

    def _add(self, policy: RuleSet) -> None:
        text = tr("Add the policy “{title}”", title=tr(policy.title))
        self.document.edit(text, policies=(*self.document.project.policies, policy))

    def _on_remove(self) -> None:
        place, policies = self.tree.place(), self.document.project.policies
        if place is not None:
            text = tr("Remove the policy “{title}”", title=tr(policies[place[0]].title))
            self.document.edit(text, policies=tuple(p for at, p in enumerate(policies) if at != place[0]))

    def _on_areas(self, areas: dict[str, int]) -> None:
        changed = tuple(with_areas(policy, areas) for policy in self.document.project.policies)
        self.document.edit(tr("Set the people of {count:postal area|postal areas}", count=len(areas)), policies=changed)

    def _on_edit(self) -> None:
        place, policies, table = self.tree.place(), self.document.project.policies, self.document.table
        if place is None or place[1] is None or table is None:
            return
        policy_at, rule_at = place[0], place[1]
        dialog = RuleDialog(policies[policy_at].rules[rule_at], table.names, self)
        dialog.chosen.connect(lambda rule: self._on_edited(policy_at, rule_at, rule))
        dialog.open()

    def _on_edited(self, policy_at: int, rule_at: int, rule: Rule) -> None:
        policies = self.document.project.policies
        changed = policies[policy_at].with_rule(rule_at, rule)
        text = tr("Edit a rule of “{title}”", title=tr(changed.title))
        self.document.edit(text, policies=(*policies[:policy_at], changed, *policies[policy_at + 1 :]))


def _first_run() -> str:
    return tr("No release yet: run an algorithm first.")


def _opinion(document: Document, release: Release) -> PolicyJudgement | None:
    """Give what was found, or nothing while it is looked for; `answers` changes once it is there."""
    project = document.project
    found: PolicyJudgement | None = document.answer(
        (_ANSWER, release.id),
        judge_run,
        release,
        project.policies,
        project.publishing,
        title=tr("Judge by the policies"),
    )
    return found
