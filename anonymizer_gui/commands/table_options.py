"""Options of microdata: goals, algorithm, policies, pseudonyms, alternatives for sets."""

import argparse
import contextlib
import sys
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from anonymizer_gui.commands.options import terminal_progress
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json, Param, Shares, Text, from_texts, params_of
from anonymizer_gui.engine.data.tables.io import read_table
from anonymizer_gui.engine.data.tables.suggestions import guess_types, guessed_schema
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.room import Files
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.microdata.measurement import TableMeasurement
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS, PrivacyModel, main_parameter
from anonymizer_gui.engine.rooms.microdata.models.km_anonymity import KKm
from anonymizer_gui.engine.rooms.microdata.new_project import DEFAULT_ALGORITHM
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
from anonymizer_gui.engine.rooms.microdata.project import POPULATION, TABLE, Project
from anonymizer_gui.engine.rooms.microdata.release.policy_check import alone_in_all_columns, policy_view
from anonymizer_gui.engine.rooms.microdata.sweep import SetAlternative, run_set_alternatives


def add_goal_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--k 5`, `--t 0.2 --t-distance emd-ordered` and so on: one option per model, named as it, and its others."""
    options = parser.add_argument_group("privacy goals", "All goals that are given must hold together.")
    for model in PRIVACY_MODELS:
        for declared in params_of(model):
            told = f"{model.title}: {declared.help} ({declared.kind.rule()}"
            told += ")" if _is_main(model, declared) else f"; {_usual(declared)} when not given)"
            told += "".join(f" {value:g}: {source}." for value, source in declared.presets)
            options.add_argument(
                goal_option_name(model, declared),
                dest=_dest(model, declared),
                metavar=declared.label.upper().replace(" ", "_"),
                help=told.replace("%", "%%"),
            )


def goals_from(args: argparse.Namespace) -> tuple[PrivacyModel, ...]:
    """Make the goals from the options given; raises BadParameter when one is wrong or lacks its model."""
    goals: list[PrivacyModel] = []
    for model in PRIVACY_MODELS:
        declared = params_of(model)
        given = {p.name: str(text) for p in declared if (text := getattr(args, _dest(model, p), None)) is not None}
        if given and declared[0].name not in given:
            main, other = goal_option_name(model, declared[0]), next(p for p in declared if p.name in given)
            raise BadParameter(f"{goal_option_name(model, other)} says nothing without {main}.", f"Add {main} VALUE.")
        _imply(model, given)
        for p in declared:
            if p.name in given and isinstance(p.kind, Shares) and given[p.name].startswith("@"):
                given[p.name] = _from_file(Path(given[p.name][1:]))
        if given:
            goals.append(from_texts(model, given))
    return tuple(goals)


def _imply(model: type[PrivacyModel], given: dict[str, str]) -> None:
    """Take what an option that counts only beside another choice says of that choice; raises BadParameter."""
    for p in params_of(model):
        if p.name in given and p.when:
            other = next(each for each in params_of(model) if each.name == p.when[0])
            if given.setdefault(other.name, p.when[1]) != p.when[1]:
                raise BadParameter(
                    f"{goal_option_name(model, p)} says nothing beside {goal_option_name(model, other)} "
                    f"{given[other.name]}.",
                    f"Leave one of them out, or give {goal_option_name(model, other)} {p.when[1]}.",
                )


def _from_file(path: Path) -> str:
    """Read a distribution from a file with a value and its share or count in every row, under a head."""
    table = read_table(path)[0]
    if len(table.names) != 2:
        raise BadParameter(
            f"“{path.name}” is not a distribution.", "Give a table of two columns: values, and shares or counts."
        )
    values, shares = (column.texts().tolist() for column in table.columns)
    return ",".join(f"{value.replace(',', ',,')}={share}" for value, share in zip(values, shares, strict=True))


def goal_option_name(model: type[PrivacyModel], declared: Param) -> str:
    """Name the option of a parameter: that of the model for its first one, model and parameter for the others."""
    return f"--{model.name}" if _is_main(model, declared) else f"--{model.name}-{declared.name.replace('_', '-')}"


def _is_main(model: type[PrivacyModel], declared: Param) -> bool:
    return main_parameter(model).name == declared.name


def _usual(declared: Param) -> str:
    """Say what an option that is not given stands for."""
    if declared.default == "":
        return declared.kind.empty if isinstance(declared.kind, Text) else ""
    return str(declared.default)


def _dest(model: type[PrivacyModel], declared: Param) -> str:
    return f"goal {goal_option_name(model, declared)}"


_PREFIX = "algorithm "


def add_algorithm_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--algorithm`, one option per parameter of any algorithm, and `--set name=value`."""
    options = parser.add_argument_group("algorithm", "Parameters an algorithm does not have are refused.")
    names = f"one of {', '.join(ALGORITHMS.names())}; {DEFAULT_ALGORITHM} when left out"
    options.add_argument("--algorithm", default=DEFAULT_ALGORITHM, metavar="NAME", help=names)
    options.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="set any parameter")
    for name, declared in _declared().items():
        told = "; ".join(f"{title}: {p.help} ({p.kind.rule()})" for title, p in declared)
        metavar = declared[0][1].label.upper().replace(" ", "_")
        with contextlib.suppress(argparse.ArgumentError):  # the name means something else here; --set is left
            options.add_argument(
                parameter_option_name(name), dest=_PREFIX + name, metavar=metavar, help=told.replace("%", "%%")
            )


def algorithm_from(args: argparse.Namespace) -> Algorithm:
    """Make the algorithm from the options given; raises BadParameter."""
    declared = ALGORITHMS.get(args.algorithm)
    given = {
        name.removeprefix(_PREFIX): str(text)
        for name, text in vars(args).items()
        if name.startswith(_PREFIX) and text is not None
    }
    for pair in args.set:
        name, equals, text = pair.partition("=")
        if not equals:
            raise BadParameter("--set needs NAME=VALUE.", "For example --set stop=first-level.")
        given[name.strip().replace("-", "_")] = text
    made = from_texts(declared, given)
    _refuse_what_does_not_count(made, given)
    return made


def _refuse_what_does_not_count(made: Algorithm, given: Collection[str]) -> None:
    """Refuse an option that the others leave without effect, rather than to ignore it."""
    declared = {param.name: param for param in params_of(type(made))}
    for name in given:
        if (condition := declared[name].when) is not None and getattr(made, condition[0]) != condition[1]:
            raise BadParameter(
                message(
                    "{option} counts only with {other} {value}.",
                    option=parameter_option_name(name),
                    other=parameter_option_name(condition[0]),
                    value=condition[1],
                ),
                "Give both, or leave it out.",
            )


def parameter_option_name(parameter: str) -> str:
    """Name the option of a parameter.

    >>> parameter_option_name("empty_child")
    '--empty-child'
    """
    return "--" + parameter.replace("_", "-")


def _declared() -> dict[str, list[tuple[str, Param]]]:
    found: dict[str, list[tuple[str, Param]]] = {}
    for algorithm in ALGORITHMS:
        for declared in params_of(algorithm):
            found.setdefault(declared.name, []).append((algorithm.name, declared))
    return found


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


def judge_table(
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


def policy_json(policies: Sequence[JudgedPolicy], questions: Sequence[Question]) -> dict[str, Json]:
    """Give verdicts and figures as the command line prints them."""
    return {
        "policies": [found.told() for found in policies],
        "questions": {question.name: dict(question.figures) for question in questions},
    }


def print_policies(policies: Sequence[JudgedPolicy], questions: Sequence[Question]) -> None:
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


_HEADS = ("way", "exposed", "LM of classes", "LM of sets")


def add_alternatives_argument(parser: argparse.ArgumentParser) -> None:
    """Declare `--offers`."""
    parser.add_argument(
        "--offers",
        action="store_true",
        help="with sets: run larger classes, m = 1 and two unlinked files, too, and tell what each exposes and loses",
    )


def check_alternatives(project: Any) -> None:
    """Raise BadParameter where ways out are asked for and there are no sets."""
    if not isinstance(project, Project) or not project.schema.sets:
        raise BadParameter("No quasi-identifier is a set, so there is nothing to offer.", "Leave out --offers.")


def hint_alternatives(exposed: int) -> dict[str, Json]:
    """Say that there are ways out, where rows are exposed and nobody asked for them."""
    if exposed:
        sys.stderr.write("--offers tells what larger classes, m = 1 or two unlinked files would lose.\n")
    return {}


def alternatives_json(args: argparse.Namespace, project: Project, files: Files) -> dict[str, Json]:
    """Run every way and tell it.

    They are told before anything is written: a release that exposes rows does not leave without a reason.
    """
    with terminal_progress() as progress:
        ways = run_set_alternatives(files[TABLE], project, files.get(POPULATION), progress)
    if not args.json:
        sys.stdout.write(_as_text(ways))
    return {"offers": [_as_json(way) for way in ways]}


def _as_json(way: SetAlternative) -> dict[str, Json]:
    goal = next(goal for goal in way.project.goals if isinstance(goal, KKm))
    return {
        "way": str(way.title),
        "k": goal.k,
        "m": goal.m,
        "rows": goal.least_rows(),
        "where": goal.where,
        "exposed": None if way.exposed is None else way.exposed.to_json(),
        "lm_classes": way.of_classes,
        "lm_sets": way.of_sets,
        "problem": None if way.problem is None else str(way.problem),
    }


def _as_text(ways: tuple[SetAlternative, ...]) -> str:
    width = 2 + max(len(way.title) for way in ways)
    lines = [_line(_HEADS, width)]
    for way in ways:
        shown = (
            "-" if way.exposed is None else f"{way.exposed.rows:,} ({way.exposed.share:.1%})",
            *("-" if lost is None else f"{lost:.4f}" for lost in (way.of_classes, way.of_sets)),
        )
        lines.append(_line((way.title, *shown), width) + (f"  {way.problem}" if way.problem else ""))
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _line(texts: tuple[str, ...], width: int) -> str:
    return f"{texts[0]:<{width}}" + "".join(f"{text:<16}" for text in texts[1:])


def add_pseudonym_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare which identifiers are replaced rather than removed."""
    from anonymizer_gui.engine.rooms.microdata.release.pseudonyms import PSEUDONYM_KINDS

    parser.add_argument(
        "--pseudonym",
        action="append",
        default=[],
        metavar="COLUMN=WAY",
        help=f"replace an identifier by pseudonyms instead of removing it: {', '.join(PSEUDONYM_KINDS)}; needs --key",
    )
    parser.add_argument(
        "--linkable", action="store_true", help="the same person keeps the pseudonym in other releases of this key"
    )


def pseudonyms_from(args: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """Read the ways of the pseudonyms; raises BadParameter."""
    from anonymizer_gui.engine.rooms.microdata.release.pseudonyms import PSEUDONYM_KINDS

    ways = []
    for pair in args.pseudonym:
        name, equals, way = pair.rpartition("=")
        if not equals or way not in PSEUDONYM_KINDS:
            raise BadParameter("--pseudonym needs COLUMN=WAY.", f"The ways are: {', '.join(PSEUDONYM_KINDS)}.")
        ways.append((name, way))
    return tuple(ways)
