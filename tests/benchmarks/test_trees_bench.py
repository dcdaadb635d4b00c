"""Nested records at size: CPU seconds and losses of whole runs against those of the prototypes."""

import sys
import time
from pathlib import Path

import pytest

from anonymizer_gui.engine.data.trees.reading import read_trees
from anonymizer_gui.engine.data.trees.trees import Trees
from anonymizer_gui.engine.rooms.trees.algorithms.clustree import FullKAnonymity
from anonymizer_gui.engine.rooms.trees.algorithms.contract import Algorithm
from anonymizer_gui.engine.rooms.trees.algorithms.kmn_anonymity import KmnAnonymity
from anonymizer_gui.engine.rooms.trees.release import Measurement
from anonymizer_gui.engine.storage.sources import Source
from tests.engine.rooms.trees.making import released, students, trees_of

pytestmark = [pytest.mark.bench, pytest.mark.timeout(900)]
# CPU seconds; LM, share of vertices suppressed and relations cut as the prototypes had them.
ASKED = {
    "full k=2": (FullKAnonymity(k=2, l=1), 10.0, 0.22, 0.19, 0),
    "full k=5 l=1": (FullKAnonymity(k=5, l=1), 10.0, 0.46, 0.38, 0),
    "full k=5 l=2": (FullKAnonymity(k=5, l=2), 10.0, 0.46, 0.37, 0),
    "full k=5 l=3": (FullKAnonymity(k=5, l=3), 10.0, 0.53, 0.48, 0),
    "full k=10 l=3": (FullKAnonymity(k=10, l=3), 10.0, 0.63, 0.50, 0),
    "5^(2,1)": (KmnAnonymity(k=5, m=2, n=1), 1.0, 0.30, 0.0, 15),
    "10^(2,1)": (KmnAnonymity(k=10, m=2, n=1), 1.0, 0.68, 0.0, 15),
    "5^(3,0)": (KmnAnonymity(k=5, m=3, n=0), 5.0, 0.59, 0.0, 0),
}
LARGE_S = 60.0


@pytest.fixture(scope="module")
def shared_students(shared_data: Path) -> Trees:
    return read_trees(Source(str(shared_data / "students-synth" / "students.json"))).trees


@pytest.mark.parametrize("name", ASKED)
def test_a_thousand_students_lose_no_more_than_in_the_prototype(shared_students: Trees, name: str) -> None:
    algorithm, seconds, lm, suppressed, relations = ASKED[name]
    spent, found = _measured(shared_students, algorithm)
    sys.stdout.write(
        f"\n{name}: {spent:.2f} s, LM {found.lm:.3f}, {found.share_suppressed:.1%} suppressed, "
        f"{found.disassociated} relations\n"
    )
    assert found.lm <= lm
    assert found.share_suppressed <= suppressed
    assert found.disassociated <= relations
    assert spent < seconds


def test_a_hundred_thousand_records_take_less_than_a_minute() -> None:
    trees = trees_of(students(100_000))
    spent, found = _measured(trees, KmnAnonymity(k=5, m=2, n=1))
    sys.stdout.write(f"\n100,000 records, 5^(2,1): {spent:.1f} s, LM {found.lm:.3f}\n")
    assert found.smallest_class >= 5
    assert spent < LARGE_S


def _measured(trees: Trees, algorithm: Algorithm) -> tuple[float, Measurement]:
    start = time.process_time()
    release = released(trees, algorithm)
    return time.process_time() - start, release.measured
