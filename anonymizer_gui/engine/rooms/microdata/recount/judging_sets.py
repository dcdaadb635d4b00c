"""What is counted of sets: the fewest rows that share their class and a few items, and the rows that are exposed."""

from collections.abc import Mapping, Sequence

from anonymizer_gui.engine.rooms.microdata.recount.asked import Goal
from anonymizer_gui.engine.rooms.microdata.recount.evidence import Evidence
from anonymizer_gui.engine.rooms.microdata.recount.sets import (
    Items,
    by_class,
    exposed_rows,
    fewest_holders,
    items_of_rows,
)

CLASSES, APART = "classes", "apart"
"""Where sets are protected: together with the class, or in a file of their own."""


def fewest_together(evidence: Evidence, m: int, where: str) -> int:
    """Give the fewest rows that somebody is left with who knows up to m items: of a class, or of the whole file."""
    rows = _rows(evidence)
    if where != CLASSES:
        return fewest_holders(rows, m) if rows else evidence.counted.rows
    groups = by_class(rows, [number for number, _ in evidence.counted.held])
    return min((fewest_holders(group, m) for group in groups.values()), default=evidence.counted.rows)


def sets_alone_hold(cells: Sequence[Sequence[str]], forms: Sequence[str], goal: Goal, missing: Sequence[str]) -> bool:
    """Say whether a file of sets alone holds what a goal says of them; goals about other things say nothing of it."""
    parameters = goal.get("parameters")
    if goal.get("model") != "k-km" or not isinstance(parameters, dict) or not cells or not cells[0]:
        return True
    rows = items_of_rows(cells, forms, missing)
    return fewest_holders(rows, int(parameters["m"])) >= int(parameters["k"])


def exposed_of(evidence: Evidence, goals: Sequence[Goal]) -> Mapping[str, int] | None:
    """Count the rows that a class and a few items give away, by the goal about sets for which they are most.

    With them stand the items that are known, and the fewest rows that somebody who knows so many is left with.
    """
    found = []
    for parameters in (goal.get("parameters") for goal in goals if goal.get("model") == "k-km"):
        if isinstance(parameters, dict) and _has_sets(evidence):
            k, m = int(parameters.get("k", 0)), int(parameters.get("m", 0))
            where = APART if parameters.get("where") == APART else CLASSES
            rows = _exposed(evidence, k, m, is_apart=where == APART)
            found.append({"rows": rows, "k": k, "m": m, "fewest": fewest_together(evidence, m, where)})
    return max(found, key=lambda one: (one["rows"], -one["fewest"]), default=None)


def rows_without_items(evidence: Evidence, classes: set[int]) -> int:
    """Count the rows of some classes whose sets are empty, too."""
    both = zip(evidence.counted.held, _rows(evidence), strict=True)
    return sum(number in classes and not items for (number, _), items in both)


def exposed_in_classes(evidence: Evidence, k: int, m: int) -> int:
    """Count the rows that fewer than k rows of their class fit, for whoever knows up to m items."""
    groups = by_class(_rows(evidence), [number for number, _ in evidence.counted.held])
    return sum(len(exposed_rows(group, k, m)) for group in groups.values())


def _exposed(evidence: Evidence, k: int, m: int, *, is_apart: bool) -> int:
    if not is_apart:
        return exposed_in_classes(evidence, k, m)
    few = sum(size for size in evidence.counted.sizes.values() if size < k)
    return max(few, len(exposed_rows(_rows(evidence), k, m)))


def _has_sets(evidence: Evidence) -> bool:
    return bool(evidence.counted.held or evidence.known.sets_apart)


def _rows(evidence: Evidence) -> list[Items]:
    """Read the sets of the file, or of the other one where they are apart."""
    apart = evidence.known.sets_apart
    cells = list(apart) if apart else list(zip(*(cells for _, cells in evidence.counted.held), strict=True))
    forms = [evidence.columns.forms.get(name, "{,}") for name in (evidence.columns.sets or evidence.columns.forms)]
    return items_of_rows(cells, forms, evidence.reading.missing) if cells else []
