"""Local recoding of Adult: loss below that of ARX 3.9.2 on the same data, and less time, counted in sorts."""

import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import BestLoss, SearchCurve
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.encoding import encode_table, goal_set_for
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_loss
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from tests.engine.rooms.microdata.algorithms.adult import adult

pytestmark = pytest.mark.bench
# Where ARX was measured, one sort of a million rows by eight columns of a byte takes 0.06 s.
PEER_SORT = 0.06
LONG = 30.0


def told(shared_data: Path, goals: tuple[PrivacyModel, ...], *sensitive: str) -> tuple[float, int, float]:
    """Run best loss to its first result; give LM, rows suppressed and the time in sorts of a million rows."""
    table, project = adult(shared_data, *sensitive)
    project = replace(project, goals=goals)
    encoded = encode_table(table, project)
    asked = goal_set_for(encoded, project, table)
    start = time.process_time()
    recoding = BestLoss(checks=0).run(encoded, asked, SearchLimits(), SILENT)
    spent = time.process_time() - start
    sorts = spent / sort_time()
    lm, suppressed = recoding_loss(encoded, recoding), int((recoding.class_of_row < 0).sum())
    words = ", ".join(goal.sentence() for goal in goals)
    sys.stdout.write(f"\nbest loss, {words}: LM {lm:.4f}, {suppressed} suppressed, {spent:.2f} s, {sorts:.0f} sorts\n")
    assert_holds(encoded, asked, recoding.class_of_row)
    return lm, suppressed, sorts


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("k", "quick", "wanted"), [(5, 0.0516, 0.049), (10, 0.0759, 0.072), (50, 0.1504, 0.145)])
def test_more_checks_lose_less(shared_data: Path, k: int, quick: float, wanted: float) -> None:
    """Tell the loss by checks with the bound; `quick` is reached in 2.5 s, `wanted` in 30 s, of one processor."""
    table, project = adult(shared_data)
    project = replace(project, goals=(KAnonymity(k),))
    encoded = encode_table(table, project)
    start, seen = time.process_time(), []

    def enough() -> bool:
        seen.append(time.process_time() - start)
        return seen[-1] > LONG

    recoding = BestLoss(checks=1_000_000_000).run(
        encoded, goal_set_for(encoded, project, table), SearchLimits(), Progress(is_enough=enough)
    )
    way = recoding.search
    assert isinstance(way, SearchCurve)
    sys.stdout.write(f"\nk = {k}, bound {way.bound:.5f}, wanted {quick} in 2.5 s and {wanted} in {LONG:g} s\n")
    told = 0.0
    for step, spent in zip(way.steps, seen, strict=True):
        if spent >= 1.2 * told or step is way.steps[-1]:
            told = spent
            bar = "#" * round(400 * step.loss) if way.bound is None else _bar(step.loss, way.bound)
            sys.stdout.write(f"{spent:6.1f} s {step.checks:10,} checks  {step.loss:.5f} {bar}\n")
    assert [step.loss for step in way.steps] == sorted((step.loss for step in way.steps), reverse=True)
    assert way.steps[-1].loss <= wanted
    assert min(step.loss for step, spent in zip(way.steps, seen, strict=True) if spent <= 2.5) <= quick


def _bar(loss: float, bound: float) -> str:
    """Draw a loss as a bar, up to the bound in another sign."""
    return "|" * round(500 * bound) + "#" * round(500 * (loss - bound))


def sort_time() -> float:
    """Give the time of one sort of a million rows by eight columns of a byte."""
    codes = np.random.default_rng(1).integers(0, 16, (8, 1_000_000), dtype=np.uint8)
    found = []
    for _ in range(5):
        start = time.process_time()
        np.lexsort(codes)
        found.append(time.process_time() - start)
    return min(found)


def assert_holds(encoded: EncodedTable, goals: GoalSet, class_of_row: np.ndarray) -> None:
    sizes = np.bincount(class_of_row[class_of_row >= 0])
    assert sizes.min() >= goals.least_rows


@pytest.mark.parametrize(("k", "peer_lm", "peer_seconds"), [(5, 0.0589, 6.5), (10, 0.0820, 10.9), (50, 0.1535, 14.9)])
def test_k_anonymity_loses_less_than_arx_in_less_time(
    shared_data: Path, k: int, peer_lm: float, peer_seconds: float
) -> None:
    lm, suppressed, sorts = told(shared_data, (KAnonymity(k),))
    assert lm < peer_lm
    assert suppressed == 0
    assert sorts < peer_seconds / PEER_SORT


def test_three_diversity_loses_less_than_arx_in_less_time(shared_data: Path) -> None:
    lm, suppressed, sorts = told(shared_data, (KAnonymity(5), DistinctLDiversity(3)), "occupation")
    assert lm < 0.0367
    assert suppressed == 0
    assert sorts < 3.1 / PEER_SORT


def test_t_closeness_loses_less_than_arx_and_suppresses_nobody(shared_data: Path) -> None:
    lm, suppressed, sorts = told(shared_data, (KAnonymity(5), TCloseness(0.2)), "occupation")
    assert lm < 0.4425
    assert suppressed == 0
    assert sorts < 7 / PEER_SORT
