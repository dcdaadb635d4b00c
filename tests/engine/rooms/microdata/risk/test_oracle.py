"""Every risk analysis against plain Python, on tables that hypothesis makes up."""

import itertools
import math
from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.risk.attribute_disclosure import (
    BackgroundKnowledge,
    Homogeneity,
    Similarity,
    Skewness,
)
from anonymizer_gui.engine.rooms.microdata.risk.contract import AttackView
from anonymizer_gui.engine.rooms.microdata.risk.reidentification import (
    JournalistRisk,
    MarketerRisk,
    PopulationUniquenessRisk,
    ProsecutorRisk,
    RecordLinkage,
)
from anonymizer_gui.engine.rooms.microdata.risk.suda import SpecialUniques

PLACES = {"a1": ("a1", "a", "*"), "a2": ("a2", "a", "*"), "b1": ("b1", "b", "*")}
TREE = Hierarchy.from_nested({"*": {"a": ["a1", "a2"], "b": ["b1"]}})
KINDS = {"flu": "lung", "cold": "lung", "stroke": "heart", "gout": "gout", MISSING: MISSING}
KIND_TREE = Hierarchy.from_nested({"*": {"lung": ["flu", "cold"], "heart": ["stroke"], "gout": [], MISSING: []}})
Row = tuple[str, str, str]
ROWS = st.lists(
    st.tuples(st.sampled_from([*PLACES, "a", "*"]), st.sampled_from(["1", MISSING, "*"]), st.sampled_from([*KINDS])),
    min_size=1,
    max_size=14,
)
PEOPLE = st.lists(st.tuples(st.sampled_from([*PLACES]), st.sampled_from(["1", MISSING])), min_size=1, max_size=20)


def exposure(rows: list[Row], people: list[tuple[str, str]] | None = None) -> AttackView:
    table = Table.from_rows(["place", "n", "ill"], rows)
    others = None if people is None else Table.from_rows(["place", "n"], people)
    return AttackView(table, ("place", "n"), ("ill",), {"place": TREE, "ill": KIND_TREE}, None, others, None, others)


def fits(cell: tuple[str, ...], person: tuple[str, str]) -> bool:
    return cell[0] in PLACES[person[0]] and cell[1] in (person[1], "*")


def classes(rows: list[Row]) -> dict[tuple[str, str], Counter[str]]:
    found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for place, number, ill in rows:
        found[place, number][ill] += 1
    return found


WIDE = st.lists(st.lists(st.sampled_from("abc"), min_size=4, max_size=4), min_size=1, max_size=12)


@given(WIDE, st.integers(1, 4))
def test_special_uniques_are_the_smallest_sets_of_columns_that_single_a_row_out(rows: list[list[str]], m: int) -> None:
    def is_unique(row: list[str], columns: tuple[int, ...]) -> bool:
        return sum(all(row[at] == other[at] for at in columns) for other in rows) == 1

    scores = []
    for row in rows:
        sets = [s for size in range(1, m + 1) for s in itertools.combinations(range(4), size) if is_unique(row, s)]
        minimal = [s for s in sets if not any(set(t) < set(s) for t in sets)]
        scores.append(sum(math.prod(4 - i for i in range(len(s), min(m, 3) + 1)) for s in minimal))
    names = ("p", "q", "r", "s")
    asked = AttackView(Table.from_rows(names, rows), names)
    found = SpecialUniques(most=m).measure(asked, SILENT)
    assert found.per_class[asked.classes.ids].tolist() == scores
    assert found.hit == sum(score > 0 for score in scores)
    assert sum(found.details["contributions"].values()) >= (0.999 if any(scores) else 0)


@given(ROWS, st.sampled_from([0.2, 0.5]))
def test_prosecutor_and_marketer_follow_from_the_sizes_of_classes(rows: list[Row], threshold: float) -> None:
    sizes = [c.total() for c in classes(rows).values()]
    found = ProsecutorRisk(threshold=threshold).measure(exposure(rows), SILENT)
    assert found.value == pytest.approx(1 / min(sizes))
    assert found.hit == sum(size for size in sizes if 1 / size > threshold)
    assert found.details["unique_share"] == sizes.count(1) / len(rows)
    assert found.details["average"] == pytest.approx(sum(size * (1 / size) for size in sizes) / len(rows))
    assert MarketerRisk().measure(exposure(rows), SILENT).value == pytest.approx(len(sizes) / len(rows))


