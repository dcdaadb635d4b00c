"""Pictures of graphs, made on the worker: a small graph as a whole, of a large one who stands out most."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

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
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.graphs.run import SweepResult
from anonymizer_gui.engine.rooms.graphs.structural_knowledge import (
    FriendAttack,
    candidate_sets,
    find_friend_attack,
    set_sizes,
)
from anonymizer_gui.ui.charts.plots import LinePlot
from anonymizer_gui.ui.i18n import tr

NodePositions = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class GraphLayout:
    """The nodes that are drawn, their places, and how many fit each person under H1, H2 and H3."""

    nodes: Ints
    places: NodePositions
    is_whole: bool
    sets: dict[str, Ints]
    story: FriendAttack | None = None

    def lines(self, pairs: set[tuple[int, int]]) -> list[tuple[int, int]]:
        """Give edges of the graph in the numbers of the drawing, where both ends are drawn."""
        number = {node: at for at, node in enumerate(self.nodes.tolist())}
        return sorted((number[one], number[other]) for one, other in pairs if one in number and other in number)


def layout_graph(graph: Graph, progress: Progress) -> GraphLayout:
    """Draw the whole graph, or of a large one the neighbours of the person whose ties fewest share."""
    sets = candidate_sets(graph, progress.sub(0.0, 0.4))
    is_whole = graph.n_nodes <= MOST_DRAWN
    nodes = np.arange(graph.n_nodes) if is_whole else neighbourhood(graph, most_exposed_node(graph, sets))
    at = stress_layout(induced_subgraph(graph, nodes), progress.sub(0.4, 1.0))
    story = find_friend_attack(graph, sets["h1"])
    return GraphLayout(nodes, tuple((float(x), float(y)) for x, y in at), is_whole, sets, story)


def most_exposed_node(graph: Graph, sets: dict[str, Ints]) -> int:
    """Give the person whose number of ties fewest share; among those, who has most ties."""
    return int(np.lexsort((-graph.degrees, set_sizes(sets["h1"])))[0])


Edge = tuple[int, int]

_NAMED = 40

_MANY_LINES = 400

_STYLES = {"kept": "solid", "added": (0, (4, 2)), "removed": (0, (1, 2))}


@dataclass(frozen=True, slots=True)
class GraphPlot:
    """Nodes at their places with their ties; who is lit stands out, added ties are dashed, removed ones dotted."""

    title: str
    places: Sequence[tuple[float, float]]
    words: Sequence[str]
    kept: Sequence[Edge]
    added: Sequence[Edge] = ()
    removed: Sequence[Edge] = ()
    lit: frozenset[int] = frozenset()
    shades: Sequence[int] = field(default_factory=tuple)
    """A colour for each node where sets are to be told apart; nothing leaves them all alike."""

    def draw(self, axes: Any, colors: Any) -> list[tuple[Any, str, int]]:
        """Draw ties below nodes; a node says who it is when it is pointed at."""
        from matplotlib.collections import LineCollection

        ink = {"kept": colors["muted"], "added": colors["series_1"], "removed": colors["bad"]}
        for name, lines in (("kept", self.kept), ("added", self.added), ("removed", self.removed)):
            ends = [(self.places[one], self.places[other]) for one, other in lines]
            wide = 0.8 if name == "kept" else 1.8
            faint = 0.35 if name == "kept" and len(lines) > _MANY_LINES else 1.0  # a thicket would hide all else
            style = {"colors": ink[name], "linewidths": wide, "linestyles": [_STYLES[name]], "alpha": faint}
            axes.add_collection(LineCollection(ends, zorder=1, **style))
            if lines and name != "kept":
                axes.plot(
                    [], [], color=ink[name], linestyle=_STYLES[name], linewidth=wide, label=_word(name, len(lines))
                )
        size = 260 if len(self.places) <= _NAMED else max(20, 2600 // max(len(self.places), 1))
        shades = [colors["bad"] if node in self.lit else colors[self._series(node)] for node in range(len(self.places))]
        sizes = [size * grown * (1.5 if node in self.lit else 1) for node, grown in enumerate(self._grown())]
        if self.places:
            axes.scatter(*zip(*self.places, strict=True), s=sizes, color=shades, edgecolors=colors["base"], zorder=2)
        for node, (x, y) in enumerate(self.places if len(self.places) <= _NAMED else ()):
            axes.text(x, y, _first(self.words[node])[:3], ha="center", va="center", fontsize=7,
                      color=colors["accent_text"], zorder=3)  # fmt: skip
        axes.set_axis_off()
        axes.margins(0.06)
        if self.added or self.removed:
            axes.legend(frameon=False, labelcolor=colors["text"], loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)
        return [(_Dot(axes, place, size), self.words[node], node) for node, place in enumerate(self.places)]

    def _grown(self) -> list[float]:
        """Let a node be larger the more ties it has."""
        ties = Counter(end for line in (*self.kept, *self.added) for end in line)
        most = max(ties.values(), default=1)
        return [0.8 + 1.2 * ties[node] / most for node in range(len(self.places))]

    def _series(self, node: int) -> str:
        return f"series_{self.shades[node] % 6 + 1}" if self.shades else "series_1"

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give the ties, with what became of them."""
        rows = [
            [_first(self.words[one]), _first(self.words[other]), _word(name, 1)]
            for name, lines in (("kept", self.kept), ("added", self.added), ("removed", self.removed))
            for one, other in lines
        ]
        return [tr("From"), tr("To"), tr("Tie")], rows


@dataclass(frozen=True, slots=True)
class _Dot:
    """Where a node is in the picture: all nodes are drawn at once, each answers to the pointer by itself."""

    axes: Any
    place: tuple[float, float]
    area: float

    def get_window_extent(self) -> Any:
        """Give the box of the dot, as matplotlib's own things do."""
        from matplotlib.transforms import Bbox

        x, y = self.axes.transData.transform(self.place)
        reach = self.area**0.5 / 2 * self.axes.figure.dpi / 72
        return Bbox([[x - reach, y - reach], [x + reach, y + reach]])


def _first(words: str) -> str:
    return words.partition("\n")[0]


def _word(name: str, count: int) -> str:
    if name == "kept":
        return tr("kept")
    if name == "added":
        return tr("{count} added", count=count)
    return tr("{count} removed", count=count)


def k_comparison_plots(found: Sequence[SweepResult]) -> tuple[LinePlot, LinePlot]:
    """Draw over k what each way changes, and who is still found by the ties of neighbours."""
    ways = list(dict.fromkeys(each.way for each in found))
    shared = [k for k in sorted({each.k for each in found}) if all(_at(found, way, k) for way in ways)]
    reached = {
        tr(ALGORITHMS.get(way).title): [each for k in shared if (each := _at(found, way, k)) is not None]
        for way in ways
    }
    changed = {title: [100 * each.changed for each in row] for title, row in reached.items()}
    seen = {title: [100 * each.found for each in row] for title, row in reached.items()}
    return (
        LinePlot(tr("Ties that each k changes, in percent"), shared, changed, "k", "%"),
        LinePlot(tr("People still found by their neighbours' ties, in percent"), shared, seen, "k", "%"),
    )


def _at(found: Sequence[SweepResult], way: str, k: int) -> SweepResult | None:
    return next((each for each in found if (each.way, each.k) == (way, k)), None)
