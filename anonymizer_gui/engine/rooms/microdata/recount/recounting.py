"""The second opinion: a release judged from the bytes of its file, by code of its own from the first to the last line.

Nothing here is shared with what makes, measures, writes or reads releases elsewhere; `pyproject.toml` forbids it. Slow
and plain on purpose: dictionaries of texts, and every formula as its definition says it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.recount.asked import SUPPRESSED, Columns, Goal, Known, Population, Reading
from anonymizer_gui.engine.rooms.microdata.recount.attacks import attacked
from anonymizer_gui.engine.rooms.microdata.recount.counting import Person, Whom, counted
from anonymizer_gui.engine.rooms.microdata.recount.distances import DISTANCES
from anonymizer_gui.engine.rooms.microdata.recount.evidence import Evidence
from anonymizer_gui.engine.rooms.microdata.recount.formulas import distinct, entropy, largest_share, recursive
from anonymizer_gui.engine.rooms.microdata.recount.judges import judge
from anonymizer_gui.engine.rooms.microdata.recount.judging_sets import exposed_of, rows_without_items
from anonymizer_gui.engine.rooms.microdata.recount.looks import looks_of, merged
from anonymizer_gui.engine.rooms.microdata.recount.population import fitting
from anonymizer_gui.engine.rooms.microdata.recount.reading import Rows, read
from anonymizer_gui.engine.rooms.microdata.recount.told import Recount

RECURSIVE_C = 2.0
"""The c of the recursive l that is always counted."""
ROWS_COUNTED = message("Rows were counted: the file does not tell which of them are about the same person.")


def recount(
    path: Path,
    reading: Reading,
    columns: Columns,
    goals: Sequence[Goal] = (),
    known: Known | None = None,
    *,
    persons: Sequence[Person] | None = None,
    population: Population | None = None,
    progress: Progress = SILENT,
) -> Recount:
    """Count a published file and judge goals about it.

    `persons` tells for every row of the file whom it is about (None: nobody knows), so that k, every l and alpha count
    people.
    Raises UnreadableFile when the file, or the population, is not what it should be.
    """
    blocks = read(path, reading, columns.in_file(), progress.sub(0.0, 0.7), in_order=persons is not None)
    return recount_rows(
        blocks, reading, columns, goals, known, persons=persons, population=population, progress=progress.sub(0.7, 1.0)
    )


def recount_rows(
    blocks: Iterator[Rows],
    reading: Reading,
    columns: Columns,
    goals: Sequence[Goal] = (),
    known: Known | None = None,
    *,
    persons: Sequence[Person] | Iterator[Whom] | None = None,
    population: Population | None = None,
    progress: Progress = SILENT,
) -> Recount:
    """Count rows that somebody else has read from a published file, quasi-identifiers first, and judge goals.

    `persons` tells whom each row is about, or the same rows in another order with whom they are about; raises
    BadParameter when these are others.
    """
    known = known or Known()
    combined = len(columns.sensitive) > 1 and any(_is_harmonised(goal) for goal in goals)
    sensitive = len(columns.sensitive)
    found = counted(blocks, len(columns.qis), sensitive, persons, with_combinations=combined)
    people = None
    if population is not None:
        people = fitting(found.classes, population, columns, reading, known, progress.sub(0.0, 0.4))
    looks = looks_of(found, reading.is_missing) if known.look_alikes_count_once else []
    evidence = Evidence(merged(found, looks) if looks else found, columns, reading, known, people, looks)
    return _told(evidence, goals, progress.sub(0.4, 1.0))


def _told(evidence: Evidence, goals: Sequence[Goal], progress: Progress) -> Recount:
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
        verdicts.append(judge(goal, place, evidence))
    return Recount(
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
        exposed_of(evidence, goals),
        attacked(evidence) if found.rows <= evidence.known.attacked_rows else {},
    )


def _diversity(evidence: Evidence, name: str) -> dict[str, float]:
    classes = evidence.histograms_of_people(name, with_missing=evidence.known.missing_counts)
    return {
        "distinct": min(map(distinct, classes), default=0),
        "entropy": min(map(entropy, classes), default=0.0),
        "recursive": min((recursive(held, RECURSIVE_C) for held in classes), default=0),
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


def _is_harmonised(goal: Goal) -> bool:
    parameters = goal.get("parameters")
    return isinstance(parameters, dict) and parameters.get("several") == "harmonised"
