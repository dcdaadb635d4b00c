"""The sample tables are what their generator makes, and their hierarchies cover them."""

import csv
import subprocess
import sys
from collections import Counter
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.data.tables.io.read_write import read_table as engine_read_table
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.hierarchy.files import read_hierarchies
from anonymizer_gui.engine.projects.project_file import load_project
from anonymizer_gui.engine.rooms.microdata.project import Project

SAMPLES = resource_path("samples")
TABLES = ("hospital", "lecture", "census", "practice")


def sample_hierarchies(table: str) -> Path:
    return SAMPLES / f"{table}_hierarchies"


Table = dict[str, list[str]]


def read_table(name: str) -> Table:
    with (SAMPLES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))


def read_levels(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=";"))


def test_making_the_samples_anew_gives_the_same_bytes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-B", SAMPLES / "make_samples.py", tmp_path], check=True)
    kinds = ("*.csv", "*.json", "*.xml")
    made = {path.relative_to(tmp_path): path.read_bytes() for kind in kinds for path in tmp_path.rglob(kind)}
    kept = {path.relative_to(SAMPLES): path.read_bytes() for kind in kinds for path in SAMPLES.rglob(kind)}
    assert made.keys() == kept.keys()
    assert [name for name in made if made[name] != kept[name]] == []


def test_the_sample_tables_are_found_by_name() -> None:
    found = sorted(path.stem for path in SAMPLES.glob("*.csv"))
    assert found == [
        "aspirin",
        "census",
        "coins",
        "hospital",
        "lecture",
        "lecture_release",
        "pharmacy",
        "practice",
        "town",
        "village",
        "village_people",
    ]


def values_without_a_place(table: Table, path: Path) -> set[str]:
    leaves = {row[0] for row in read_levels(path)}
    return {value or "(missing)" for value in set(table[path.stem])} - leaves


@pytest.mark.parametrize("name", TABLES)
def test_every_hierarchy_has_a_place_for_every_value_of_its_column(name: str) -> None:
    table = read_table(name)
    found = {path.stem: values_without_a_place(table, path) for path in sample_hierarchies(name).iterdir()}
    assert found
    assert {column: values for column, values in found.items() if values} == {}


def labels_with_two_parents(rows: list[list[str]]) -> list[str]:
    steps = {(child, parent) for row in rows for child, parent in pairwise(row) if child != parent}
    return [label for label, parents in Counter(child for child, _ in steps).items() if parents > 1]


@pytest.mark.parametrize("name", TABLES)
def test_every_hierarchy_is_one_tree_with_the_star_on_top(name: str) -> None:
    levels = {path.stem: read_levels(path) for path in sample_hierarchies(name).iterdir()}
    assert [column for column, rows in levels.items() if len({row[0] for row in rows}) != len(rows)] == []
    assert [column for column, rows in levels.items() if {row[-1] for row in rows} != {"*"}] == []
    assert [
        (column, labels_with_two_parents(rows)) for column, rows in levels.items() if labels_with_two_parents(rows)
    ] == []


@pytest.mark.parametrize("name", TABLES)
def test_the_engine_finds_a_fitting_hierarchy_in_every_file(name: str) -> None:
    folder = sample_hierarchies(name)
    table, _report = engine_read_table(SAMPLES / f"{name}.csv")
    found = read_hierarchies(folder, [path.stem for path in folder.iterdir()], table)
    assert [match for match in found.matches if match.state != "matched"] == []


def test_the_lecture_hierarchies_spread_cells_as_the_lecture_does() -> None:
    found = read_hierarchies(sample_hierarchies("lecture"), ["Zip", "Age"]).hierarchies
    zips, ages = found["Zip"], found["Age"]
    assert zips.leaf_counts[zips.node_of_label["130**"]] == 100
    assert ages.leaf_counts[ages.node_of_label["30-40"]] == 10


def test_the_hospital_tells_its_story() -> None:
    table = read_table("hospital")
    assert len(table["ssn"]) == len(set(table["ssn"])) == 2000
    assert all(number[0] == "9" and number[4:6] < "50" for number in table["ssn"])
    ages = [2024 - date.fromisoformat(day).year for day in table["birth_date"]]
    assert ages == [int(age) for age in table["age"]]
    assert all(born <= came for born, came in zip(table["birth_date"], table["admission_date"], strict=True))
    mothers = {sex for sex, why in zip(table["sex"], table["diagnosis"], strict=True) if "delivery" in why}
    assert mothers == {"F"}


def test_nearly_every_patient_is_alone_with_zip_birth_date_and_sex() -> None:
    table = read_table("hospital")
    groups = Counter(zip(table["zip"], table["birth_date"], table["sex"], strict=True))
    assert sum(size == 1 for size in groups.values()) > 1900


def test_the_lecture_release_uses_nodes_of_its_hierarchies_only() -> None:
    raw, released = read_table("lecture"), read_table("lecture_release")
    for column in ("Zip", "Age", "Nationality"):
        above = {row[0]: row for row in read_levels(sample_hierarchies("lecture") / f"{column}.csv")}
        assert all(new in above[old] for old, new in zip(raw[column], released[column], strict=True))
    classes = Counter(zip(released["Zip"], released["Age"], released["Nationality"], strict=True))
    assert sorted(classes.values()) == [4, 4, 4]


def test_the_census_is_large_and_light() -> None:
    assert len(read_table("census")["age"]) == 50_000
    assert (SAMPLES / "census.csv").stat().st_size < 4_000_000


def test_the_practice_has_patients_who_come_often() -> None:
    visits = Counter(read_table("practice")["patient"])
    assert len(visits) == 900
    assert visits.most_common(1)[0][1] > 25
    assert sum(count <= 4 for count in visits.values()) > 750


def test_no_sample_comes_with_agreement_to_what_points_to_people() -> None:
    hospital = load_project(resource_path("samples", "hospital.anon"))
    assert isinstance(hospital, Project)
    assert hospital.acknowledged == ()
    assert "charge" in hospital.schema.names(Role.SA)
