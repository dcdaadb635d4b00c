"""Several k beside each other: what they change, and who is still found."""

from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.rooms.graphs.project import GRAPH, Project
from anonymizer_gui.engine.rooms.graphs.run import default_ks, sweep_k

TIES = [[0, other] for other in range(1, 9)] + [[at, at + 1] for at in range(1, 14)] + [[2, 9], [3, 11]]
VILLAGE = Graph.of([f"p{number}" for number in range(15)], TIES)


def test_a_larger_k_changes_more_and_every_way_is_tried() -> None:
    found = sweep_k(Project(), {GRAPH: VILLAGE}, (1, 3, 5))
    assert {each.way for each in found} == {"add", "add-delete"}
    added = [each.changed for each in found if each.way == "add"]
    assert added[0] == 0 < added[1] <= added[2]
    assert all(0 <= each.found <= 1 for each in found)


def test_what_cannot_be_reached_is_left_out() -> None:
    assert sweep_k(Project(), {GRAPH: VILLAGE}, (16,)) == []


def test_ties_with_a_direction_are_added_and_deleted_too() -> None:
    directed = Graph.of(VILLAGE.names, VILLAGE.edges, is_directed=True)
    assert {each.way for each in sweep_k(Project(), {GRAPH: directed}, (2,))} == {"add", "add-delete"}


def test_only_what_leaves_several_sets_is_tried() -> None:
    assert default_ks(15) == (2, 3, 5)
    assert default_ks(2) == ()
