"""Goals about a population hold for the cells that are published, whatever partition they came from."""

import numpy as np
import pytest

from anonymizer_gui.engine.algorithms.best_loss import BestLoss
from anonymizer_gui.engine.algorithms.clustering import Clustering
from anonymizer_gui.engine.algorithms.contract import Algorithm, Limits
from anonymizer_gui.engine.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.goals import Goals
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.privacy.contract import Whole
from anonymizer_gui.engine.privacy.k_map import KMap
from anonymizer_gui.engine.progress import SILENT
from tests.engine.algorithms.encoded_tables import encoded_table, people_in_cells, with_population

TREE = Hierarchy.from_nested({"*": {"left": ["a", "b", "c"], "right": ["d", "e", "f"]}})


@pytest.mark.parametrize("algorithm", [Mondrian(), Mondrian(mode="relaxed"), BestLoss(), Clustering()], ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_every_published_cell_holds_enough_people(algorithm: Algorithm, seed: int) -> None:
    random = np.random.default_rng(seed)
    encoded = encoded_table(random.integers(0, 6, (40, 3)), [TREE, TREE, TREE])
    encoded = with_population(encoded, random.integers(0, 6, (120, 3)).astype(np.int32))
    goals = Goals((KMap(8),), Whole(encoded.n_rows, {}, 120))
    recoding = algorithm.run(encoded, goals, Limits(), SILENT)
    assert recoding.n_classes > 1
    assert min(people_in_cells(encoded, recoding)) >= 8
