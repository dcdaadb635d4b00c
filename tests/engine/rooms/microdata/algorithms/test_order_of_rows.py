"""A release does not depend on the order of the source's rows, and best loss loses no more than any other."""

from dataclasses import replace

import numpy as np
import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.data.tables.io.read_write import read_source
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.projects.project_file import load_project
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import BestLoss
from anonymizer_gui.engine.rooms.microdata.algorithms.clustering import Clustering
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.run import run

WAYS: list[Algorithm] = [
    *(declared() for declared in ALGORITHMS if declared.name != "levels"),
    Clustering(method="sequential"),
    Clustering(method="random"),
    Mondrian(mode="relaxed"),
    BestLoss(start="mondrian"),
]
GOALS: list[tuple[PrivacyModel, ...]] = [
    (KAnonymity(k=3),),
    (KAnonymity(k=3), DistinctLDiversity(l=2)),
    (KAnonymity(k=4), TCloseness(t=0.5)),
]


def sample(name: str, rows: int) -> tuple[Project, Table]:
    project = load_project(resource_path("samples") / f"{name}.anon")
    assert isinstance(project, Project)
    assert project.source is not None
    table = read_source(project.source.path)[0]
    return project, table.take(np.arange(min(rows, table.n_rows)))


def published(table: Table) -> list[tuple[str, ...]]:
    return sorted(zip(*(column.texts().tolist() for column in table.columns), strict=True))


@pytest.mark.parametrize("goals", GOALS, ids=["k", "l", "t"])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_shuffled_rows_give_the_same_release(way: Algorithm, goals: tuple[PrivacyModel, ...]) -> None:
    project, table = sample("hospital", 120)
    wanted = replace(project, algorithm=way, goals=goals, suppression=0.05)
    first = run(table, wanted)
    for seed in range(2):
        order = np.random.default_rng(seed).permutation(table.n_rows)
        again = run(table.take(order), wanted)
        assert published(again.table) == published(first.table)


@pytest.mark.parametrize("goals", GOALS, ids=["k", "l", "t"])
@pytest.mark.parametrize("suppression", [0.0, 0.2])
def test_nothing_loses_less_than_best_loss_on_the_lecture_table(
    goals: tuple[PrivacyModel, ...], suppression: float
) -> None:
    project, table = sample("lecture", 1000)
    project = replace(project, goals=goals, suppression=suppression)
    least = run(table, replace(project, algorithm=BestLoss())).measured.lm
    assert least is not None
    for way in WAYS:
        try:
            lost = run(table, replace(project, algorithm=way)).measured.lm
        except Infeasible:
            continue
        if way.reach is not None and way == type(way)():
            assert lost is not None
            assert least <= lost + 1e-9, way


def test_nothing_loses_less_than_best_loss_on_a_larger_sample() -> None:
    project, table = sample("hospital", 2000)
    project = replace(project, goals=(KAnonymity(k=5),))
    least = run(table, replace(project, algorithm=BestLoss())).measured.lm
    for way in (declared() for declared in ALGORITHMS if declared.reach is not None):
        lost = run(table, replace(project, algorithm=way)).measured.lm
        assert lost is not None
        assert least is not None
        assert least <= lost + 1e-9, way
