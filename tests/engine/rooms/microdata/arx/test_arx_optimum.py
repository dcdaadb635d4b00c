"""The optimum of an opened ARX project is ARX's own: numbers of ARX's tests, about the Adult table it ships.

The lattice that is kept in `adult-k5.deid` is none of these: ARX searched it for a research sample, whose rows it keeps
in a form that only Java reads. Without generalisation its rows lose 0.932; all rows of the table lose 0.778.
"""

import re
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import anonymizer_gui.engine as anonymizer
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.projects.opening import OpenedProject
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import ChosenLevels
from anonymizer_gui.engine.rooms.microdata.arx_import import goals_from_criterion
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.presence import EstimatedKMap
from anonymizer_gui.engine.rooms.microdata.release.release import Release, compare_release
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS


@pytest.fixture(scope="module")
def adult(shared_data: Path) -> OpenedProject:
    """Open the project that ARX ships."""
    return anonymizer.open(shared_data / "arx-projects" / "adult-k5.deid")


def run(adult: OpenedProject, **decided: object) -> Release:
    made: Release = anonymizer.run(replace(adult, project=replace(adult.project, **decided)))
    return made


def levels_of(release: Release) -> list[int]:
    project = release.project
    heights = [project.hierarchies[name].height + 1 for name in project.schema.names(Role.QI)]
    return [int(level) for level in np.unravel_index(release.recoding.search.chosen, heights)]


@pytest.mark.parametrize(
    ("k", "bits", "levels"),
    [
        (5, 407289.5388925293, [1, 2, 1, 1, 3, 2, 2, 1, 1]),
        (100, 453196.8932458743, [0, 4, 1, 1, 3, 2, 2, 1, 1]),
    ],
)
def test_the_optimum_by_non_uniform_entropy_is_that_of_arx(
    k: int, bits: float, levels: list[int], adult: OpenedProject
) -> None:
    """ARX, TestAnonymizationKAnonymity.java, nothing suppressed."""
    search = adult.project.algorithm.following("entropy")
    release = run(adult, suppression=0.0, goals=(KAnonymity(k),), algorithm=search)
    assert levels_of(release) == levels
    found = METRICS.get("entropy")().measure(compare_release(release, adult.files["table"]), SILENT)
    assert found.details["bits"] == pytest.approx(bits, abs=1e-7)


def test_the_optimum_under_sample_uniqueness_is_that_of_arx(adult: OpenedProject) -> None:
    """ARX, TestAnonymizationRiskBased.java: loss, at most 4 % suppressed."""
    release = run(adult, suppression=0.04, goals=goals_from_criterion("(0.01)-sample-uniqueness", ()))
    assert levels_of(release) == [0, 3, 0, 0, 1, 1, 1, 1, 0]


@pytest.mark.parametrize(
    ("k", "rows", "levels"), [(3, 2, [0, 0, 1, 1, 0, 2, 2, 0]), (1000, 3, [0, 0, 1, 1, 1, 2, 1, 0])]
)
def test_the_optimum_under_estimated_k_map_is_that_of_arx(
    k: int, rows: int, levels: list[int], adult: OpenedProject
) -> None:
    """ARX, TestAnonymizationKMap.java: the population of the USA, at most 5 % suppressed, the occupation is sensitive.

    Any population from 100 to 500 million asks for as many rows. The bits ARX tells are not those of our measure, which
    counts suppressed rows, too.
    """
    goal = EstimatedKMap(k, fraction=adult.files["table"].n_rows / 318_900_000, significance=0.01)
    assert goal.least_rows() == rows
    schema = adult.project.schema.with_roles({"occupation": Role.SA})
    search = adult.project.algorithm.following("entropy")
    assert levels_of(run(adult, schema=schema, suppression=0.05, goals=(goal,), algorithm=search)) == levels


def test_the_loss_of_every_column_is_that_of_arx(adult: OpenedProject) -> None:
    """ARX, TestUtilityMetricsLoss.java: k = 5, everything may be suppressed, the occupation is sensitive."""
    names = [name for name in adult.project.schema.names(Role.QI) if name != "occupation"]
    schema = adult.project.schema.with_roles({"occupation": Role.SA})
    chosen = ChosenLevels(levels=tuple(zip(names, (0, 3, 0, 0, 1, 0, 0, 0), strict=True)))
    found = run(adult, schema=schema, algorithm=chosen).measured.loss.lm_columns
    assert sorted(found.values(), reverse=True) == pytest.approx(
        [0.297248193, 0.29678055, *[0.1297659306] * 6], abs=1e-9
    )


def test_the_lattice_that_is_kept_is_not_about_all_rows(shared_data: Path, adult: OpenedProject) -> None:
    with zipfile.ZipFile(shared_data / "arx-projects" / "adult-k5.deid") as archive:
        kept = archive.read("lattice.xml")[:2000].decode()
    lowest = float(re.findall(r"<u>([\d.]+)</u>", kept)[0])
    bottom = ChosenLevels(levels=tuple((name, 0) for name in adult.project.schema.names(Role.QI)))
    assert lowest == pytest.approx(0.93201, abs=1e-5)
    assert run(adult, algorithm=bottom).measured.lm == pytest.approx(0.778131, abs=1e-6)


def test_the_project_arx_ships_opens_and_loses_no_more_than_any_node_it_kept(adult: OpenedProject) -> None:
    assert len(adult.project.schema.names(Role.QI)) == 9
    assert adult.project.suppression == 1.0
    assert (adult.project.weights, adult.project.bounds) == ({}, {})  # all alike, and every level may be published
    release = anonymizer.run(adult)
    assert release.recoding.search.complete
    # An independent count over the level ARX ranks first, [0, 2, 0, 1, 2, 1, 1, 1, 0], gives 0.256135.
    assert release.measured.lm == pytest.approx(0.228552, abs=1e-6)
