"""The help of the room: a page made of what its algorithms say of themselves."""

from typing import Any

from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS
from anonymizer_gui.ui.help_pages import GeneratedPages, generated_page
from anonymizer_gui.ui.i18n import tr

ORDER = ("graphs/graph", "graphs/attack", "graphs/protect", "graphs/algorithms", "graphs/result", "release")


def algorithms_page() -> str:
    """Describe every algorithm."""
    intro = tr("How a graph is changed until nobody is found by the ties around them.")
    kinds: list[Any] = list(ALGORITHMS)
    return generated_page(tr("Algorithms for graphs"), intro, kinds)


COMPOSED: GeneratedPages = {"graphs/algorithms": (lambda: tr("Algorithms for graphs"), algorithms_page)}
