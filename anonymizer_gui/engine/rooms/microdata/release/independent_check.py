"""The recount beside the measurement: where the two differ nothing is released, and `verify` tells it."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from anonymizer_gui.engine.core.errors import BadParameter, PromiseBroken, UnreadableFile
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json, from_json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import WriteOptions
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role
from anonymizer_gui.engine.rooms.microdata.independent import (
    GoalVerdict,
    KnownFacts,
    PersonRows,
    RecountResult,
    Rows,
    format_by_name,
    read_cells,
    recount,
    recount_rows,
    sets_file_holds,
)
from anonymizer_gui.engine.rooms.microdata.independent.interface import finite_or_none
from anonymizer_gui.engine.rooms.microdata.release.independent_inputs import (
    column_roles,
    file_format,
    known_facts,
    plain_goal,
    plain_order,
    plain_population,
    separate_set_cells,
)
from anonymizer_gui.engine.rooms.microdata.risk.attacks import MOST_ROWS

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate

_CLOSE = 1e-6
_ABOUT_PEOPLE = (
    "k",
    "l",
    "entropy-l",
    "recursive-l",
    "alpha-k",
    "delta-presence",
    "k-km",
    "average-risk",
    "records-at-risk",
    "estimated-k-map",
    "population-uniqueness",
    "subset-k",
)
"""The goals that count people where a project says whom a row is about."""


def check_release(
    path: Path,
    leaving: "ReleaseCandidate",
    options: WriteOptions,
    progress: Progress = SILENT,
    rows: Iterator[Rows] | None = None,
    whom: Iterator[PersonRows] | None = None,
) -> RecountResult:
    """Count a written release from its bytes; raises PromiseBroken where that gives other than what was measured.

    `rows` are those of the file, where somebody else has read it who can hold it; `whom` tells whom they are about.
    """
    project, measured = leaving.release.project, leaving.measured
    known = known_facts(project, leaving.table, leaving.original, options)
    reading, columns = file_format(path, options), column_roles(project.schema.columns, options)
    goals = [plain_goal(goal.name, params_json(goal), options) for goal in project.goals]
    known = replace(
        known, missing_counts=measured.missing_counts, sets_apart=separate_set_cells(leaving.apart, options)
    )
    columns = columns.apart() if leaving.apart is not None else columns
    people = plain_population(project.population, leaving.population, project.schema.names(Role.QI))
    try:
        if rows is None:
            persons = leaving.persons()
            found = recount(path, reading, columns, goals, known, population=people, persons=persons, progress=progress)
        else:
            found = recount_rows(
                rows, reading, columns, goals, known, persons=whom, population=people, progress=progress
            )
    except (UnreadableFile, BadParameter) as error:
        raise _another(message("{what}", what=error.message)) from None
    for sentence in (*undecided(found), *compare_numbers(found, measured.to_json())):
        raise _another(sentence)
    return found


def count_certified(
    path: Path, told: Mapping[str, Json], progress: Progress = SILENT, rows: Iterator[Rows] | None = None
) -> RecountResult:
    """Count a release with nothing but its certificate beside it: people, hierarchies and population are not known.

    `rows` are those of the file, where somebody else has read it who can hold it.
    """
    options = from_json(WriteOptions, told["written"]["options"])
    apart = told["written"].get("apart")
    names = {*told["written"]["columns"], *(apart["columns"] if apart else ())}
    published = [entry for entry in told["columns"] if entry["name"] in names]
    schema = [
        ColumnSchema(entry["name"], ColumnType(entry["type"]), entry["format"], Role(entry["role"]))
        for entry in published
    ]
    listed, groups = told["sensitive_order"], told.get("reference_groups", {})
    reading, columns = file_format(path, options), column_roles(schema, options)
    goals = [plain_goal(promise["name"], promise["parameters"], options) for promise in told["promises"]]
    known = KnownFacts(
        orders={entry.name: plain_order(entry, listed.get(entry.name)) for entry in schema},
        groups={int(place): group for place, group in groups.items()},
        missing_counts=told["numbers"].get("missing_counts", True),
        tops=told.get("nothing_left", {}),
        look_alikes_count_once=told["numbers"].get("look_alikes_count_once", False),
        attacked_rows=MOST_ROWS,
        by_alphabet=[name for name, both in told["numbers"]["per_sensitive"].items() if "emd_ordered" in both["t"]],
    )
    if apart:
        other = path.with_name(Path(str(apart["file"])).name)
        cells = read_cells(other, replace(reading, format=format_by_name(other)), columns.sets_in_file(), progress)
        known, columns = replace(known, sets_apart=cells), columns.apart()
    if rows is not None:
        return recount_rows(rows, reading, columns, goals, known, progress=progress)
    return recount(path, reading, columns, goals, known, progress=progress)


def check_sets_file(
    path: Path, leaving: "ReleaseCandidate", options: WriteOptions, progress: Progress = SILENT
) -> None:
    """Count a written file of sets from its bytes; raises PromiseBroken where a goal about them does not hold."""
    columns = column_roles(leaving.release.project.schema.columns, options)
    cells = read_cells(path, file_format(path, options), columns.sets_in_file(), progress)
    for goal in leaving.release.project.goals:
        told = plain_goal(goal.name, params_json(goal), options)
        if not sets_file_holds(cells, list(columns.forms.values()), told, (options.missing,)):
            raise _another(message("The goal {goal} does not hold, unlike in the certificate.", goal=goal.name))


def undecided(found: RecountResult) -> Iterator[Message]:
    """Tell the goals that the recount cannot decide, and why not."""
    for verdict in found.verdicts:
        if verdict.holds is None:
            yield message("The goal {goal} cannot be decided. {why}", goal=verdict.model, why=verdict.sentence)


def compare_numbers(found: RecountResult, numbers: Mapping[str, Json]) -> Iterator[Message]:
    """Tell every number and verdict, as certificates have them, that the recount does not confirm."""
    for number, counted, told in _pairs(found, numbers):
        yield from _other_number(number, counted, told)
    for verdict, goal in zip(found.verdicts, numbers["goals"], strict=True):
        if not is_decidable(verdict, found, numbers):
            continue
        if verdict.holds != goal["holds"]:
            holds = message("The goal {goal} holds, unlike in the certificate.", goal=verdict.model)
            broken = message("The goal {goal} does not hold, unlike in the certificate.", goal=verdict.model)
            yield holds if verdict.holds else broken
        else:
            yield from _other_number(verdict.model, finite_or_none(verdict.value), goal["value"])


def is_decidable(verdict: GoalVerdict, found: RecountResult, numbers: Mapping[str, Json]) -> bool:
    """Say whether the recount can confirm a goal: where people were counted it must know who they are."""
    return verdict.holds is not None and (verdict.model not in _ABOUT_PEOPLE or _counts_alike(found, numbers))


def _other_number(number: str, counted: Json, told: Json) -> Iterator[Message]:
    """Tell that a number is another one than a certificate has, rounding aside."""
    is_known = counted is not None and told is not None
    if math.isclose(counted, told, rel_tol=_CLOSE, abs_tol=_CLOSE) if is_known else counted is told:
        return
    unknown = message("unknown")
    yield message(
        "{number} is {counted:,.9g}, the certificate says {told:,.9g}.",
        number=number,
        counted=unknown if counted is None else counted,
        told=unknown if told is None else told,
    )


def numbers_of_recount(found: RecountResult) -> dict[str, Json]:
    """Give what was counted as a measurement gives its numbers."""
    least, most = found.worst()
    return {
        "rows": found.rows,
        "classes": found.classes,
        "k": found.k,
        "l": _plain(least),
        "t": _plain(most),
        "emptied": found.emptied,
        **({} if found.exposed is None else {"exposed": dict(found.exposed)}),
        "largest_share": dict(found.largest_share),
        "class_sizes": {str(size): many for size, many in found.sizes.items()},
        "per_sensitive": {name: {"l": _plain(found.l[name]), "t": _plain(found.t[name])} for name in found.l},
        "risk": found.risk(),
        "goals": [
            {**verdict.goal, "value": finite_or_none(verdict.value), "holds": verdict.holds}
            for verdict in found.verdicts
        ],
    }


def _pairs(found: RecountResult, numbers: Mapping[str, Json]) -> Iterator[tuple[str, Json, Json]]:
    """Put every counted number beside the one that is told; certificates of other versions may lack some."""
    yield message("rows"), found.rows, numbers["rows"]
    yield message("classes"), found.classes, numbers["classes"]
    if "emptied" in numbers:
        yield message("rows with nothing left"), found.emptied, numbers["emptied"]
    if found.exposed is not None or "exposed" in numbers:
        counted, told = found.exposed or {}, numbers.get("exposed", {})
        yield message("exposed rows"), counted.get("rows"), told.get("rows")
        yield message("rows left to whoever knows a few items"), counted.get("fewest"), told.get("fewest")
    if _counts_alike(found, numbers):
        yield "k", found.k, numbers["k"]
        yield from _named_pairs("risk", "", found.risk(), numbers.get("risk", {}))
    for column in found.l:
        both = numbers["per_sensitive"][column]
        if _counts_alike(found, numbers):
            yield from _named_pairs("l", column, found.l[column], both["l"])
        yield from _named_pairs("t", column, found.t[column], both["t"])
        if _counts_alike(found, numbers) and column in numbers.get("largest_share", {}):
            named = message("largest share of one value of “{column}”", column=column)
            yield named, found.largest_share[column], numbers["largest_share"][column]


def _named_pairs(
    family: str, column: str, counted: Mapping[str, float], told: Mapping[str, Json]
) -> Iterator[tuple[str, Json, Json]]:
    for kind, number in _plain(counted).items():
        if kind in told:
            named = message(
                "{family} ({kind}) of “{column}”" if column else "{family} ({kind})",
                family=message(family),
                kind=kind,
                column=column,
            )
            yield named, number, told[kind]


def _counts_alike(found: RecountResult, numbers: Mapping[str, Json]) -> bool:
    """Say whether both count people, or both rows."""
    return (found.people is None) == (numbers.get("people") is None)


def _another(what: Message) -> PromiseBroken:
    return PromiseBroken(
        message("Counted again from its file, the release is not what was measured: {what}", what=what),
        message("Nothing was released. This is a fault of the program, please report it."),
    )


def _plain(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name.replace("-", "_"): finite_or_none(value) for name, value in values.items()}
