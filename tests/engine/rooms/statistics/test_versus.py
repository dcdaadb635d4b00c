"""Anonymise first or noise inside, likeness and clusters seen ahead: simulated, repeatable, and true in plain cases."""

from fractions import Fraction

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import Cancelled
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.statistics.benches.generalisation_vs_dp import (
    EPSILONS,
    KS,
    compare_ways,
    mondrian_ranges,
    simulate_people,
)
from anonymizer_gui.engine.rooms.statistics.benches.simulated_releases import simulate_clusters
from anonymizer_gui.engine.rooms.statistics.benches.synthetic_utility import measure_utility
from anonymizer_gui.engine.rooms.statistics.public_domains import domains_of
from anonymizer_gui.engine.rooms.statistics.question import PublicKnowledge
from tests.engine.rooms.statistics.making import plan

FIELDS = ("sex=F|M", "sick=yes|no", "ward=A|B")


def people(rows: int = 600) -> Table:
    cells = [["FM"[i % 2], "yes" if i % 2 else "no", "AB"[(i // 3) % 2]] for i in range(rows)]
    return Table.from_rows(["sex", "sick", "ward"], cells)


@pytest.mark.parametrize("k", [5, 50, 5000])
def test_nobody_is_alone_in_a_generalised_table(k: int) -> None:
    made = simulate_people(1, 1000)
    lows, highs = mondrian_ranges(made, k)
    _, counts = np.unique(np.hstack([lows, highs]), axis=0, return_counts=True)
    assert counts.min() >= min(k, 1000)
    assert ((lows <= made.numbers) & (made.numbers <= highs)).all()


def test_three_ways_are_compared_and_repeatable() -> None:
    found = compare_ways("queries", 7)
    assert found == compare_ways("queries", 7)
    assert len(found.generalised) == len(found.synthetic) == len(found.noisy) == len(KS) == len(EPSILONS)
    for way in (found.generalised, found.synthetic, found.noisy):
        assert way[0] > way[-1]


def test_a_comparison_can_be_stopped() -> None:
    with pytest.raises(Cancelled):
        compare_ways("clusters", 7, Progress(is_cancelled=lambda: True))


def test_a_table_is_like_itself_and_unlike_independent_columns() -> None:
    table, domains = people(), domains_of(FIELDS, PublicKnowledge())
    same = measure_utility(table, table, domains, "sick")
    assert (same.single, same.double, same.queries) == (0, 0, 0)
    assert same.alone > 0.1
    assert same.learned is not None
    assert same.learned[0].accuracy == same.learned[1].accuracy == 1
    mixed = Table.from_rows(["sex", "sick", "ward"], [["FM"[i % 2], ["yes", "no"][i % 3 % 2], "A"] for i in range(600)])
    other = measure_utility(table, mixed, domains, "sick")
    assert dict(other.columns)["sex"] == 0
    assert dict(other.columns)["ward"] == 0.5
    assert other.double > 0.2
    assert other.learned is not None
    assert other.learned[1].accuracy < 1


@pytest.mark.parametrize("rows", [0, 1])
def test_hardly_any_rows_can_be_compared(rows: int) -> None:
    found = measure_utility(people(rows), people(6), domains_of(FIELDS, PublicKnowledge()), "sick")
    assert found.learned is None
    assert 0 <= found.double <= 1


def test_clusters_ahead_know_the_plan_only() -> None:
    project = plan("k-means 3 age 0 100 east 0 1", rows=3000)
    seen = simulate_clusters(project.questions[0], project, Fraction(1), 3)
    assert seen.losses == simulate_clusters(project.questions[0], project, Fraction(1), 3).losses
    assert seen.best <= seen.losses[-1][1] <= seen.losses[0][1] <= seen.alone * 2
    assert seen.after.shape == seen.before.shape == (3, 2)
    assert ((seen.points >= [0, 0]) & (seen.points <= [100, 1])).all()
    with pytest.raises(TypeError):
        simulate_clusters(plan("count").questions[0], project, Fraction(1), 3)
