"""A recipe names no value of the data: it holds the rules of its hierarchies, and leaves when somebody agrees."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import BadParameter, BadProject
from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.engine.data.tables.io.read_write import read_source
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, Table
from anonymizer_gui.engine.hierarchy.builders.categories import Ordered
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS, Builder, build_hierarchy, lists_values
from anonymizer_gui.engine.hierarchy.builders.numbers import Intervals
from anonymizer_gui.engine.hierarchy.builders.strings import Mask
from anonymizer_gui.engine.hierarchy.edits import rename
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.opening import open_project
from anonymizer_gui.engine.projects.project_file import load_project, project_text, read_project, save_project
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recipe import hierarchies_without_rule, make_recipe, with_hierarchies
from tests.engine.rooms.microdata.making import NAMES, hospital_project, hospital_rows, hospital_table

RULES: dict[str, Builder] = {"age": Intervals(width=2.0), "zip": Mask()}
VALUES = {
    "intervals": ["71", "73", "88", "97.5"],
    "dates": ["1931-02-07", "1955-07-19", "2001-11-23"],
    "country": ["Tuvalu", "Nauru", "Palau"],
    "weekday": ["Monday", "Thursday", "Sunday"],
    "month": ["February", "October", "March"],
}


def ruled(**rules: Builder) -> Project:
    """Give the hospital's project with hierarchies made by rules."""
    project, table = hospital_project(), hospital_table()
    made = {
        name: build_hierarchy(rule, table.column(name), project.schema.column(name))
        for name, rule in (rules or RULES).items()
    }
    return replace(project, hierarchies={**project.hierarchies, **made})


def labels_of(tree: Hierarchy) -> set[str]:
    """Give the labels as a file would hold them, but for the name of the group of rare values, which the rule gives."""
    return {json.dumps(label, ensure_ascii=False) for label in tree.labels[1:] if label != "Other"}


@pytest.mark.parametrize("kind", [kind for kind in BUILDERS if kind.is_offered], ids=lambda kind: kind.name)
def test_the_recipe_of_a_rule_holds_neither_values_nor_groups(kind: type[Builder]) -> None:
    values = VALUES.get(kind.name, ["8231-QX", "8231-RY", "8255-QZ", "9100-AA", "9100-AB", "9100-AC"])
    column = Column.from_texts("zip", [*values, *values[:1] * 200])
    tree = build_hierarchy(kind(), column, ColumnSchema("zip"))
    project = hospital_project(hierarchies={"zip": tree})
    text = project_text(make_recipe(project))
    assert [label for label in labels_of(tree) if label in text] == []
    assert labels_of(tree) & {word for word in labels_of(tree) if word in project_text(project)}
    again = with_hierarchies(read_project(text.encode()), Table((column,)))
    assert again.hierarchies == {"zip": tree}
    assert again.rules == {}


def test_a_rule_that_lists_the_values_itself_is_no_way_around() -> None:
    rule = Ordered(order=("13053", "13050"))
    project = ruled(zip=rule)
    assert lists_values(rule)
    assert hierarchies_without_rule(project) == ["age", "zip"]
    assert "13053" not in project_text(make_recipe(project))


def test_what_was_drawn_by_hand_is_left_out_unless_its_values_are_public() -> None:
    project = hospital_project()
    assert hierarchies_without_rule(project) == ["age", "zip"]
    recipe = make_recipe(project)
    assert (recipe.hierarchies, recipe.rules) == ({}, {})
    assert "13053" not in project_text(recipe)
    agreed = make_recipe(project, ["zip"])
    assert agreed.hierarchies == {"zip": project.hierarchies["zip"]}
    with pytest.raises(BadParameter, match="no hierarchy of “disease”"):
        make_recipe(project, ["disease"])


def test_an_edit_by_hand_ends_the_rule() -> None:
    project = ruled()
    tree = project.hierarchies["zip"]
    changed = replace(project, hierarchies={**project.hierarchies, "zip": rename(tree, 1, "around here")})
    assert hierarchies_without_rule(project) == []
    assert hierarchies_without_rule(changed) == ["zip"]


