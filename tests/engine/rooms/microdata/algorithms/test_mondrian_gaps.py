"""Ranges of a column with missing cells: they speak of missing cells only where there are some, and leave the house."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.cli import main
from anonymizer_gui.engine.data.tables.table import MISSING, ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.coverage import place_cells
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.run import run

YOUNG, OLD = [str(age) for age in range(20, 25)], [str(age) for age in range(25, 30)]
AGES = Hierarchy.from_nested({"*": {"20-24": YOUNG, "25-29": OLD}})
SCHEMA = Schema((ColumnSchema("age", ColumnType.INTEGER, role=Role.QI),))
RANGES = Mondrian(labels=(("age", "range"),))
CELLS = st.lists(st.sampled_from([*YOUNG, *OLD, MISSING, MISSING]), min_size=4, max_size=40)


@pytest.mark.parametrize("trees", [{}, {"age": AGES}], ids=["flat", "hierarchy"])
@given(ages=CELLS)
def test_a_range_speaks_of_missing_cells_only_where_there_are_some(
    trees: dict[str, Hierarchy], ages: list[str]
) -> None:
    table = Table.from_rows(["age"], [[age] for age in ages])
    project = Project(schema=SCHEMA, hierarchies=trees, goals=(KAnonymity(2),), algorithm=RANGES)
    release = run(table, project)
    published = release.table.column("age").texts().tolist()
    for label in set(published):
        behind = {age for age, shown in zip(ages, published, strict=True) if shown == label}
        assert (MISSING in label) == (MISSING in behind)
    if trees:
        cells = place_cells(release.table.column("age"), AGES, SCHEMA.column("age"))
        assert (cells.low >= 0).all()


def test_a_table_with_missing_cells_leaves_with_ranges(tmp_path: Path) -> None:
    ages = ["20", "21", "28", "29", '""', "29"] * 3
    (tmp_path / "in.csv").write_text("age,sex\n" + "".join(f"{age},f\n" for age in ages))
    (tmp_path / "age.csv").write_text("".join(f"{a};{'20-24' if a < 25 else '25-29'};*\n" for a in range(20, 30)))
    words = ["--qi", "age,sex", "--hierarchies", str(tmp_path), "--k", "4", "--algorithm", "mondrian"]
    out = tmp_path / "out.csv"
    assert main(["anonymize", str(tmp_path / "in.csv"), *words, "--labels", "age=range", "-o", str(out)]) == 0
    assert '"{28, 29, (missing)}"' in out.read_text() or '"{29, (missing)}"' in out.read_text()
    assert main(["verify", str(out)]) == 0
