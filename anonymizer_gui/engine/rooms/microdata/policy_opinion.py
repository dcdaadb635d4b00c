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
from anonymizer_gui.engine.rooms.microdata.checks import numbered
from anonymizer_gui.engine.rooms.microdata.policies.contract import Shown, ShownColumn
from anonymizer_gui.engine.rooms.microdata.policies.questions import (
    Question,
    other_figures,
    three_questions,
)
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import Judged, RuleSet, judged, rule_set_in
from anonymizer_gui.engine.rooms.microdata.preparing.top_cells import top_cells
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.rooms.microdata.recount import Recount
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.rooms.microdata.second_opinion import numbers_of
from anonymizer_gui.engine.rooms.microdata.written import as_read, name_in_file, write_options

if TYPE_CHECKING:
    from anonymizer_gui.engine.core.progress import Progress
    from anonymizer_gui.engine.rooms.microdata.leaving import LeavingTable

POLICIES = "policies"
"""The name of the checks about policies."""
_COUNT_PEOPLE = ("k", "l", "per_sensitive", "risk", "largest_share")
Opinion = tuple[tuple[Judged, ...], tuple[Question, ...]]


def judge_leaving(table: Table, release: Release, numbers: Mapping[str, Json], rows_before: int) -> Opinion:
    """Judge a table as its file will have it by every policy of its project, and answer the three questions."""
    options = write_options(release.project, Path())
    spelled = Table(tuple(as_read(column, options) for column in table.columns), table.n_rows)
    shown = shown_of(spelled, release.project, numbers, release.created, rows_before)
    found = tuple(judged(policy, shown) for policy in release.project.policies)
    return found, three_questions(shown, alone_in_all_columns(spelled))


def judge_run(release: Release, policies: Sequence[RuleSet], publishing: Publishing, progress: "Progress") -> Opinion:
    """Judge a finished run by some policies, as it would leave now; pseudonyms are not made yet."""
    progress(0.0, message("Looking at the release"))
    shown, table = shown_by_run(release, publishing)
    return tuple(judged(policy, shown) for policy in policies), three_questions(shown, alone_in_all_columns(table))


def policy_checks(policies: Sequence[Judged]) -> tuple[Check, ...]:
    """Give a line of the checklist for every policy."""
    return numbered([_policy_check(found) for found in policies])


def _policy_check(found: Judged) -> Check:
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


def unjudged_checks(project: Project) -> tuple[Check, ...]:
    """Say of a release that no memory holds that its policies were not looked at."""
    told = message("An engine wrote the release: its cells were not looked at one by one.")
    return numbered([Check(POLICIES, _passed(policy), False, told) for policy in project.policies])


def _passed(policy: RuleSet) -> Message:
    return message("Policy “{title}” passed", title=message(policy.title))


def confirm_policies(leaving: "LeavingTable", found: Recount) -> None:
    """Judge with the numbers that were counted from the bytes; raises PromiseBroken where the verdict is another."""
    before = leaving.original.n_rows
    policies, questions = judge_leaving(leaving.table, leaving.release, numbers_of(found), before)
    if policies != leaving.policies:
        raise _another(message("a policy is judged otherwise"))
    for name in other_figures([question.told() for question in leaving.questions], questions):
        raise _another(message("the figures about {question} are others", question=name))


def judged_again(table: Table, found: Recount, told: Mapping[str, Json], options: WriteOptions) -> Opinion:
    """Judge a file by the policies that its certificate names, and answer the three questions.

    Raises BadParameter, ValueError, TypeError, KeyError where a policy is none.
    """
    numbers = numbers_of(found)
    if told["numbers"].get("people") is not None:  # the file does not tell whom a row is about
        numbers |= {name: told["numbers"][name] for name in _COUNT_PEOPLE}
    shown = shown_certified({column.name: column for column in table.columns}, told, numbers, options)
    policies = tuple(
        judged(rule_set_in({name: entry[name] for name in ("policy", "source", "rules", "unseen")}), shown)
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


def shown_of(table: Table, project: Project, numbers: Mapping[str, Json], created: str, rows_before: int) -> Shown:
    """Look at a table that leaves, and at what its project decided."""
    ways, tops = (
        dict(project.publishing.pseudonyms),
        top_cells(project.source, {column.name: column.labels for column in table.columns}),
    )
    columns = tuple(
        ShownColumn(
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
    return Shown(columns, numbers, heights, rows_before, project.publishing.linkable, _year(created))


def shown_by_run(release: Release, publishing: Publishing) -> tuple[Shown, Table]:
    """Look at a finished run as it would leave, before pseudonyms are made."""
    project = replace(release.project, publishing=publishing)
    left_out = set(project.left_out_columns())
    table = release.table.select([name for name in release.table.names if name not in left_out])
    rows = table.n_rows + release.measured.suppressed
    return shown_of(table, project, release.measured.to_json(), release.created, rows), table


def shown_certified(
    columns: Mapping[str, Column], told: Mapping[str, Json], numbers: Mapping[str, Json], options: WriteOptions
) -> Shown:
    """Look at a file, with nothing but its certificate beside it."""
    ways = dict(told["recipe"]["pseudonyms"])
    return Shown(
        tuple(_certified(entry, columns, ways, options) for entry in told["columns"]),
        numbers,
        {name: entry["height"] for name, entry in told["hierarchies"].items()},
        told["source"]["rows"],
        bool(told["recipe"]["linkable"]),
        _year(told["release"]["created"]),
    )


def _certified(
    entry: Mapping[str, Json], columns: Mapping[str, Column], ways: Mapping[str, str], options: WriteOptions
) -> ShownColumn:
    column = columns.get(name_in_file(entry["name"], options))
    return ShownColumn(
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
