"""A release beside its certificate: what was counted from its bytes, and the project that the certificate describes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.core.params import Json, from_json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.io import WriteOptions
from anonymizer_gui.engine.data.tables.io.contract import PERTURBED_SUFFIX, escape_formula
from anonymizer_gui.engine.data.tables.table import (
    MISSING,
    SUPPRESSED,
    Column,
    ColumnSchema,
    ColumnType,
    Role,
    Schema,
    Table,
)
from anonymizer_gui.engine.releases.certificate import VERSION
from anonymizer_gui.engine.room import Check
from anonymizer_gui.engine.rooms.microdata.independent import RecountResult
from anonymizer_gui.engine.rooms.microdata.independent.reading import is_all_quoted, line_end_of
from anonymizer_gui.engine.rooms.microdata.independent.recount import RECURSIVE_C
from anonymizer_gui.engine.rooms.microdata.measurement import promise_of
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.rooms.microdata.release.certificate import (
    IN_HOUSEHOLD,
    OF_A_PERSON,
    STANDS_FOR,
    emptied_sentence,
    masked_way,
    suppression_sentence,
    unchanged_columns,
    way_of_leaving,
)
from anonymizer_gui.engine.rooms.microdata.release.checklist import (
    COMPOSITION_CHECKS,
    exposed_checks,
    goals_check,
    look_alikes_check,
    others_check,
    pointing_check,
    sensitive_check,
    untruthful_checks,
)
from anonymizer_gui.engine.rooms.microdata.release.codebook import LABELS, labels_told, summary_counted
from anonymizer_gui.engine.rooms.microdata.release.independent_check import is_decidable, numbers_of_recount
from anonymizer_gui.engine.rooms.microdata.release.output_format import name_in_file
from anonymizer_gui.engine.rooms.microdata.release.policy_check import POLICIES
from anonymizer_gui.engine.rooms.microdata.risk.attacks import MOST_ROWS
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, AttackView


@dataclass(frozen=True, eq=False)
class Certified:
    """What `verify` has in hand: the certificate, the count of the file, and its columns by their names in the file.

    `table` is the whole file; nothing where an engine wrote it, for no memory may hold it. Then only the
    quasi-identifiers are among the columns.
    """

    path: Path
    told: Mapping[str, Json]
    options: WriteOptions
    found: RecountResult
    columns: Mapping[str, Column]
    table: Table | None

    @property
    def is_current(self) -> bool:
        """Whether this version wrote the certificate, so that every word of it can be composed anew."""
        return is_current(self.told)

    @property
    def counts_people(self) -> bool:
        """Whether k, l and risk count people, whom the file does not name."""
        return self.told["numbers"].get("people") is not None

    @property
    def left_out(self) -> int:
        """The records of the source that the file does not have."""
        return int(self.told["source"]["rows"]) - self.found.rows

    @cached_property
    def published(self) -> frozenset[str]:
        """The columns that the certificate says were written, those of a second file included."""
        written = self.told["written"]
        return frozenset({*written["columns"], *written.get("apart", {}).get("columns", ())})

    @cached_property
    def project(self) -> Project:
        """The project as the certificate describes it; hierarchies and source are not published."""
        told = self.told
        schema = Schema(
            tuple(
                ColumnSchema(entry["name"], ColumnType(entry["type"]), entry["format"], Role(entry["role"]))
                for entry in told["columns"]
            )
        )
        goals = tuple(from_json(PRIVACY_MODELS.get(each["name"]), each["parameters"]) for each in told["promises"])
        recipe = told["recipe"]
        publishing = Publishing(
            pseudonyms=tuple((name, way) for name, way in recipe["pseudonyms"]),
            left_out=tuple(recipe.get("left_out", ())),
        )
        whom = [entry["name"] for entry in told["columns"] if str(entry.get("published", "")).endswith(OF_A_PERSON)]
        return Project(schema=schema, goals=goals, publishing=publishing, person=whom[0] if whom else "")


def is_current(told: Mapping[str, Json]) -> bool:
    """Tell whether this version wrote a certificate."""
    return bool(told["version"] == VERSION and told["program"]["anonymizer"] == __version__)


_ALWAYS_L = ("distinct", "entropy", "recursive")

_ALWAYS_T = ("variational", "kl", "emd")

_BY_TREE = "emd_hierarchical"

_OF_PEOPLE = ("k", "l", "largest_share", "risk")


def expected_promises(release: Certified) -> list[dict[str, Any]]:
    """Compose every promise anew; without value and verdict where the file alone does not tell them."""
    promises = []
    told = [promise["parameters"] for promise in release.told["promises"]]
    for goal, verdict, parameters in zip(release.project.goals, release.found.verdicts, told, strict=True):
        promise = promise_of(goal, verdict.value, bool(verdict.holds), about_people=release.counts_people).to_json()
        promise["parameters"] |= parameters  # the same, but lists may be in another order
        if not is_decidable(verdict, release.found, release.told["numbers"]):
            del promise["value"], promise["holds"]
        promises.append(promise)
    return promises


def expected_numbers(release: Certified) -> dict[str, Any]:
    """Give the numbers that follow from the file, shaped as a certificate holds them; the loss is not among them."""
    found, numbers = release.found, numbers_of_recount(release.found)
    rows = int(release.told["source"]["rows"])
    squares = sum(size * size * many for size, many in found.sizes.items())
    expected = {name: numbers[name] for name in ("rows", "classes", "emptied")}
    expected |= {
        **{name: numbers[name] for name in ("k", "l", "t", "per_sensitive", "largest_share", "risk")},
        "l": {**dict.fromkeys(_ALWAYS_L), **numbers["l"]},
        "t": {**dict.fromkeys(_ALWAYS_T), **numbers["t"]},
        "recursive_c": RECURSIVE_C,
        "average_class_size": found.rows / max(found.classes, 1),
        "discernibility": squares + release.left_out * rows,
        "goals": [_goal(promise) for promise in expected_promises(release)],
    }
    if found.exposed is not None:
        expected["exposed"] = {**found.exposed, "share": found.exposed["rows"] / max(found.rows, 1)}
    if release.counts_people:
        expected["per_sensitive"] = {name: {"t": both["t"]} for name, both in numbers["per_sensitive"].items()}
        expected = {name: number for name, number in expected.items() if name not in _OF_PEOPLE}
    if not _says_whom(release):
        expected["people"] = None
    if not _are_stars(release):
        expected["suppressed"] = release.left_out
    if release.is_current:
        expected |= {"missing_counts": False, "look_alikes_count_once": True}
    return expected


def not_counted(release: Certified) -> dict[str, str]:
    """Name the promises and numbers that the file alone does not tell, and what they are."""
    told = release.told["numbers"]
    reasons: dict[str, str] = {}
    people = message("figures that count people: the file does not say whom a row is about")
    if _says_whom(release):
        reasons["numbers.people"] = people
    if release.counts_people:
        reasons |= dict.fromkeys((*(f"numbers.{name}" for name in _OF_PEOPLE), "class_sizes"), people)
        reasons |= {f"numbers.per_sensitive.{name}.l": people for name in told["per_sensitive"]}
    if _are_stars(release):
        reasons["numbers.suppressed"] = message("the number of suppressed records among those with nothing left")
    for name in release.told["hierarchies"]:
        reasons[f"numbers.per_sensitive.{name}.t.{_BY_TREE}"] = _by_tree()
        reasons[f"numbers.t.{_BY_TREE}"] = _by_tree()
    for place, verdict in enumerate(release.found.verdicts):
        if not is_decidable(verdict, release.found, told):
            reason = message("what goals reach that need more than the file")
            for name in ("value", "holds"):
                reasons[f"promises.{verdict.model}.{name}"] = reason
                reasons[f"numbers.goals.{place}.{name}"] = reason
    return reasons


def impossible(release: Certified) -> Iterator[Message]:
    """Tell what cannot be, where only a bound is known: people are at most as many as rows."""
    told, found = release.told["numbers"], release.found
    if release.counts_people:
        yield from _at_most("numbers.people", told["people"], found.rows)
        yield from _at_most("numbers.k", told["k"], found.k)
        for name, values in found.l.items():
            fewest = told["per_sensitive"][name]["l"]["distinct"]
            yield from _at_most(f"numbers.per_sensitive.{name}.l.distinct", fewest, values["distinct"])
    if _are_stars(release):
        yield from _at_most("numbers.suppressed", told["suppressed"], found.emptied)


def _at_most(entry: str, told: Json, most: float) -> Iterator[Message]:
    if told > most:
        yield message(
            "{entry} is at most {most}, the certificate says {written}.", entry=entry, most=most, written=told
        )


def _goal(promise: dict[str, Any]) -> dict[str, Any]:
    named = {"model": promise["name"], "parameters": promise["parameters"]}
    return named | {name: promise[name] for name in ("value", "holds") if name in promise}


def _says_whom(release: Certified) -> bool:
    """Tell whether some column says whom a record is about; earlier certificates do not tell."""
    return bool(release.project.person) or (not release.is_current and release.counts_people)


def _are_stars(release: Certified) -> bool:
    """Tell whether suppressed records may be among the published ones."""
    return not release.left_out and bool(release.told["recipe"]["suppressed_as_stars"])


def _by_tree() -> Message:
    return message("distances along unpublished hierarchies")


_TEXTS, _TABBED = (".csv", ".txt"), (".tsv", ".tab")


def expected_entries(release: Certified) -> dict[str, Any]:
    """Give what the file and the parameters of the certificate say of the other entries."""
    told = release.told
    expected: dict[str, Any] = {
        "levels": {name: _labels(release, name) for name in _quasi(release)},
        "nothing_left": {name: _nothing_left(release, name) for name in _quasi(release)},
        "untruthful": list(release.options.untruthful),
        "recipe": {"missing_token": release.options.missing, "escape_formulas": release.options.escape_formulas},
        "written": {"options": _options(release)},
    }
    if "apart" in told["written"]:
        named = str(told["written"]["apart"]["file"])
        expected["written"]["apart"] = {"file": named if named in told["release"]["others"] else ""}
    if not release.counts_people:
        expected["class_sizes"] = [list(each) for each in release.found.bins()]
    if release.table is not None:
        expected["summary"] = summary_counted(_of_table(release), release.project.schema, release.options)
    if not any(name in told["hierarchies"] for name in release.project.schema.names(Role.SA)):
        expected["sensitive_order"] = {}
    if not any(promise["parameters"].get("group") == "one" for promise in told["promises"]):
        expected["reference_groups"] = {}
    return expected | (_of_this_version(release) if release.is_current else {})


def other_columns(release: Certified) -> Iterator[Message]:
    """Tell the columns that are published although their role says otherwise, or the other way round."""
    roles = {entry.name: _is_published(release, entry) for entry in release.project.schema.columns}
    for name in (*roles, *(release.published - roles.keys())):
        if roles.get(name) != (name in release.published):
            yield message("The certificate contradicts itself: “{name}” is published, and it is not.", name=name)
    for name, _ in release.project.publishing.pseudonyms:
        if name not in release.project.schema.names(Role.EI):
            yield message("“{name}” has pseudonyms, but is no identifier.", name=name)


def taken_as_told(release: Certified) -> dict[str, str]:
    """Name the entries that no file can confirm, and what they are."""
    source = message("figures about the source and the population")
    trees = message("heights and levels of unpublished hierarchies")
    search = message("settings of the search that leave no trace in the release")
    ledger = message("comparisons with other releases in the ledger")
    return {
        **dict.fromkeys(("source", "population", "prepared", "masks"), source),
        **dict.fromkeys(("hierarchies", "levels", "sensitive_order", "nothing_left"), trees),
        **dict.fromkeys(("recipe", "tried", "made_by", "attacks", "numbers.md", "warnings"), search),
        **dict.fromkeys(("meetings", "ledger"), ledger),
        "columns": message("types and formats of the columns of the source"),
        **({"engine": message("the engine that wrote the release")} if "canonical" in release.told["written"] else {}),
        **({"summary": message("summaries of columns that need every cell")} if release.table is None else {}),
    }


def _of_this_version(release: Certified) -> dict[str, Any]:
    """Give the entries that other versions word otherwise or do not have."""
    told, found = release.told, release.found
    suppressed = suppression_sentence(
        told["numbers"]["suppressed"],
        told["source"]["rows"],
        told["recipe"]["suppression"],
        are_stars=not release.left_out,
    )
    expected: dict[str, Any] = {
        "suppression": join_messages(suppressed, emptied_sentence(found.emptied, found.rows)),
        "columns": [_column(release, entry) for entry in release.project.schema.columns],
        **_warnings(release),
        "recipe": {
            "missing_token": release.options.missing,
            "escape_formulas": release.options.escape_formulas,
            "labels_file": any(name.endswith(LABELS) for name in told["release"]["others"]),
        },
    }
    return expected | ({} if told["prepared"] else {"masks": {}})


def _quasi(release: Certified) -> list[str]:
    there = release.columns
    return [name for name in release.project.schema.names(Role.QI) if name_in_file(name, release.options) in there]


def _labels(release: Certified, name: str) -> dict[str, Any]:
    """Give the labels of a quasi-identifier; its levels are known to its hierarchy alone."""
    height = release.told["hierarchies"].get(name, {}).get("height")
    return {"height": height, **labels_told(release.columns[name_in_file(name, release.options)])}


def _nothing_left(release: Certified, name: str) -> list[str]:
    """Give the texts that leave nothing of a value: `*` without a hierarchy, else those told that are in the file."""
    column = release.columns[name_in_file(name, release.options)].compact()
    there = {release.options.missing if label == MISSING else label for label in column.labels}
    tops = _told_tops(release, name) if name in release.told["hierarchies"] else [SUPPRESSED]
    return [label for label in tops if label in there]


def _told_tops(release: Certified, name: str) -> list[str]:
    return list(release.told.get("nothing_left", {}).get(name, ()))


def _of_table(release: Certified) -> dict[str, Column]:
    return {column.name: column for column in (release.table.columns if release.table else ())}


def _options(release: Certified) -> dict[str, Json]:
    """Give the options of the file: those of text as its bytes show them, all others as the program sets them."""
    told, usual = release.options, params_json(WriteOptions())
    expected = params_json(told)
    suffix = release.path.suffix.lower()
    if suffix not in _TEXTS:
        expected |= {"delimiter": usual["delimiter"], "encoding": usual["encoding"]}
    if suffix not in (*_TEXTS, *_TABBED):
        return expected | {"line_end": usual["line_end"], "quote_all": usual["quote_all"]}
    first = next(iter(release.told["written"]["columns"]), "")
    is_plain = not any(mark in first for mark in (told.delimiter, '"', "\n", "\r", "\t", " "))
    quoted = {"quote_all": is_all_quoted(release.path, told.encoding)} if is_plain and first else {}
    return expected | {"line_end": line_end_of(release.path)} | quoted


def _is_published(release: Certified, entry: ColumnSchema) -> bool:
    """Say whether a column leaves, by its role and what was decided about it."""
    publishing = release.project.publishing
    if entry.role is Role.EI:
        return entry.name in dict(publishing.pseudonyms)
    return entry.role is not Role.OTHER or entry.name not in publishing.left_out


def _column(release: Certified, entry: ColumnSchema) -> dict[str, Any]:
    """Give a column as the certificate must tell it; a name and a role only where the file has the column."""
    told: Mapping[str, Json] = next(each for each in release.told["columns"] if each["name"] == entry.name)
    expected: dict[str, Any] = {"published": _published(release, entry, str(told["published"]))}
    if entry.name in release.published:
        expected |= {"name": entry.name, "role": entry.role.value}
    column = release.columns.get(name_in_file(entry.name, release.options))
    if "top" in told and column is not None:
        expected["top"] = told["top"] if told["top"] in column.labels else None
    return expected


def _published(release: Certified, entry: ColumnSchema, told: str) -> str:
    """Say how a column leaves; whether it is masked or names weights or households is told by the certificate alone."""
    published = way_of_leaving(entry, release.project)
    published += STANDS_FOR if STANDS_FOR in told else ""
    published += IN_HOUSEHOLD if IN_HOUSEHOLD in told else ""
    if release.told["prepared"] and "masked" in told:
        published = masked_way(published)
    return f"{published}; {PERTURBED_SUFFIX}" if entry.name in release.options.untruthful else published


def _warnings(release: Certified) -> dict[str, Any]:
    """Give the last warnings, which name unchanged columns and failed checks; those before are of the search."""
    warnings = release.told["warnings"]
    failed = [check["sentence"] for check in release.told["checks"] if not check["holds"]]
    last = unchanged_columns(release.project) + [sentence for sentence in failed if sentence in warnings]
    first = max(len(warnings) - len(last), 0)
    return {"warnings": {first + place: text for place, text in enumerate(last)}} if last else {}


_ALWAYS = ("goals", "identifiers", "hierarchies", "others", "pointing", "sensitive", "look-alikes")
"""The checks of every release."""

_IN_POPULATION = frozenset({"journalist", "uniqueness", "marketer"})


def run_again(release: Certified, policies: Sequence[Check]) -> dict[str, Check]:
    """Run the checks that need nothing but the file and the certificate, by name; `policies` were judged already."""
    numbers, project = release.told["numbers"], release.project
    found = [*exposed_checks(_exposed(release))]
    both = list(zip(project.goals, release.found.verdicts, strict=True))
    if all(is_decidable(verdict, release.found, numbers) for _, verdict in both):
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
    reasons |= {f"checks.{name}": ledger for name in names if name.startswith((COMPOSITION_CHECKS, "sets-beside"))}
    if release.table is None:
        whole = message("checks that need every cell of a release that no memory may hold")
        named = [name for name in names if name.startswith((POLICIES, "pointing", "look-alikes", "untruthful"))]
        reasons |= {f"checks.{name}": whole for name in named} | {"policies": whole, "questions": whole}
    if not all(is_decidable(each, release.found, release.told["numbers"]) for each in release.found.verdicts):
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
        RISKS.get(name)().measure(
            AttackView(empty, schema.names(Role.QI), schema.names(Role.SA), schema=schema), SILENT
        )
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
