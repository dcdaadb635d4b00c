"""Goals about a population hold for the cells that are published, whatever partition they came from."""

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import BestLoss
from anonymizer_gui.engine.rooms.microdata.algorithms.clustering import Clustering
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Algorithm, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet, PrivacyModel, WholeTable
from anonymizer_gui.engine.rooms.microdata.models.presence import DeltaPresence, KMap
from tests.engine.rooms.microdata.algorithms.encoded_tables import encoded_table, people_in_cells, with_population

TREE = Hierarchy.from_nested({"*": {"left": ["a", "b", "c"], "right": ["d", "e", "f"]}})


ALGORITHMS = [Mondrian(), Mondrian(mode="relaxed"), BestLoss(), Clustering(), Clustering("sequential")]
N_PEOPLE = 160


def in_a_population(seed: int, n_leaves: int = 6) -> EncodedTable:
    """Draw forty rows of some leaves, and a hundred and sixty people of whom they are a part."""
    random = np.random.default_rng(seed)
    rows = random.integers(0, n_leaves, (40, 3))
    others = random.integers(0, 6, (N_PEOPLE - 40, 3))
    return with_population(encoded_table(rows, [TREE, TREE, TREE]), np.concatenate([rows, others]).astype(np.int32))


def goals_of(encoded: EncodedTable, model: PrivacyModel) -> GoalSet:
    return GoalSet((model,), WholeTable(encoded.n_rows))


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_every_published_cell_holds_enough_people(algorithm: Algorithm, seed: int) -> None:
    encoded = in_a_population(seed)
    recoding = algorithm.run(encoded, goals_of(encoded, KMap(8)), SearchLimits(), SILENT)
    assert recoding.n_classes > 1
    assert min(people_in_cells(encoded, recoding)) >= 8


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)
@pytest.mark.parametrize("model", [DeltaPresence(0.4), DeltaPresence(0.6, 0.1)], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_the_share_of_people_in_the_table_lies_between_the_bounds_in_every_cell(
    algorithm: Algorithm, model: DeltaPresence, seed: int
) -> None:
    encoded = in_a_population(seed)
    recoding = algorithm.run(encoded, goals_of(encoded, model), SearchLimits(), SILENT)
    cells = [tuple(cell) for cell in np.concatenate([recoding.low, recoding.high], axis=1).tolist()]
    assert len(set(cells)) == len(cells) > 1
    share = np.bincount(recoding.class_of_row) / people_in_cells(encoded, recoding)
    assert model.delta_min <= share.min() <= share.max() <= model.delta_max


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)
def test_with_a_least_share_everybody_of_the_population_lies_in_some_cell(algorithm: Algorithm) -> None:
    encoded = in_a_population(0, n_leaves=3)
    recoding = algorithm.run(encoded, goals_of(encoded, DeltaPresence(1.0, 0.01)), SearchLimits(), SILENT)
    people = encoded.tuples[:, None]
    inside = ((recoding.low <= people) & (people <= recoding.high)).all(axis=2)
    assert inside.any(axis=1).all()


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)
def test_a_class_that_nothing_can_be_merged_with_takes_in_people_without_a_row(algorithm: Algorithm) -> None:
    encoded = in_a_population(0, n_leaves=1)
    recoding = algorithm.run(encoded, goals_of(encoded, KMap(100)), SearchLimits(), SILENT)
    assert people_in_cells(encoded, recoding) == [N_PEOPLE]


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)
def test_more_people_than_there_are_cannot_be_asked_for(algorithm: Algorithm) -> None:
    encoded = in_a_population(0)
    with pytest.raises(Infeasible, match="k-map"):
        algorithm.run(encoded, goals_of(encoded, KMap(N_PEOPLE + 1)), SearchLimits(), SILENT)
