"""Policies page: rules, findings, three questions; registered: view 110, help 72, tour 500, output_panel 480."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.params import Shares, params_of
from anonymizer_gui.engine.rooms.microdata.policies.contract import Rule
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import NEVER_SEEN, JudgedPolicy, RuleSet, read_rule_set
from anonymizer_gui.engine.rooms.microdata.policies.safe_harbor import (
    BUILT_IN,
    built_in,
    has_area_rule,
    needs_area_table,
    read_areas,
    with_areas,
)
from anonymizer_gui.engine.rooms.microdata.policies.wp29_questions import SOURCE, Question
from anonymizer_gui.engine.rooms.microdata.release.policy_check import PolicyJudgement, judge_run
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.dialogs.file_dialogs import ask_file
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.release.release_history import ReleaseSelector
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.layout import VerticalScrollArea, clear_layout
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.param_form import ParamForm
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

_PLACE = Qt.ItemDataRole.UserRole

_RULE_SHARE = 31
"""How wide the rules are, in letters."""


class PolicyRuleTree(QTreeWidget):
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


_WIDTH = 460


class PolicyRuleDialog(QDialog):
    """A form made from what the rule declares; long tables of areas are read from a file instead."""

    chosen = Signal(object)
    """Carries the changed rule."""

    def __init__(self, rule: Rule, columns: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("rule_dialog")
        self.setWindowTitle(tr(rule.title))
        names = [param.name for param in params_of(type(rule)) if not isinstance(param.kind, Shares)]
        self.form, self.note = ParamForm(type(rule), rule, columns=columns, names=names), InlineMessage()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setText(tr("Cancel"))
        theme.strip_button_icons(self.buttons)
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(tr(rule.summary), wordWrap=True))
        layout.addWidget(self.form)
        layout.addWidget(self.note)
        layout.addStretch(1)
        layout.addWidget(self.buttons)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.finished.connect(self.deleteLater)
        self.resize(_WIDTH, self.sizeHint().height())

    def accept(self) -> None:
        """Tell the rule, unless a field is wrong."""
        rule = self.form.value()
        if rule is None:
            self.note.show_note("bad", self.form.error)
            return
        super().accept()
        self.chosen.emit(rule)


_LARGER = 1.1


class RegulatorQuestionCards(QWidget):
    """A bold question each, with the sentences that answer it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("policy_questions")
        self.lines: list[QLabel] = []
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)

    def show_questions(self, questions: Sequence[Question], unseen: Sequence[str] = ()) -> None:
        """Show the answers, and what no rule looks at; without answers, that there is nothing to look at yet."""
        clear_layout(self._rows)
        self.lines = []
        self._add(tr("What the European regulators ask"), "question_head", larger=True)
        if not questions:
            self._add(tr("The figures are counted from a release: run an algorithm first."), "question_none")
        for question in questions:
            self._add(tr(question.title), f"question_{question.name}", bold=True)
            self._add("\n".join(tr(sentence) for sentence in question.sentences), f"answer_{question.name}")
        self._add(SOURCE, "question_source")
        if unseen:
            self._add(tr("What no rule looks at"), "unseen_head", larger=True)
            self._add("\n".join(unseen), "policy_unseen")
        self._rows.addStretch(1)

    def _add(self, text: str, name: str, *, bold: bool = False, larger: bool = False) -> None:
        line = name_widget(QLabel(text, wordWrap=True, textFormat=Qt.TextFormat.PlainText), name)
        line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        font = line.font()
        font.setBold(bold or larger)
        if larger:
            font.setPointSizeF(font.pointSizeF() * _LARGER)
        line.setFont(font)
        self._rows.addWidget(line)
        self.lines.append(line)


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
        self.tree, self.questions = PolicyRuleTree(), RegulatorQuestionCards()
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
        dialog = PolicyRuleDialog(policies[policy_at].rules[rule_at], table.names, self)
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
