"""How many people of a population fit each published class, found by walking the classes column by column."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.recount.asked import Columns, Known, Order, Population, Reading
from anonymizer_gui.engine.rooms.microdata.recount.counting import Key, combined
from anonymizer_gui.engine.rooms.microdata.recount.covering import Coverage
from anonymizer_gui.engine.rooms.microdata.recount.evidence import People
from anonymizer_gui.engine.rooms.microdata.recount.reading import plain, read

Labels = frozenset[str]
_AT_ONCE = 1 << 10


def fitting(
    classes: Mapping[Key, int],
    population: Population,
    columns: Columns,
    reading: Reading,
    known: Known,
    progress: Progress,
) -> People:
    """Count for every class the people whose values lie in its cells, and the people who fit none.

    Raises UnreadableFile when the population cannot be read or lacks a quasi-identifier.
    """
    people = _people(population, columns.qis, reading, progress.sub(0.0, 0.6))
    covers = []
    for at, name in enumerate(columns.qis):
        values, labels = {person[at] for person in people}, {key[at] for key in classes}
        coverage = Coverage(values, known.orders.get(name, Order()), known.trees.get(name), reading.is_missing)
        covers.append(_labels_of_values(values, labels, coverage, known.meanings.get(name, {})))
    alike: Counter[tuple[Labels, ...]] = Counter()
    for person, times in people.items():
        alike[tuple(cover[value] for cover, value in zip(covers, person, strict=True))] += times
    return _walked(classes, alike, progress.sub(0.6, 1.0))


def _people(population: Population, names: Sequence[str], reading: Reading, progress: Progress) -> Counter[Key]:
    """Count the people of each kind."""
    found: Counter[Key] = Counter()
    if population.path is not None:
        for rows in read(population.path, population.reading, names, progress):
            found.update(combined(rows.columns, rows.number))
        return found
    cells = [[_plain(cell, reading) for cell in population.cells[name]] for name in names]
    found.update(zip(*cells, strict=True))
    return found


def _plain(cell: str, reading: Reading) -> str:
    text = plain(cell)
    return "" if reading.is_missing(text) else text


def _labels_of_values(
    values: set[str], labels: set[str], coverage: Coverage, meanings: Mapping[str, str]
) -> dict[str, Labels]:
    """Find the published cells of a column that cover each value."""
    covering: dict[int, set[str]] = defaultdict(set)
    for label in labels:
        for covered in coverage.covered(meanings.get(label, label)):
            covering[covered].add(label)
    once: dict[Labels, Labels] = {}
    found = {}
    for value in values:
        place = coverage.place_of(value)
        cover = frozenset(covering.get(place, ()) if place is not None else ())
        found[value] = once.setdefault(cover, cover)
    return found


def _walked(classes: Mapping[Key, int], people: Mapping[tuple[Labels, ...], int], progress: Progress) -> People:
    following = _following(classes)
    in_classes: Counter[int] = Counter()
    outside = 0
    for done, (covers, times) in enumerate(people.items()):
        if done % _AT_ONCE == 0:
            progress(done / len(people), message("Comparing people with classes"))
        reached: list[Key] = [()] if classes else []
        for cover in covers:
            reached = [(*begin, label) for begin in reached for label in cover & following[begin]]
        outside += 0 if reached else times
        for key in reached:
            in_classes[classes[key]] += times
    return People(in_classes, outside)


def _following(classes: Mapping[Key, int]) -> dict[Key, set[str]]:
    """Say for the first cells of every class which cells may follow."""
    found: dict[Key, set[str]] = defaultdict(set)
    for key in classes:
        for at, label in enumerate(key):
            found[key[:at]].add(label)
    return found
