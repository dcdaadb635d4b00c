"""The second opinion on a million rows against the run it judges, in one process."""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

from anonymizer_gui.engine.data.tables.io import read_table, write_table
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, Role, Table
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.independent_check import check_release
from anonymizer_gui.engine.rooms.microdata.release.output_format import write_options
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate, prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.algorithms.adult import adult

pytestmark = [pytest.mark.bench, pytest.mark.timeout(900)]
MILLION = 1_000_000
Made = TypeVar("Made")


def timed(work: Callable[[], Made]) -> tuple[Made, float]:
    """Give what is made, and the CPU time it took."""
    start = time.process_time()
    made = work()
    return made, time.process_time() - start


def drawn(shared_data: Path) -> tuple[Table, Project]:
    """Draw the rows of Adult a million times; the salary class is sensitive."""
    table, project = adult(shared_data, "salary-class")
    random = np.random.default_rng(1)
    columns = (
        Column(c.name, c.codes[random.integers(0, table.n_rows, MILLION, dtype=np.int32)], c.labels)
        for c in table.columns
    )
    schema = project.schema.with_roles({"salary-class": Role.SA})
    goals = (KAnonymity(10), DistinctLDiversity(2), TCloseness(t=0.5))
    return Table(tuple(columns)), replace(project, schema=schema, goals=goals, algorithm=Mondrian())


def with_people(table: Table, project: Project) -> tuple[Table, Project]:
    """Let every person have three rows on average."""
    n_people = MILLION // 3
    ids = np.random.default_rng(2).integers(0, n_people, MILLION, dtype=np.int32)
    person = Column("id", ids, tuple(f"P{number}" for number in range(n_people)))
    schema = replace(project.schema, columns=(ColumnSchema("id", role=Role.EI), *project.schema.columns))
    return Table((person, *table.columns)), replace(project, schema=schema, person="id")


@pytest.mark.parametrize("counts_people", [False, True], ids=["rows", "people"])
def test_a_million_rows_are_counted_in_at_most_three_times_the_run(
    counts_people: bool, shared_data: Path, tmp_path: Path
) -> None:
    table, project = drawn(shared_data)
    table, project = with_people(table, project) if counts_people else (table, project)
    write_table(table, tmp_path / "in.csv")
    options = write_options(project, tmp_path / "out.csv")

    def run_() -> ReleaseCandidate:
        original = read_table(tmp_path / "in.csv")[0]
        leaving = prepare_candidate(run(original, project), original, Safeguards())
        write_table(leaving.table, tmp_path / "out.csv", options)
        return leaving

    leaving, running = timed(run_)
    found, counting = timed(lambda: check_release(tmp_path / "out.csv", leaving, options))
    sys.stdout.write(f"\nrun {running:.1f} s, recount {counting:.1f} s, {counting / running:.2f} times\n")
    assert found.rows == MILLION
    assert counting <= 3 * running
