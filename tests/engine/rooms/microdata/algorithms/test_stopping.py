"""An algorithm asks often whether to stop: no stretch of its work is long."""

import time

import numpy as np
import pytest

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from tests.engine.rooms.microdata.algorithms.encoded_tables import encoded_table, goals_of

N_ROWS = 3_000
# "levels" looks up one node, a single short stretch on any table; "auto" runs the others.
WITH_A_SEARCH = [name for name in ALGORITHMS.names() if name not in ("auto", "levels")]


@pytest.fixture(scope="module")
def table() -> EncodedTable:
    """Give a table of independent columns, most rows of which are different."""
    tree = Hierarchy.from_nested(
        {"*": {f"{i}*": {f"{i}{j}*": [f"{i}{j}{k}" for k in "abc"] for j in "xy"} for i in "pqr"}}
    )
    random = np.random.default_rng(3)
    return encoded_table(random.integers(0, tree.n_leaves, (N_ROWS, 6)), [tree] * 6, random.integers(0, 5, N_ROWS))


def longest_share(name: str, encoded: EncodedTable, *models: PrivacyModel) -> float:
    """Run an algorithm; give its longest stretch without a question as a share of all its work."""
    asked = [time.thread_time()]

    def is_cancelled() -> bool:
        asked.append(time.thread_time())
        return False

    ALGORITHMS.get(name)().run(encoded, goals_of(encoded, *models), SearchLimits(), Progress(is_cancelled=is_cancelled))
    asked.append(time.thread_time())
    return float(np.diff(asked).max() / (asked[-1] - asked[0]))


@pytest.mark.parametrize("name", WITH_A_SEARCH)
@pytest.mark.parametrize("models", [(KAnonymity(5),), (KAnonymity(5), DistinctLDiversity(2))], ids=["k", "k and l"])
def test_no_stretch_of_work_between_two_questions_is_a_quarter_of_the_whole(
    name: str, models: tuple[PrivacyModel, ...], table: EncodedTable
) -> None:
    # What else the thread does meanwhile, such as collecting garbage, is not in the way every time.
    assert any(longest_share(name, table, *models) < 1 / 4 for _ in range(8))
