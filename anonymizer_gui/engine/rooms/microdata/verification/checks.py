"""Checks and attacks of a certificate, run once more on the released file."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.io.contract import escape_formula
from anonymizer_gui.engine.data.tables.table import Column, Role, Table
from anonymizer_gui.engine.room import Check
from anonymizer_gui.engine.rooms.microdata.checks import (
    MEETINGS,
    exposed_checks,
    goals_check,
    look_alikes_check,
    others_check,
    pointing_check,
    sensitive_check,
    untruthful_checks,
)
from anonymizer_gui.engine.rooms.microdata.compare import MOST_ROWS
from anonymizer_gui.engine.rooms.microdata.policy_opinion import POLICIES
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, Exposure
from anonymizer_gui.engine.rooms.microdata.second_opinion import is_checked
from anonymizer_gui.engine.rooms.microdata.told import IN_HOUSEHOLD, STANDS_FOR
from anonymizer_gui.engine.rooms.microdata.verification.certified import Certified
from anonymizer_gui.engine.rooms.microdata.written import name_in_file

_ALWAYS = ("goals", "identifiers", "hierarchies", "others", "pointing", "sensitive", "look-alikes")
"""The checks of every release."""
_IN_POPULATION = frozenset({"journalist", "uniqueness", "marketer"})


def run_again(release: Certified, policies: Sequence[Check]) -> dict[str, Check]:
    """Run the checks that need nothing but the file and the certificate, by name; `policies` were judged already."""
    numbers, project = release.told["numbers"], release.project
    found = [*exposed_checks(_exposed(release))]
    both = list(zip(project.goals, release.found.verdicts, strict=True))
    if all(is_checked(verdict, release.found, numbers) for _, verdict in both):
        found.append(goals_check(release.found.rows, [(goal, bool(verdict.holds)) for goal, verdict in both]))
    if not release.counts_people:
        found.append(sensitive_check(project, {name: each["distinct"] for name, each in release.found.l.items()}))
    if all(name in project.publishing.left_out for name in project.schema.names(Role.OTHER)):
        found.append(others_check(project, asks=True))
    if release.table is not None:
        plain = _as_named(release, release.table)
        found += [pointing_check(plain, project), look_alikes_check(plain), *policies]
        found += untruthful_checks(release.options.untruthful)
    return {check.name: check for check in found}


def missing_checks(release: Certified) -> Iterator[Message]:
    """Tell the checks that a certificate of this version must have and does not."""
    if not release.is_current:
        return
    listed = [check["name"] for check in release.told["checks"]]
    wanted = {*_ALWAYS, *(["exposed"] if release.found.exposed is not None else [])}
    if release.project.person:
        wanted.add("people")
    if release.table is not None and release.options.untruthful:
        wanted.add("untruthful")
    policies = len(release.told["policies"]) if release.table is not None else 0
    wanted |= {POLICIES if at == 1 else f"{POLICIES}-{at}" for at in range(1, policies + 1)}
    for name in sorted(wanted - set(listed)):
        yield message("The certificate lacks the check “{name}”.", name=name)


def not_run_again(release: Certified) -> dict[str, str]:
    """Name the checks and attacks that need more than the file, and what they are."""
    source = message("checks that need more than the file")
    reasons: dict[str, str] = dict.fromkeys(
        ("checks.identifiers", "checks.hierarchies", "checks.people", "checks.others"), source
    )
    ledger = message("comparisons with other releases in the ledger")
    names = [str(check.get("name", "")) for check in release.told["checks"]]
    reasons |= {f"checks.{name}": ledger for name in names if name.startswith((MEETINGS, "sets-beside"))}
    if release.table is None:
        whole = message("checks that need every cell of a release that no memory may hold")
        named = [name for name in names if name.startswith((POLICIES, "pointing", "look-alikes", "untruthful"))]
        reasons |= {f"checks.{name}": whole for name in named} | {"policies": whole, "questions": whole}
    if not all(is_checked(each, release.found, release.told["numbers"]) for each in release.found.verdicts):
        reasons["checks.goals"] = message("what goals reach that need more than the file")
    if release.counts_people:
        reasons["checks.sensitive"] = message("figures that count people: the file does not say whom a row is about")
    attacks = message("attacks that need more than the file")
    return reasons | {f"attacks_run.{name}": attacks for name in _unknown_attacks(release)}


def attacks_again(release: Certified) -> dict[str, Any]:
    """Give what the attacks find that can be run on the file, by their places in the certificate."""
    if not release.is_current:
        return {}
    if release.found.rows > MOST_ROWS:
        return {"attacks_run": []}
    unknown = _unknown_attacks(release)
    return {
        "attacks_run": [
            {"name": risk.name, "title": risk.title}
            | (_in_part(release, risk.name) if risk.name in unknown else _attack(release, risk.name))
            for risk in RISKS
        ]
    }


def _in_part(release: Certified, name: str) -> dict[str, Any]:
    """Give what is known of an attack that counts the people of a population, but not that population."""
    is_counted = name in _IN_POPULATION and not release.counts_people
    return {"people": release.found.rows, "is_estimate": False} if is_counted else {}


def _attack(release: Certified, name: str) -> dict[str, Any]:
    struck = release.found.attacks.get(name)
    if struck is None:
        return {"not_run": _refused(release, name)}
    return {"value": struck.value, "hit": struck.hit, "people": release.found.rows, "is_estimate": False}


def _refused(release: Certified, name: str) -> str:
    """Give the reason an attack names for not being run on such a table."""
    schema = release.project.schema
    names = [*schema.names(Role.QI), *schema.names(Role.SA)]
    empty = Table(tuple(Column.from_texts(each, []) for each in names), 0)
    try:
        RISKS.get(name)().measure(Exposure(empty, schema.names(Role.QI), schema.names(Role.SA), schema=schema), SILENT)
    except AnonymizerError as error:
        return error.message
    return ""


def _unknown_attacks(release: Certified) -> set[str]:
    """Name the attacks that the file alone does not decide."""
    told = release.told
    if release.counts_people:
        return {risk.name for risk in RISKS}
    ways = "".join(str(entry.get("published", "")) for entry in told["columns"])
    unknown: set[str] = set()
    run = {attack.get("name") for attack in told.get("attacks_run", []) if "value" in attack}
    if told["population"] is not None or "journalist" in run:
        unknown |= _IN_POPULATION
    if STANDS_FOR in ways or IN_HOUSEHOLD in ways:
        unknown |= {"individual", "household"}
    if any(name in told["hierarchies"] for name in release.project.schema.names(Role.SA)):
        unknown.add("similarity")
    return unknown


def _exposed(release: Certified) -> dict[str, Json] | None:
    found = release.found
    return None if found.exposed is None else {**found.exposed, "share": found.exposed["rows"] / max(found.rows, 1)}


def _as_named(release: Certified, table: Table) -> Table:
    """Give the columns of a file by their names in the project, without the apostrophes before formulas."""
    there = {column.name: column for column in table.columns}
    names = {name_in_file(entry.name, release.options): entry.name for entry in release.project.schema.columns}
    columns = [_armed(replace(column, name=names[name]), release) for name, column in there.items() if name in names]
    return Table(tuple(columns), table.n_rows)


def _armed(column: Column, release: Certified) -> Column:
    if not release.options.escape_formulas:
        return column
    labels = [
        label[1:] if label[:1] == "'" and escape_formula(label[1:]) == label else label for label in column.labels
    ]
    return Column(column.name, column.codes, tuple(labels), column.times)
