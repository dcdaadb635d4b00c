"""A small hospital of our own with everything an export needs."""

from dataclasses import replace

from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.run import run

NAMES = ("name", "age", "zip", "disease", "ward")
DISEASES = ("Flu", "Cancer", "=Heart", "Asthma")


def hospital_rows(n: int = 40) -> list[list[str]]:
    """Rows in a telling order: names ascend, so any trace of the source's order can be found."""
    return [
        [f"Patient {i:04d}", str(20 + i % 8), f"130{50 + i % 4}", DISEASES[(i * 7) % 4], f"W{i % 3}"] for i in range(n)
    ]


def hospital_table(n: int = 40) -> Table:
    return Table.from_rows(NAMES, hospital_rows(n))


def hospital_project(**changes: object) -> Project:
    ages = {"20-23": ["20", "21", "22", "23"], "24-27": ["24", "25", "26", "27"]}
    zips = {"1305*": ["13050", "13051", "13052", "13053"]}
    schema = Schema(
        (
            ColumnSchema("name", role=Role.EI),
            ColumnSchema("age", ColumnType.INTEGER, role=Role.QI),
            ColumnSchema("zip", role=Role.QI),
            ColumnSchema("disease", role=Role.SA),
            ColumnSchema("ward", role=Role.OTHER),
        )
    )
    project = Project(
        name="hospital",
        schema=schema,
        hierarchies={"age": Hierarchy.from_nested({"*": ages}), "zip": Hierarchy.from_nested({"*": zips})},
        goals=(KAnonymity(k=5), DistinctLDiversity(l=2)),
        algorithm=BottomUp(),
        seed=7,
        acknowledged=("ward",),
    )
    return replace(project, **changes)  # type: ignore[arg-type]


def hospital_release(n: int = 40, **changes: object) -> tuple[Release, Table]:
    table = hospital_table(n)
    return run(table, hospital_project(**changes)), table