@given(ROWS, PEOPLE)
def test_with_a_population_people_are_counted_in_every_cell(rows: list[Row], people: list[tuple[str, str]]) -> None:
    found = classes(rows)
    in_cell = {cell: max(sum(fits(cell, one) for one in people), c.total()) for cell, c in found.items()}
    known = exposure(rows, people)
    journalist = JournalistRisk(threshold=0.3).measure(known, SILENT)
    assert journalist.value == pytest.approx(1 / min(in_cell.values()))
    assert journalist.hit == sum(c.total() for cell, c in found.items() if 1 / in_cell[cell] > 0.3)
    expected = sum(c.total() / in_cell[cell] for cell, c in found.items())
    assert MarketerRisk().measure(known, SILENT).value == pytest.approx(expected / len(rows))
    alone = sum(c.total() == 1 and sum(fits(cell, one) for one in people) <= 1 for cell, c in found.items())
    assert PopulationUniquenessRisk().measure(known, SILENT).hit == alone


@given(ROWS, PEOPLE)
def test_linking_counts_rows_per_person_and_people_per_row(rows: list[Row], people: list[tuple[str, str]]) -> None:
    found = RecordLinkage().measure(exposure(rows, people), SILENT)
    by_rows = Counter(min(sum(fits(row, one) for row in rows), 11) for one in people)
    by_people = Counter(min(sum(fits(row, one) for one in people), 11) for row in rows)
    names = [*map(str, range(11)), "more"]
    assert found.details["people_by_rows"] == {name: by_rows[at] for at, name in enumerate(names)}
    assert found.details["rows_by_people"] == {name: by_people[at] for at, name in enumerate(names)}
    assert found.hit == by_rows[1]


@given(ROWS, st.sampled_from([0.5, 1.0]))
def test_homogeneity_hits_classes_in_which_one_value_reaches_the_share(rows: list[Row], share: float) -> None:
    hit = sum(c.total() for c in classes(rows).values() if max(c.values()) / c.total() >= share)
    assert Homogeneity(share=share).measure(exposure(rows), SILENT).hit == hit


@given(ROWS, st.sampled_from([1.5, 2.0]))
def test_skewness_is_the_largest_growth_of_a_share(rows: list[Row], factor: float) -> None:
    whole = Counter(row[2] for row in rows)
    grown = {
        cell: max((n / c.total()) / (whole[ill] / len(rows)) for ill, n in c.items())
        for cell, c in classes(rows).items()
    }
    found = Skewness(factor=factor).measure(exposure(rows), SILENT)
    assert found.value == pytest.approx(max(grown.values()))
    assert found.hit == sum(c.total() for cell, c in classes(rows).items() if grown[cell] >= factor - 1e-9)


@given(ROWS)
def test_similarity_hits_classes_whose_values_differ_but_are_of_one_kind(rows: list[Row]) -> None:
    hit = sum(c.total() for c in classes(rows).values() if len(c) > 1 and len({KINDS[ill] for ill in c}) == 1)
    assert Similarity(share=0.5).measure(exposure(rows), SILENT).hit == hit


@given(ROWS, st.integers(0, 2))
def test_background_knowledge_rules_out_any_or_named_values(rows: list[Row], any_values: int) -> None:
    found = classes(rows).values()
    hit = sum(c.total() for c in found if len(c) <= any_values + 1)
    assert BackgroundKnowledge(any_values=any_values).measure(exposure(rows), SILENT).hit == hit
    named = rows[0][2]
    left = [Counter({ill: n for ill, n in c.items() if ill != named}) for c in found]
    told = BackgroundKnowledge(not_values=(named,)).measure(exposure(rows), SILENT)
    assert told.hit == sum(c.total() for c in left if len(c) == 1)
