"""Policies on the command line: which ones judge a release, from which tables they know areas, and what was found."""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.suggestions import guess_types, guessed_schema
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.measurement import TableMeasurement
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import (
    SUFFIXES,
    JudgedPolicy,
    RuleSet,
    judge_policy,
    read_rule_set,
)
from anonymizer_gui.engine.rooms.microdata.policies.safe_harbor import (
    BUILT_IN,
    built_in,
    has_area_rule,
    read_areas,
    with_areas,
)
from anonymizer_gui.engine.rooms.microdata.policies.wp29_questions import Question, three_questions
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.policy_check import alone_in_all_columns, policy_view


def add_policy_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare policies and the table of areas."""
    parser.add_argument(
        "--policy",
        action="append",
        default=[],
        metavar="NAME|FILE",
        help=f"judge the release by a policy: {', '.join(BUILT_IN)}, or one of your own in a .json or .toml file",
    )
    parser.add_argument(
        "--areas", metavar="FILE", help="table of postal areas and their people, for --policy safe-harbor"
    )


def policies_from(args: argparse.Namespace) -> tuple[RuleSet, ...]:
    """Read the policies that are named; raises BadParameter, UnreadableFile."""
    found = [read_rule_set(Path(name)) if _is_file(name) else built_in(name) for name in args.policy]
    if not args.areas:
        return tuple(found)
    if not found:
        raise BadParameter("--areas is for a policy.", "Name one with --policy, such as safe-harbor.")
    if not any(has_area_rule(policy) for policy in found):
        raise BadParameter("No rule of the policies is about postal areas.", "Leave --areas out.")
    areas = read_areas(Path(args.areas))
    return tuple(with_areas(policy, areas) for policy in found)


def judged_table(
    table: Table,
    roles: tuple[Sequence[str], Sequence[str]],
    hierarchies: dict[str, Hierarchy],
    measured: TableMeasurement,
    policies: Sequence[RuleSet],
) -> tuple[tuple[JudgedPolicy, ...], tuple[Question, ...]]:
    """Judge a table of anybody, with nothing known but its quasi-identifiers and sensitive columns."""
    if not policies:
        return (), ()
    schema = guessed_schema(guess_types(table))
    schema = schema.with_roles({**dict.fromkeys(roles[0], Role.QI), **dict.fromkeys(roles[1], Role.SA)})
    project = Project(schema=schema, hierarchies=hierarchies)
    created = datetime.now(UTC).isoformat(timespec="seconds")
    shown = policy_view(table, project, measured.to_json(), created, measured.rows + measured.suppressed)
    return tuple(judge_policy(policy, shown) for policy in policies), three_questions(
        shown, alone_in_all_columns(table)
    )


def opinion_json(policies: Sequence[JudgedPolicy], questions: Sequence[Question]) -> dict[str, Json]:
    """Give verdicts and figures as the command line prints them."""
    return {
        "policies": [found.told() for found in policies],
        "questions": {question.name: dict(question.figures) for question in questions},
    }


def tell_policies(policies: Sequence[JudgedPolicy], questions: Sequence[Question]) -> None:
    """Print what is met and what is missing, rule by rule, and the figures for the regulators."""
    for found in policies:
        sys.stdout.write(f"{found.sentence()}\n")
        for rule, answer in zip(found.policy.rules, found.answers, strict=True):
            sys.stdout.write(f"  {'met    ' if answer.holds else 'MISSING'} {rule.demand()}. {answer.sentence}\n")
        for text in found.policy.unseen:
            sys.stdout.write(f"  not looked at: {text}\n")
    for question in questions if policies else ():
        sys.stdout.write(f"{question.title} {' '.join(question.sentences)}\n")


def _is_file(name: str) -> bool:
    return Path(name).suffix.lower() in SUFFIXES
