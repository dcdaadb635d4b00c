"""A published file counted and judged; a column in a few numbers.

Nothing here is shared with what makes, measures, writes or reads releases elsewhere; `pyproject.toml` forbids it. Slow
and plain on purpose: dictionaries of texts, and every formula as its definition says it.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.independent.attacks import attacked
from anonymizer_gui.engine.rooms.microdata.independent.counting import (
    Evidence,
    Person,
    PersonRows,
    count_file,
    find_look_alikes,
    merge_look_alikes,
)
from anonymizer_gui.engine.rooms.microdata.independent.formulas import (
    DISTANCES,
    distinct_l,
    entropy_l,
    largest_share,
    recursive_l,
)
from anonymizer_gui.engine.rooms.microdata.independent.interface import (
    SUPPRESSED,
    ColumnRoles,
    FileFormat,
    KnownFacts,
    PlainGoal,
    Population,
    RecountResult,
)
from anonymizer_gui.engine.rooms.microdata.independent.population import count_population
from anonymizer_gui.engine.rooms.microdata.independent.privacy_checks import check_goal
from anonymizer_gui.engine.rooms.microdata.independent.reading import Rows, read_columns
from anonymizer_gui.engine.rooms.microdata.independent.sets import count_exposed_rows, rows_without_items


def recount_column(
    counts: Mapping[str, int], decimal: str, quantiles: Sequence[float], *, wants_all: bool = False
) -> dict[str, object]:
    """Sum up the cells of a column that are not missing; without a decimal mark none of them is a number.

    `wants_all`: they are numbers only if every one is.
    """
    numbers = sorted(_numbers(counts, decimal)) if decimal else []
    if wants_all and len(numbers) < sum(counts.values()):
        numbers = []
    told: dict[str, object] = {"distinct": len(counts), "numbers": len(numbers)}
    if numbers:
        mean = math.fsum(numbers) / len(numbers)
        spread = math.fsum((number - mean) ** 2 for number in numbers)
        told["mean"] = mean
        told["sd"] = math.sqrt(spread / (len(numbers) - 1)) if len(numbers) > 1 else 0.0
        told["quantiles"] = [_quantile(numbers, share) for share in quantiles]
    return told


def _numbers(counts: Mapping[str, int], decimal: str) -> list[float]:
    found: list[float] = []
    for text, times in counts.items():
        plain = text.replace(decimal, ".") if decimal != "." else text
        try:
            number = float(plain)
        except ValueError:
            continue
        if math.isfinite(number) and "_" not in plain and (decimal == "." or "." not in text):
            found += [number] * times
    return found


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Take the value between two neighbours, as far as the place lies between them."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


RECURSIVE_C = 2.0
"""The c of the recursive l that is always counted."""

ROWS_COUNTED = message("Rows were counted: the file does not tell which of them are about the same person.")


def recount(
    path: Path,
    reading: FileFormat,
    columns: ColumnRoles,
    goals: Sequence[PlainGoal] = (),
    known: KnownFacts | None = None,
    *,
    persons: Sequence[Person] | None = None,
    population: Population | None = None,
    progress: Progress = SILENT,
) -> RecountResult:
    """Count a published file and judge goals about it.

    `persons` tells for every row of the file whom it is about (None: nobody knows), so that k, every l and alpha count
    people.
    Raises UnreadableFile when the file, or the population, is not what it should be.
    """
    blocks = read_columns(path, reading, columns.in_file(), progress.sub(0.0, 0.7), in_order=persons is not None)
    return recount_rows(
        blocks, reading, columns, goals, known, persons=persons, population=population, progress=progress.sub(0.7, 1.0)
    )


def recount_rows(
    blocks: Iterator[Rows],
    reading: FileFormat,
    columns: ColumnRoles,
    goals: Sequence[PlainGoal] = (),
    known: KnownFacts | None = None,
    *,
    persons: Sequence[Person] | Iterator[PersonRows] | None = None,
    population: Population | None = None,
    progress: Progress = SILENT,
) -> RecountResult:
    """Count rows that somebody else has read from a published file, quasi-identifiers first, and judge goals.

    `persons` tells whom each row is about, or the same rows in another order with whom they are about; raises
    BadParameter when these are others.
    """
    known = known or KnownFacts()
    combined = len(columns.sensitive) > 1 and any(_is_harmonised(goal) for goal in goals)
    sensitive = len(columns.sensitive)
    found = count_file(blocks, len(columns.qis), sensitive, persons, with_combinations=combined)
    people = None
    if population is not None:
        people = count_population(found.classes, population, columns, reading, known, progress.sub(0.0, 0.4))
    looks = find_look_alikes(found, reading.is_missing) if known.look_alikes_count_once else []
    evidence = Evidence(merge_look_alikes(found, looks) if looks else found, columns, reading, known, people, looks)
    return _told(evidence, goals, progress.sub(0.4, 1.0))


def _told(evidence: Evidence, goals: Sequence[PlainGoal], progress: Progress) -> RecountResult:
    found, names = evidence.counted, evidence.columns.sensitive
    sizes = Counter(found.people_in_classes().values())
    diversity, closeness, shares = {}, {}, {}
    for done, name in enumerate(names):
        progress(0.7 * done / len(names), message("Counting “{name}”", name=name))
        diversity[name] = _diversity(evidence, name)
        closeness[name] = _closeness(evidence, name)
        shares[name] = max(map(largest_share, evidence.histograms_of_people(name)), default=0.0)
    verdicts = []
    for place, goal in enumerate(goals):
        progress(0.7 + 0.3 * place / len(goals), message("Judging the goals"))
        verdicts.append(check_goal(goal, place, evidence))
    return RecountResult(
        found.rows,
        found.all_people(),
        len(found.classes),
        min(sizes, default=0),
        dict(sorted(sizes.items())),
        _emptied(evidence),
        diversity,
        closeness,
        shares,
        tuple(verdicts),
        () if found.people is not None else (ROWS_COUNTED,),
        count_exposed_rows(evidence, goals),
        attacked(evidence) if found.rows <= evidence.known.attacked_rows else {},
    )


def _diversity(evidence: Evidence, name: str) -> dict[str, float]:
    classes = evidence.histograms_of_people(name, with_missing=evidence.known.missing_counts)
    return {
        "distinct": min(map(distinct_l, classes), default=0),
        "entropy": min(map(entropy_l, classes), default=0.0),
        "recursive": min((recursive_l(held, RECURSIVE_C) for held in classes), default=0),
    }


def _closeness(evidence: Evidence, name: str) -> dict[str, float]:
    """Give every distance; `emd` is that by order for numbers and dates, else with equal steps."""
    classes, other = evidence.histograms(name), evidence.reference(name)
    left_out = set() if evidence.has_tree(name) else {"emd-hierarchical"}
    left_out |= set() if evidence.has_order(name) else {"emd-ordered"}
    kinds = [kind for kind in DISTANCES if kind not in left_out]
    found = {kind: max((DISTANCES[kind](held, other) for held in classes), default=0.0) for kind in kinds}
    return {**found, "emd": found["emd-ordered" if evidence.is_ordered(name) else "emd-equal"]}


def _emptied(evidence: Evidence) -> int:
    """Count the rows that have nothing left in any quasi-identifier."""
    tops = [set(evidence.known.tops.get(name, (SUPPRESSED,))) for name in evidence.columns.qis]
    classes, sizes = evidence.counted.classes, evidence.counted.sizes
    empty = [at for key, at in classes.items() if all(cell in top for cell, top in zip(key, tops, strict=True))]
    if evidence.counted.held:
        return rows_without_items(evidence, set(empty)) if tops else 0
    return sum(sizes[number] for number in empty) if tops else 0


def _is_harmonised(goal: PlainGoal) -> bool:
    parameters = goal.get("parameters")
    return isinstance(parameters, dict) and parameters.get("several") == "harmonised"
