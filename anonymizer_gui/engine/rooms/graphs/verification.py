"""A released graph measured again: its files are counted anew, as entries of its certificate."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.room import Check, VerificationResult
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.graphs.checklist import (
    certain_ties,
    neighbours,
    promise_checks,
    unchanged,
    unprotected,
)
from anonymizer_gui.engine.rooms.graphs.independent.recount import GraphCounts
from anonymizer_gui.engine.rooms.graphs.independent_check import count_independently, numbers_counted, promises_counted
from anonymizer_gui.engine.rooms.graphs.published_graph import as_written, part_of
from anonymizer_gui.engine.rooms.graphs.release import notes_on
from anonymizer_gui.engine.storage.safe_open import read_regular

_LARGEST_BYTES = 1 << 30
_LEAVING = (Role.QI, Role.SA, Role.OTHER)
"""The roles of columns that leave, in the order of the file."""


def verify_release(path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
    """Count a release again; raises UnreadableFile, and ValueError for a certificate that is none."""
    progress(0.0, "Reading the graph")
    names = [path.name, *told["written"]["parts"].values()]
    contents = {name: read_regular(path.with_name(Path(name).name), _LARGEST_BYTES) for name in names}
    progress(0.4, "Counting again")
    inside = told.get("inside")
    counted = count_independently(path, contents, told, inside.get("loss_of_cells") if inside else None)
    if counted is None:
        other = message("The files are not the graph the certificate speaks of.")
        return VerificationResult(
            (other,), not_measured={"": message("all entries, since the files cannot be counted")}
        )
    promises, numbers = promises_counted(counted, told), numbers_counted(counted)
    expected = {
        "numbers": numbers,
        "promises": [promise.to_json() for promise in promises],
        "written": _written(counted, told),
        "columns": _columns(path, counted, told),
        "recipe": _recipe(counted, told),
        "notes": _notes(counted, told),
    }
    return VerificationResult(
        unchecked=() if not counted.is_grouped else (message("the ties inside groups, which nobody published"),),
        numbers={"nodes": counted.nodes, "edges": counted.edges, "smallest_class": counted.smallest},
        expected={name: entry for name, entry in expected.items() if entry or not told[name]},
        not_measured=_not_measured(counted, told),
        checks={check.name: check for check in (*promise_checks(promises), *_checks(counted, told))},
    )


def _named(told: Mapping[str, Json], role: Role) -> list[str]:
    return [str(column["name"]) for column in told["columns"] if column["role"] == role.value]


def _written(counted: GraphCounts, told: Mapping[str, Json]) -> dict[str, Json]:
    """Give how the files are to be read: by their heads, the files that are there, and the roles of the columns."""
    expected: dict[str, Json] = {
        "is_grouped": counted.is_grouped,
        "parts": {part_of(name): name for name in told["release"]["others"]},
        "known": _named(told, Role.QI),
        "label": next(iter(_named(told, Role.SA)), ""),
    }
    return expected | ({"is_directed": counted.is_directed} if counted.is_direction_shown else {})


def _columns(path: Path, counted: GraphCounts, told: Mapping[str, Json]) -> dict[int, Json] | list[Json]:
    """Give the columns by their place in the certificate: named as in the head of the file, with the roles they have.

    Columns that were left out are in no file.
    """
    columns: Sequence[Mapping[str, Json]] = told["columns"]
    values = [role.value for role in _LEAVING]
    places = [at for role in values for at, column in enumerate(columns) if column["role"] == role]
    places += range(len(columns), len(columns) + len(counted.columns) - len(places))
    expected: dict[int, Json] = {}
    for at, head in zip(places, counted.columns, strict=False):
        column = columns[at] if at < len(columns) else {"name": "", "role": Role.OTHER.value}
        is_same = as_written(str(column["name"]), path) == head
        expected[at] = {"name": column["name"] if is_same else head, "role": _role(column, told["written"])}
    for at in places[len(counted.columns) :]:
        expected[at] = {"name": "", "role": ""}
    return expected or []


def _role(column: Mapping[str, Json], written: Mapping[str, Json]) -> str:
    """Give the role that the promises take a column for."""
    if column["name"] in written["known"]:
        return Role.QI.value
    if column["name"] == written["label"]:
        return Role.SA.value
    return str(column["role"]) if column["role"] == Role.SA.value else Role.OTHER.value


def _recipe(counted: GraphCounts, told: Mapping[str, Json]) -> dict[str, Json]:
    """Give what the recipe repeats of the promises and the files."""
    recipe, promises = told["recipe"], told["promises"]
    asked = [promise["parameters"]["l"] for promise in promises if "l" in promise["parameters"]]
    expected: dict[str, Json] = {
        "protects": "all" if counted.is_grouped else "h1",
        "k": promises[0]["parameters"]["k"],
        "l": asked[0] if asked else min(recipe["l"], 1),
    }
    if counted.is_grouped and counted.edges:
        expected["sample"] = "sample" in told["written"]["parts"]
    if _is_own(told):
        titles = {each.name: each.title for each in ALGORITHMS}
        expected["title"] = titles[str(recipe["algorithm"])]
    return expected


def _notes(counted: GraphCounts, told: Mapping[str, Json]) -> dict[int, Json] | list[Json]:
    """Give the notes that follow from the numbers by their places; one that is not there is missing at the end."""
    if not _is_own(told):
        return []
    places = {note: at for at, note in enumerate(told["notes"])}
    notes = notes_on(told["recipe"]["k"], counted.nodes, 0.0 if counted.is_grouped else counted.unique["h2"])
    missing = len(told["notes"])
    return {places.get(str(note), missing + at): str(note) for at, note in enumerate(notes)} or []


def _is_own(told: Mapping[str, Json]) -> bool:
    """Tell whether this version wrote the certificate: another one may word it differently."""
    return bool(told["program"]["anonymizer"] == __version__)


def _checks(counted: GraphCounts, told: Mapping[str, Json]) -> tuple[Check, ...]:
    """Run the checks again that follow from the files and the roles of the columns."""
    return (
        unprotected(_named(told, Role.SA), told["recipe"]["l"]),
        neighbours(counted.unique["h2"]),
        certain_ties(counted.certain_edges),
        unchanged(_named(told, Role.OTHER)),
    )


def _not_measured(counted: GraphCounts, told: Mapping[str, Json]) -> dict[str, str]:
    """Name the entries that the files do not show."""
    method = message("the method, its settings and its notes")
    reasons: dict[str, str] = {
        "checks.names": message("the check for names of people, which are not published"),
        "checks.ledger": message("the check against earlier releases, which needs the ledger"),
        "notes": method,
        "source": message("the name of the source file"),
        **dict.fromkeys(("recipe.algorithm", "recipe.parameters", "recipe.rows"), method),
        **dict.fromkeys(
            (f"columns.{name}" for name in _named(told, Role.EI)), message("columns that are not published")
        ),
    }
    if not counted.is_grouped or not counted.edges:
        reasons["recipe.sample"] = method
    if not counted.is_direction_shown:
        reasons["written.is_directed"] = message("whether ties have a direction, which these tables do not show")
    if counted.lm is None:
        reasons["numbers.lm"] = message("the loss of the quasi-identifiers (LM), which needs the inside copy")
    return reasons
