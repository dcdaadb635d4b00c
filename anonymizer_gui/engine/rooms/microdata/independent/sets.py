"""Sets read sign by sign; rows that share a few items."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from anonymizer_gui.engine.rooms.microdata.independent.counting import Evidence
from anonymizer_gui.engine.rooms.microdata.independent.interface import PlainGoal

Items = frozenset[tuple[int, str]]
"""The items of a row, each with the number of its column."""


def parse_items(cell: str, form: str) -> list[str]:
    """Read the items of a cell: they stand in quotation marks or not, between braces where the form has some.

    A cell that is written otherwise is one item as a whole.
    """
    sign = form[1] if len(form) > 1 else form
    text = cell.strip()
    if len(form) > 1:
        if not (text.startswith(form[0]) and text.endswith(form[2]) and len(text) > 1):
            return [text]
        text = text[1:-1]
    found = list(_pieces(text, sign))
    return [cell.strip()] if None in found else [item for item in found if item]


def _pieces(text: str, sign: str) -> Iterator[str | None]:
    """Give one item after the other; None where a quotation mark is never closed."""
    at = 0
    while at <= len(text):
        begin = at
        while begin < len(text) and text[begin].isspace() and text[begin] != sign:
            begin += 1
        if text[begin : begin + 1] == '"':
            item, end = _quoted(text, begin + 1)
            rest = text[end:].lstrip() if end >= 0 and sign != " " else text[end:]
            if end < 0 or (rest and not rest.startswith(sign)):
                yield None
                return
            yield item.strip()
            at = len(text) - len(rest) + 1
        else:
            end = text.find(sign, at)
            end = len(text) if end < 0 else end
            yield text[at:end].strip()
            at = end + 1


def _quoted(text: str, at: int) -> tuple[str, int]:
    """Read up to the closing quotation mark, two of which are one of the item; -1 where none closes it."""
    item = ""
    while at < len(text):
        if text[at] != '"':
            item += text[at]
        elif text[at + 1 : at + 2] == '"':
            item += '"'
            at += 1
        else:
            return item, at + 1
        at += 1
    return item, -1


def items_of_rows(cells: Sequence[Sequence[str]], forms: Sequence[str], missing: Iterable[str]) -> list[Items]:
    """Read the sets of every row, given column by column; a missing cell and `*` hold nothing."""
    nothing = {"", "*", *missing}
    known: list[dict[str, list[tuple[int, str]]]] = [{} for _ in cells]
    rows = []
    for row in zip(*cells, strict=True):
        held: list[tuple[int, str]] = []
        for at, (cell, form) in enumerate(zip(row, forms, strict=True)):
            if cell not in known[at]:
                items = [] if cell in nothing else parse_items(cell, form)
                known[at][cell] = [(at, item) for item in items]
            held += known[at][cell]
        rows.append(frozenset(held))
    return rows


def itemset_support(rows: Sequence[Items], m: int) -> list[Counter[tuple[tuple[int, str], ...]]]:
    """Count for every size up to m how many rows hold each set of so many items."""
    return [Counter(some for held in rows for some in combinations(sorted(held), size)) for size in range(1, m + 1)]


def smallest_support(rows: Sequence[Items], m: int) -> int:
    """Give the fewest rows that hold any set of up to m items; all rows where none is held."""
    return min([len(rows), *(times for counts in itemset_support(rows, m) for times in counts.values())])


def exposed_rows(rows: Sequence[Items], k: int, m: int) -> set[int]:
    """Number the rows that hold a set of up to m items that fewer than k of these rows hold; all where they are few."""
    if len(rows) < k:
        return set(range(len(rows)))
    counts = itemset_support(rows, m)
    return {
        number
        for number, held in enumerate(rows)
        if any(counts[size - 1][some] < k for size in range(1, m + 1) for some in combinations(sorted(held), size))
    }


def by_class(rows: Sequence[Items], classes: Sequence[int]) -> Mapping[int, list[Items]]:
    """Put the rows of every class together."""
    found: dict[int, list[Items]] = {}
    for held, number in zip(rows, classes, strict=True):
        found.setdefault(number, []).append(held)
    return found


CLASSES, APART = "classes", "apart"
"""Where sets are protected: together with the class, or in a file of their own."""


def smallest_match(evidence: Evidence, m: int, where: str) -> int:
    """Give the fewest rows that somebody is left with who knows up to m items: of a class, or of the whole file."""
    rows = _rows(evidence)
    if where != CLASSES:
        return smallest_support(rows, m) if rows else evidence.counted.rows
    groups = by_class(rows, [number for number, _ in evidence.counted.held])
    return min((smallest_support(group, m) for group in groups.values()), default=evidence.counted.rows)


def sets_file_holds(
    cells: Sequence[Sequence[str]], forms: Sequence[str], goal: PlainGoal, missing: Sequence[str]
) -> bool:
    """Say whether a file of sets alone holds what a goal says of them; goals about other things say nothing of it."""
    parameters = goal.get("parameters")
    if goal.get("model") != "k-km" or not isinstance(parameters, dict) or not cells or not cells[0]:
        return True
    rows = items_of_rows(cells, forms, missing)
    return smallest_support(rows, int(parameters["m"])) >= int(parameters["k"])


def count_exposed_rows(evidence: Evidence, goals: Sequence[PlainGoal]) -> Mapping[str, int] | None:
    """Count the rows that a class and a few items give away, by the goal about sets for which they are most.

    With them stand the items that are known, and the fewest rows that somebody who knows so many is left with.
    """
    found = []
    for parameters in (goal.get("parameters") for goal in goals if goal.get("model") == "k-km"):
        if isinstance(parameters, dict) and _has_sets(evidence):
            k, m = int(parameters.get("k", 0)), int(parameters.get("m", 0))
            where = APART if parameters.get("where") == APART else CLASSES
            rows = _exposed(evidence, k, m, is_apart=where == APART)
            found.append({"rows": rows, "k": k, "m": m, "fewest": smallest_match(evidence, m, where)})
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
