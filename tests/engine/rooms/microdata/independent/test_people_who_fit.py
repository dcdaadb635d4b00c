"""Who of a population fits a published cell, in our spelling and in that of other tools."""

from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.rooms.microdata.independent import FileFormat, KnownFacts, Order, Population, Span, Tree
from anonymizer_gui.engine.rooms.microdata.independent.population import Coverage
from tests.engine.rooms.microdata.independent.counted_files import asked, counted, write_rows

AGES = ("5", "20", "25", "29", "30", "40", "100")
ZIPS = ("13053", "13068", "14850", "1305")
TREE = Tree(("*", "young", "5", "20", "old", "40", "100"), (-1, 0, 1, 1, 0, 4, 4))


def missing(text: str) -> bool:
    return not text


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("25", {"25"}),
        ("*", set(AGES)),
        ("[20-30]", {"20", "25", "29", "30"}),
        ("[20-28]", {"20", "25"}),
        ("{5, 20}", {"5", "20"}),
        ("20-29", {"20", "25", "29"}),
        ("[20-30)", {"20", "25", "29"}),
        ("(20,30]", {"25", "29", "30"}),
        ("<25", {"5", "20"}),
        ("<=25", {"5", "20", "25"}),
        (">=40", {"40", "100"}),
        (">40", {"100"}),
        ("40+", {"40", "100"}),
        ("(25, Inf]", {"29", "30", "40", "100"}),
        ("unknown", set()),
        ("7", set()),
    ],
)
def test_a_cell_covers_the_ages_it_describes(label: str, expected: set[str]) -> None:
    coverage = Coverage(AGES, Order("number"), None, missing)
    assert {AGES[place] for place in coverage.covered(label)} == expected


@pytest.mark.parametrize(
    ("label", "expected"), [("130**", {"13053", "13068"}), ("1****", set(ZIPS[:3])), ("9**", set())]
)
def test_a_mask_covers_values_of_its_length(label: str, expected: set[str]) -> None:
    coverage = Coverage(ZIPS, Order("text"), None, missing)
    assert {sorted(ZIPS)[place] for place in coverage.covered(label)} == expected


def test_a_set_of_values_with_commas_is_read() -> None:
    values = ["Paris, France", "Paris", "Rome"]
    coverage = Coverage(values, Order("text"), None, missing)
    assert [sorted(values)[place] for place in coverage.covered("{Paris, France, Rome}")] == ["Paris, France", "Rome"]


def test_a_node_covers_its_leaves_and_values_are_placed_by_interval() -> None:
    coverage = Coverage(AGES, Order("number"), TREE, missing)
    assert list(coverage.covered("old")) == [2, 3]
    assert coverage.place_of("30") is None
    spans = Tree(("*", "low", "high"), (-1, 0, 0), {1: Span(0, 30), 2: Span(30, 200, closed=True)})
    placed = Coverage(AGES, Order("number"), spans, missing)
    assert [placed.place_of(age) for age in AGES] == [0, 0, 0, 0, 1, 1, 1]
    assert list(placed.covered("29")) == [0]


def test_people_are_read_in_plain_form_and_fit_overlapping_classes(tmp_path: Path) -> None:
    rows = [["20-29", "*"], ["25", "130**"], ["*", "14850"]]
    people = [
        [" 25 ", "13053"],
        ["25", "13068\u200b"],
        ["29", "13053"],
        ["40", "14850"],
        ["40", "99999"],
        ["NA", "14850"],
    ]
    path = write_rows(tmp_path / "people.csv", ["id", " age ", "zip"], [["x", *person] for person in people])
    crowd = Population(path, FileFormat(missing=("NA",), strict=False))
    goals = [asked("k-map", k=2), asked("delta-presence", delta_max=0.5, delta_min=0.0)]
    found = counted(("age", "zip"), rows, ["age", "zip"], [], goals, KnownFacts(), population=crowd)
    assert [(v.value, v.holds) for v in found.verdicts] == [(2.0, True), (0.5, True)]
    low = [asked("delta-presence", delta_max=0.5, delta_min=0.1)]
    assert counted(("age", "zip"), rows, ["age", "zip"], [], low, population=crowd).verdicts[0].holds is False


def test_cells_serve_where_there_is_no_file() -> None:
    crowd = Population(cells={"age": ["20", "21"], "zip": ["1", "1"]})
    goal = asked("k-map", k=2)
    assert counted(("age", "zip"), [["20-29", "1"]], ["age", "zip"], [], [goal], population=crowd).verdicts[0].holds


def test_without_a_population_such_goals_are_not_decided() -> None:
    (verdict,) = counted(("age",), [["1"]], ["age"], [], [asked("k-map", k=2)]).verdicts
    assert verdict.holds is None
    assert verdict.sentence == "The goal needs a population table."


def test_a_population_without_the_column_is_refused(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "people.csv", ["zip"], [["1"]])
    with pytest.raises(UnreadableFile, match="no column “age”"):
        counted(("age",), [["1"]], ["age"], [], [asked("k-map", k=2)], population=Population(path))
