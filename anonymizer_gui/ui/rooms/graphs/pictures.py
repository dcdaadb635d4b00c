"""Pictures of graphs, made on the worker: a small graph as a whole, of a large one who stands out most."""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.graphs.graph import (
    MOST_DRAWN,
    Graph,
    Ints,
    induced_subgraph,
    neighbourhood,
    stress_layout,
)
from anonymizer_gui.engine.rooms.graphs.structural_knowledge import (
    FriendAttack,
    candidate_sets,
    find_friend_attack,
    set_sizes,
)

Places = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """The nodes that are drawn, their places, and how many fit each person under H1, H2 and H3."""

    nodes: Ints
    places: Places
    is_whole: bool
    sets: dict[str, Ints]
    story: FriendAttack | None = None

    def lines(self, pairs: set[tuple[int, int]]) -> list[tuple[int, int]]:
        """Give edges of the graph in the numbers of the drawing, where both ends are drawn."""
        number = {node: at for at, node in enumerate(self.nodes.tolist())}
        return sorted((number[one], number[other]) for one, other in pairs if one in number and other in number)


def picture_of(graph: Graph, progress: Progress) -> Picture:
    """Draw the whole graph, or of a large one the neighbours of the person whose ties fewest share."""
    sets = candidate_sets(graph, progress.sub(0.0, 0.4))
    is_whole = graph.n_nodes <= MOST_DRAWN
    nodes = np.arange(graph.n_nodes) if is_whole else neighbourhood(graph, worst(graph, sets))
    at = stress_layout(induced_subgraph(graph, nodes), progress.sub(0.4, 1.0))
    story = find_friend_attack(graph, sets["h1"])
    return Picture(nodes, tuple((float(x), float(y)) for x, y in at), is_whole, sets, story)


def worst(graph: Graph, sets: dict[str, Ints]) -> int:
    """Give the person whose number of ties fewest share; among those, who has most ties."""
    return int(np.lexsort((-graph.degrees, set_sizes(sets["h1"])))[0])
