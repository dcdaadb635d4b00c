"""A recipe made for one table is applied to another with other names."""

from dataclasses import replace

from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import ChosenLevels
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.rooms.microdata.recipe import apply_recipe, make_recipe, match_columns
from anonymizer_gui.engine.rooms.microdata.run import run
from anonymizer_gui.engine.storage.sources import Source
from tests.engine.rooms.microdata.making import hospital_project, hospital_rows

OTHER_NAMES = ("Name", "AGE ", "Zip_Code", "disease", "extra")
OTHER = Schema(tuple(ColumnSchema(name.strip()) for name in OTHER_NAMES))


def test_a_recipe_holds_no_trace_of_the_data() -> None:
    recipe = make_recipe(hospital_project(source=Source("secret.csv", "ab"), acknowledged=("ward",)))
    assert (recipe.source, recipe.population, recipe.acknowledged) == (None, None, ())
    assert recipe.goals == hospital_project().goals


def test_columns_are_found_by_name_but_for_case_and_signs() -> None:
    assert match_columns(hospital_project(), OTHER) == {
        "name": "Name", "age": "AGE", "zip": "", "disease": "disease", "ward": "",
    }  # fmt: skip


def test_roles_hierarchies_and_goals_follow_the_columns() -> None:
    recipe = hospital_project(
        goals=(KAnonymity(k=5), DistinctLDiversity(l=2, column="disease")),
        weights={"age": 2.0, "ward": 1.0},
        bounds={"zip": (1, 2)},
        publishing=Publishing(pseudonyms=(("name", "keyed"),)),
    )
    columns = {"name": "Name", "age": "AGE", "zip": "Zip_Code", "disease": "disease", "ward": ""}
    project = apply_recipe(Project(schema=OTHER), recipe, columns)
    assert project.schema.names(Role.QI) == ("AGE", "Zip_Code")
    assert project.schema.column("extra").role is Role.OTHER
    assert set(project.hierarchies) == {"AGE", "Zip_Code"}
    assert project.goals[1] == DistinctLDiversity(l=2, column="disease")
    assert (project.weights, project.bounds) == ({"AGE": 2.0}, {"Zip_Code": (1, 2)})
    assert project.publishing.pseudonyms == (("Name", "keyed"),)


def test_parameters_that_name_columns_are_renamed() -> None:
    columns = {"age": "AGE", "zip": ""}
    recipe = hospital_project(algorithm=Mondrian(priority=("age", "zip")))
    assert apply_recipe(Project(schema=OTHER), recipe, columns).algorithm == Mondrian(priority=("AGE",))
    recipe = hospital_project(algorithm=ChosenLevels(levels=(("age", 1), ("zip", 2))))
    assert apply_recipe(Project(schema=OTHER), recipe, columns).algorithm == ChosenLevels(levels=(("AGE", 1),))


def test_an_applied_recipe_runs_on_the_other_table() -> None:
    table = Table.from_rows([name.strip() for name in OTHER_NAMES], hospital_rows())
    columns = dict(zip(("name", "age", "zip", "disease", "ward"), table.names, strict=True))
    project = apply_recipe(Project(schema=OTHER), make_recipe(hospital_project(), ["age", "zip"]), columns)
    assert run(table, replace(project, seed=1)).measured.k >= 5