def test_a_project_remembers_the_rules_of_its_hierarchies_and_a_recipe_of_a_recipe_is_the_same(tmp_path: Path) -> None:
    save_project(ruled(), tmp_path / "p.anon")
    project = load_project(tmp_path / "p.anon")
    assert {name: tree.made_by for name, tree in project.hierarchies.items()} == RULES
    recipe = make_recipe(project)
    assert recipe.rules == RULES
    assert make_recipe(read_project(project_text(recipe).encode())) == recipe


def test_recipes_saved_before_are_opened_with_their_hierarchies(tmp_path: Path) -> None:
    old = replace(hospital_project(), source=None)
    (tmp_path / "old.anon").write_text(project_text(old), encoding="utf-8")
    assert load_project(tmp_path / "old.anon").hierarchies == old.hierarchies


STRANGE = [
    {"name": "prefix", "parameters": {"by": "characters", "lengths": list(range(1, 100_000))}},
    {"name": "ordered", "parameters": {"fan_out": [2] * 100_000}},
    {"name": "frequency", "parameters": {"shares": [0.5] * 100_000}},
    {"name": "intervals", "parameters": {"fan_out": [2] * 100_000}},
    {"name": "magic"},
    {"name": "mask", "parameters": {"step": 0}},
    {"name": ["mask"]},
    3,
    {"name": "mask", "x": 1},
]


@pytest.mark.parametrize("rule", STRANGE, ids=range(len(STRANGE)))
def test_a_rule_that_there_is_not_is_refused(rule: object) -> None:
    tree = {"label": "*", "children": ["a"], "made_by": rule}
    for entries in ({"rules": {"zip": rule}}, {"hierarchies": {"zip": tree}}):
        told = json.loads(project_text(hospital_project())) | entries
        with pytest.raises(BadProject, match="cannot be opened: its entry"):
            read_project(json.dumps(told).encode())


def test_the_command_line_saves_a_recipe_and_applies_it_to_another_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_table(hospital_table(), tmp_path / "first.csv")
    _, _, source = read_source(str(tmp_path / "first.csv"))
    project = replace(ruled(zip=Mask()), source=source)
    save_project(project, tmp_path / "p.anon")
    assert main(["recipe", str(tmp_path / "p.anon"), "-o", str(tmp_path / "r.anon")]) == 0
    assert "the hierarchies of “age”" in capsys.readouterr().err
    text = (tmp_path / "r.anon").read_text(encoding="utf-8")
    assert '"20"' not in text
    assert "1305" not in text
    assert "first.csv" not in text
    assert main(["recipe", str(tmp_path / "p.anon"), "-o", str(tmp_path / "r.anon"), "--public", "age"]) == 0
    assert capsys.readouterr().err == ""
    other = [[name, age, zip_code.replace("130", "77"), *rest] for name, age, zip_code, *rest in hospital_rows()]
    write_table(Table.from_rows(NAMES, other), tmp_path / "other.csv")
    opened = open_project(tmp_path / "r.anon", moved_to=str(tmp_path / "other.csv"))
    assert set(opened.project.hierarchies["zip"].leaf_labels) == {row[2] for row in other}
    call = ["run", str(tmp_path / "r.anon"), "--table", str(tmp_path / "other.csv"), "-o", str(tmp_path / "out.csv")]
    assert main([*call, "--reason", "a test"]) == 0


def test_a_recipe_is_not_written_over_the_project_or_its_table(tmp_path: Path) -> None:
    write_table(hospital_table(), tmp_path / "t.csv")
    _, _, source = read_source(str(tmp_path / "t.csv"))
    save_project(replace(hospital_project(), source=source), tmp_path / "p.anon")
    for name in ("p.anon", "t.csv"):
        before = (tmp_path / name).read_bytes()
        assert main(["recipe", str(tmp_path / "p.anon"), "-o", str(tmp_path / name)]) == 2
        assert (tmp_path / name).read_bytes() == before
