"""Policies and the three questions, judged on what leaves, and once more from the counts of the written file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.io import WriteOptions
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnType, Role, Table
from anonymizer_gui.engine.room import Check, Finding
from anonymizer_gui.engine.rooms.microdata.independent import RecountResult
from anonymizer_gui.engine.rooms.microdata.masking.steps import top_coded_cells
from anonymizer_gui.engine.rooms.microdata.policies.contract import PolicyColumn, PolicyView
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import (
    JudgedPolicy,
    RuleSet,
    judge_policy,
    rule_set_from_entries,
)
from anonymizer_gui.engine.rooms.microdata.policies.wp29_questions import Question, compare_figures, three_questions
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.rooms.microdata.release.checklist import numbered
from anonymizer_gui.engine.rooms.microdata.release.independent_check import numbers_of_recount
from anonymizer_gui.engine.rooms.microdata.release.output_format import column_in_file, name_in_file, write_options
from anonymizer_gui.engine.rooms.microdata.release.release import Release

if TYPE_CHECKING:
    from anonymizer_gui.engine.core.progress import Progress
    from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate

POLICIES = "policies"
"""The name of the checks about policies."""
_COUNT_PEOPLE = ("k", "l", "per_sensitive", "risk", "largest_share")
PolicyJudgement = tuple[tuple[JudgedPolicy, ...], tuple[Question, ...]]


def judge_output(table: Table, release: Release, numbers: Mapping[str, Json], rows_before: int) -> PolicyJudgement:
    """Judge a table as its file will have it by every policy of its project, and answer the three questions."""
    options = write_options(release.project, Path())
    spelled = Table(tuple(column_in_file(column, options) for column in table.columns), table.n_rows)
    shown = policy_view(spelled, release.project, numbers, release.created, rows_before)
    found = tuple(judge_policy(policy, shown) for policy in release.project.policies)
    return found, three_questions(shown, alone_in_all_columns(spelled))


def judge_run(
    release: Release, policies: Sequence[RuleSet], publishing: Publishing, progress: "Progress"
) -> PolicyJudgement:
    """Judge a finished run by some policies, as it would leave now; pseudonyms are not made yet."""
    progress(0.0, message("Looking at the release"))
    shown, table = policy_view_of_run(release, publishing)
    return tuple(judge_policy(policy, shown) for policy in policies), three_questions(
        shown, alone_in_all_columns(table)
    )


def policy_checks(policies: Sequence[JudgedPolicy]) -> tuple[Check, ...]:
    """Give a line of the checklist for every policy."""
    return numbered([_policy_check(found) for found in policies])


def _policy_check(found: JudgedPolicy) -> Check:
    answers = zip(found.policy.rules, found.answers, strict=True)
    return Check(
        POLICIES,
        _passed(found.policy),
        found.passes,
        found.sentence(),
        findings=tuple(
            Finding(message("{demand}: {found}", demand=rule.demand(), found=answer.sentence))
            for rule, answer in answers
            if not answer.holds
        ),
    )


def unjudged_policy_checks(project: Project) -> tuple[Check, ...]:
    """Say of a release that no memory holds that its policies were not looked at."""
    told = message("An engine wrote the release: its cells were not looked at one by one.")
    return numbered([Check(POLICIES, _passed(policy), False, told) for policy in project.policies])


def _passed(policy: RuleSet) -> Message:
    return message("Policy “{title}” passed", title=message(policy.title))


def confirm_policies(leaving: "ReleaseCandidate", found: RecountResult) -> None:
    """Judge with the numbers that were counted from the bytes; raises PromiseBroken where the verdict is another."""
    before = leaving.original.n_rows
    policies, questions = judge_output(leaving.table, leaving.release, numbers_of_recount(found), before)
    if policies != leaving.policies:
        raise _another(message("a policy is judged otherwise"))
    for name in compare_figures([question.told() for question in leaving.questions], questions):
        raise _another(message("the figures about {question} are others", question=name))


def judged_again(
    table: Table, found: RecountResult, told: Mapping[str, Json], options: WriteOptions
) -> PolicyJudgement:
    """Judge a file by the policies that its certificate names, and answer the three questions.

    Raises BadParameter, ValueError, TypeError, KeyError where a policy is none.
    """
    numbers = numbers_of_recount(found)
    if told["numbers"].get("people") is not None:  # the file does not tell whom a row is about
        numbers |= {name: told["numbers"][name] for name in _COUNT_PEOPLE}
    shown = policy_view_of_certificate({column.name: column for column in table.columns}, told, numbers, options)
    policies = tuple(
        judge_policy(
            rule_set_from_entries({name: entry[name] for name in ("policy", "source", "rules", "unseen")}), shown
        )
        for entry in told.get("policies", [])
    )
    return policies, three_questions(shown, alone_in_all_columns(table)) if told.get("questions", True) else ()


def _another(what: Message) -> PromiseBroken:
    return PromiseBroken(
        message("Counted from the written file, {what}.", what=what), "Nothing was released. Please report this."
    )


def alone_in_all_columns(table: Table) -> int:
    """Count the published rows that no other row equals in every column, quasi-identifiers or not."""
    if not table.columns:
        return 0
    return int((classes_of(table, table.names).sizes == 1).sum())


def policy_view(
    table: Table, project: Project, numbers: Mapping[str, Json], created: str, rows_before: int
) -> PolicyView:
    """Look at a table that leaves, and at what its project decided."""
    ways, tops = (
        dict(project.publishing.pseudonyms),
        top_coded_cells(project.source, {column.name: column.labels for column in table.columns}),
    )
    columns = tuple(
        PolicyColumn(
            entry.name,
            entry.role,
            entry.type,
            _cells(table.column(entry.name)) if entry.name in table.names else None,
            ways.get(entry.name, ""),
            tops.get(entry.name, ""),
        )
        for entry in project.schema.columns
    )
    heights = {name: tree.height for name, tree in project.used_hierarchies().items()}
    return PolicyView(columns, numbers, heights, rows_before, project.publishing.linkable, _year(created))


def policy_view_of_run(release: Release, publishing: Publishing) -> tuple[PolicyView, Table]:
    """Look at a finished run as it would leave, before pseudonyms are made."""
    project = replace(release.project, publishing=publishing)
    left_out = set(project.left_out_columns())
    table = release.table.select([name for name in release.table.names if name not in left_out])
    rows = table.n_rows + release.measured.suppressed
    return policy_view(table, project, release.measured.to_json(), release.created, rows), table


def policy_view_of_certificate(
    columns: Mapping[str, Column], told: Mapping[str, Json], numbers: Mapping[str, Json], options: WriteOptions
) -> PolicyView:
    """Look at a file, with nothing but its certificate beside it."""
    ways = dict(told["recipe"]["pseudonyms"])
    return PolicyView(
        tuple(_certified(entry, columns, ways, options) for entry in told["columns"]),
        numbers,
        {name: entry["height"] for name, entry in told["hierarchies"].items()},
        told["source"]["rows"],
        bool(told["recipe"]["linkable"]),
        _year(told["release"]["created"]),
    )


def _certified(
    entry: Mapping[str, Json], columns: Mapping[str, Column], ways: Mapping[str, str], options: WriteOptions
) -> PolicyColumn:
    column = columns.get(name_in_file(entry["name"], options))
    return PolicyColumn(
        entry["name"],
        Role(entry["role"]),
        ColumnType(entry["type"]),
        None if column is None else _cells(column),
        ways.get(entry["name"], ""),
        entry.get("top", ""),
    )


def _cells(column: Column) -> dict[str, int]:
    counts: Sequence[int] = column.counts().tolist()
    both = zip(column.labels, counts, strict=True)
    return {label: count for label, count in both if count and label != MISSING}


def _year(created: str) -> int:
    return int(created[:4]) if created[:4].isdigit() else 0
