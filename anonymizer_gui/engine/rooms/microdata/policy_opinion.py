"""Policies and the three questions, judged on what leaves, and once more from the counts of the written file."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from anonymizer_gui import __version__
from anonymizer_gui.engine.errors import AnonymizerError, PromiseBroken
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.room import Check, Finding
from anonymizer_gui.engine.rooms.microdata.policies.contract import Shown
from anonymizer_gui.engine.rooms.microdata.policies.looking import shown_by_run, shown_certified, shown_of
from anonymizer_gui.engine.rooms.microdata.policies.questions import (
    Question,
    alone_in_all_columns,
    other_figures,
    three_questions,
)
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import Judged, RuleSet, judged, rule_set_in
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.rooms.microdata.recount import Recount
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.rooms.microdata.second_opinion import numbers_of
from anonymizer_gui.engine.rooms.microdata.written import as_read, write_options
from anonymizer_gui.engine.shapes.tables.io import WriteOptions
from anonymizer_gui.engine.shapes.tables.table import Table
from anonymizer_gui.engine.words import Sentence, say

if TYPE_CHECKING:
    from anonymizer_gui.engine.progress import Progress
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
    progress(0.0, say("Looking at the release"))
    shown, table = shown_by_run(release, publishing)
    return tuple(judged(policy, shown) for policy in policies), three_questions(shown, alone_in_all_columns(table))


def policy_checks(policies: Sequence[Judged]) -> tuple[Check, ...]:
    """Give a line of the checklist for every policy."""
    return tuple(
        Check(
            POLICIES,
            say("Policy “{title}” passed", title=say(found.policy.title)),
            found.passes,
            found.sentence(),
            findings=tuple(
                Finding(say("{demand}: {found}", demand=rule.demand(), found=answer.sentence))
                for rule, answer in zip(found.policy.rules, found.answers, strict=True)
                if not answer.holds
            ),
        )
        for found in policies
    )


def unjudged_checks(project: Project) -> tuple[Check, ...]:
    """Say of a release that no memory holds that its policies were not looked at."""
    told = say("An engine wrote the release: its cells were not looked at one by one.")
    return tuple(
        Check(POLICIES, say("Policy “{title}” passed", title=say(policy.title)), False, told)
        for policy in project.policies
    )


def confirm_policies(leaving: "LeavingTable", found: Recount) -> None:
    """Judge with the numbers that were counted from the bytes; raises PromiseBroken where the verdict is another."""
    before = leaving.original.n_rows
    policies, questions = judge_leaving(leaving.table, leaving.release, numbers_of(found), before)
    if policies != leaving.policies:
        raise _another(say("a policy is judged otherwise"))
    for name in other_figures([question.told() for question in leaving.questions], questions):
        raise _another(say("the figures about {question} are others", question=name))


def other_policies(table: Table, found: Recount, told: Mapping[str, Json], options: WriteOptions) -> Iterator[Sentence]:
    """Tell the policies and questions that a certificate tells otherwise than its file does."""
    numbers = numbers_of(found)
    if told["numbers"].get("people") is not None:  # the file does not tell whom a row is about
        numbers |= {name: told["numbers"][name] for name in _COUNT_PEOPLE}
    shown = shown_certified({column.name: column for column in table.columns}, told, numbers, options)
    same_words = told["program"]["anonymizer"] == __version__
    for entry in told.get("policies", []):
        if not _is_judged_so(entry, shown, same_words=same_words):
            yield say("The policy “{title}” is judged otherwise than in the certificate.", title=str(entry["policy"]))
    if told.get("questions"):
        for name in other_figures(told["questions"], three_questions(shown, alone_in_all_columns(table))):
            yield say("The figures about {question} are others than in the certificate.", question=name)


def _is_judged_so(entry: Mapping[str, Json], shown: Shown, *, same_words: bool) -> bool:
    """Judge by the rules that are told; other versions may word their sentences otherwise."""
    try:
        policy = rule_set_in({name: entry[name] for name in ("policy", "source", "rules", "unseen")})
        again = judged(policy, shown).told()
    except (AnonymizerError, KeyError, TypeError, ValueError):
        return False
    if same_words:
        return all(entry.get(name) == again[name] for name in ("passes", "found", "never_seen"))
    return entry["passes"] == again["passes"] and _verdicts(entry["found"]) == _verdicts(again["found"])


def _verdicts(found: Sequence[Mapping[str, Json]]) -> list[Json]:
    return [answer["holds"] for answer in found]


def _another(what: Sentence) -> PromiseBroken:
    return PromiseBroken(
        say("Counted from the written file, {what}.", what=what), "Nothing was released. Please report this."
    )
