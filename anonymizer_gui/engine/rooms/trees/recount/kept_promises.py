"""Whether a released file holds what was promised: the promise as its certificate tells it, the file as it is."""

from collections.abc import Mapping, Sequence
from typing import Any

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.trees.recount.counting import fewest_values, smallest_class, smallest_support
from anonymizer_gui.engine.rooms.trees.recount.reading import Node
from anonymizer_gui.engine.rooms.trees.recount.telling import fewest_left_open


def judged(
    records: Sequence[Node],
    told: Mapping[str, Any],
    name: str,
    parameters: Mapping[str, Any],
    progress: Progress = SILENT,
) -> tuple[int, bool]:
    """Give the figure of a promise, and whether it holds; raises ValueError for a promise nobody knows."""
    known = frozenset(told["known"])
    if name == "full":
        smallest = smallest_class(records, known, progress)
        return smallest, smallest >= parameters["k"]
    if name == "l":
        fewest = fewest_values(records, known, frozenset(told["sensitive"]), progress)
        return fewest or 0, fewest is None or fewest >= parameters["l"]
    if name == "few":
        support = smallest_support(records, told, parameters["m"], parameters["n"], progress)
        return support, support == 0 or support >= parameters["k"]
    if name == "few_l":
        least, m, n = (parameters[each] for each in ("l", "m", "n"))
        fewest = fewest_left_open(records, told, least, m, n, progress)
        return fewest or 0, fewest is None or fewest >= parameters["l"]
    raise ValueError(name)
