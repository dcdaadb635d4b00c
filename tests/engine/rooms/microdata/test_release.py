"""The way from a table to a release."""

from dataclasses import replace

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadParameter, PromiseBroken
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp, ChosenLevels
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_of_groups
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down import TopDown
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.models.presence import DeltaPresence, KMap
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.rooms.microdata.recoding import Recoding
from anonymizer_gui.engine.rooms.microdata.run import STARS_LEFT_OUT, run
from tests.engine.rooms.microdata.worked_tables import HOSPITAL, HOSPITAL_TREES, RELEASED

CITY = Hierarchy.from_nested({"*": {"North": ["Kiel", "Bremen"], "South": ["Ulm", "Passau"]}})


def city_project(**changes: object) -> Project:
    schema = Schema((ColumnSchema("city", role=Role.QI), ColumnSchema("illness", role=Role.SA)))
    project = Project(schema=schema, hierarchies={"city": CITY}, goals=(KAnonymity(2),), algorithm=BottomUp())
    return replace(project, **changes)  # type: ignore[arg-type]


def city_table(*cities: str) -> Table:
    return Table.from_rows(["city", "illness"], [[city, f"i{i % 2}"] for i, city in enumerate(cities)])


def test_the_hospital_of_the_course_is_published_as_in_the_notes() -> None:
    roles = {"Zip": Role.QI, "Age": Role.QI, "Nationality": Role.QI, "Disease": Role.SA}
    schema = Schema(tuple(ColumnSchema(name, role=role) for name, role in roles.items()))
    levels = ChosenLevels((("Age", 1), ("Nationality", 1), ("Zip", 2)))
    trees = {**HOSPITAL_TREES, "Zip": _zips()}
    project = Project(schema=schema, hierarchies=trees, goals=(KAnonymity(4),), algorithm=levels)
    release = run(HOSPITAL, project)
    texts = [release.table.column(name).texts().tolist() for name in release.table.names]
    expected = [RELEASED.column(name).texts().tolist() for name in RELEASED.names]
    assert sorted(zip(*texts, strict=True)) == sorted(zip(*expected, strict=True))
    assert (release.measured.k, release.measured.classes, release.measured.l["distinct"]) == (4, 3, 1)


def _zips() -> Hierarchy:
    below = {"130**": {"1305*": ["13053"], "1306*": ["13068"]}, "1485*": {"14850 to 14853": ["14850", "14853"]}}
    return Hierarchy.from_nested({"*": below})


def test_rows_stay_in_the_order_of_the_source() -> None:
    release = run(city_table("Ulm", "Kiel", "Passau", "Bremen"), city_project())
    assert release.table.column("city").texts().tolist() == ["South", "North", "South", "North"]
    assert release.rows.tolist() == [0, 1, 2, 3]


def test_suppressed_rows_are_left_out() -> None:
    release = run(city_table("Kiel", "Kiel", "Ulm"), city_project(suppression=0.4))
    assert release.table.column("city").texts().tolist() == ["Kiel", "Kiel"]
    assert (release.suppressed, release.measured.k) == (1, 2)
    assert release.measured.lm == pytest.approx(1 / 3)


def test_suppressed_rows_are_published_as_stars_when_they_are_a_class_that_satisfies() -> None:
    table = city_table(*["Kiel"] * 8, "Ulm", "Passau", "Bremen")
    project = city_project(
        algorithm=ChosenLevels((("city", 0),)), suppression=0.5, publishing=Publishing(suppressed_as_stars=True)
    )
    release = run(table, project)
    assert release.table.column("city").texts().tolist() == ["Kiel"] * 8 + ["*"] * 3
    assert (release.suppressed, release.measured.k) == (3, 3)
    assert release.measured.lm == pytest.approx(3 / 11)


def test_stars_that_would_be_too_small_a_class_are_left_out_and_that_is_said() -> None:
    project = city_project(suppression=0.4, publishing=Publishing(suppressed_as_stars=True))
    release = run(city_table("Kiel", "Kiel", "Ulm"), project)
    assert release.table.n_rows == 2
    assert release.notes == (STARS_LEFT_OUT,)


class Liar(ChosenLevels):
    """An algorithm that publishes every tuple as it is."""

    def run(self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress) -> Recoding:
        return recoding_of_groups(encoded, np.arange(len(encoded.tuples)))


def test_a_result_that_breaks_its_promise_is_not_released() -> None:
    with pytest.raises(PromiseBroken, match="k-anonymity"):
        run(city_table("Kiel", "Ulm"), city_project(algorithm=Liar()))


@pytest.mark.parametrize(
    "changes",
    [
        {"algorithm": None},
        {"suppression": 1.5},
        {"goals": (KAnonymity(0),)},
        {"bounds": {"city": (3, 3)}},
        {"weights": {"city": -1.0}},
        {"goals": (KMap(2),)},
        {"schema": Schema((ColumnSchema("city"), ColumnSchema("illness")))},
    ],
    ids=str,
)
def test_a_project_that_makes_no_sense_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(BadParameter):
        run(city_table("Kiel", "Ulm"), city_project(**changes))


def test_a_goal_on_sensitive_values_needs_a_sensitive_column() -> None:
    schema = Schema((ColumnSchema("city", role=Role.QI), ColumnSchema("illness")))
    with pytest.raises(BadParameter, match="sensitive"):
        run(city_table("Kiel", "Ulm"), city_project(schema=schema, goals=(DistinctLDiversity(2),)))


@pytest.mark.parametrize(
    ("algorithm", "cities"),
    [(BottomUp(), "North South South"), (TopDown("full-domain"), "North South South"), (TopDown(), "Kiel South South")],
    ids=["bottom-up", "full-domain", "local"],
)
def test_k_counts_in_the_population_when_the_goal_says_so(algorithm: BottomUp | TopDown, cities: str) -> None:
    population = city_table("Kiel", "Kiel", "Ulm", "Ulm", "Passau")
    project = city_project(goals=(KMap(2),), algorithm=algorithm)
    release = run(city_table("Kiel", "Ulm", "Passau"), project, population=population)
    assert release.table.column("city").texts().tolist() == cities.split()


def test_people_who_are_not_in_the_table_count_for_presence() -> None:
    population = city_table("Kiel", "Bremen", "Ulm", "Passau")
    project = city_project(goals=(DeltaPresence(0.6, 0.4),))
    release = run(city_table("Kiel", "Ulm"), project, population=population)
    assert release.table.column("city").texts().tolist() == ["North", "South"]


def test_the_numbers_of_a_release_are_told_as_json() -> None:
    told = run(city_table("Kiel", "Kiel", "Ulm", "Ulm"), city_project()).to_json()
    assert told["algorithm"] == "bottom-up"
    assert told["parameters"]["stop"] == "optimum"
    assert (told["rows"], told["suppressed"], told["classes"], told["k"], told["lm"]) == (4, 0, 2, 2, 0.0)
    assert set(told["seconds"]) == {"anonymize", "verify"}
