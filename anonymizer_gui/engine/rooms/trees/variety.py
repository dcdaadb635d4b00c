"""Whether vertices that cannot be told apart differ enough in what is sensitive."""

from collections.abc import Sequence

from anonymizer_gui.engine.data.tables.table import MISSING
from anonymizer_gui.engine.rooms.trees.placing import Placed


class Variety:
    """Knows the sensitive labels of every vertex; a missing one is no value."""

    def __init__(self, held: Placed, least: int) -> None:
        self._least = least
        self._values: dict[int, dict[int, str]] = {}
        self._leaves: dict[int, list[int]] = {}
        self._branch_of = held.trees.branch_of
        for number, leaf in enumerate(held.sensitive if least > 1 else ()):
            texts = leaf.column.texts().tolist()
            self._values[number] = {
                vertex: text for vertex, text in zip(leaf.holders.tolist(), texts, strict=True) if text != MISSING
            }
            self._leaves.setdefault(leaf.branch, []).append(number)

    def holds_at(self, vertices: Sequence[int]) -> bool:
        """Tell whether every sensitive path has enough values at a place, or none at all."""
        for leaf in self._leaves.get(int(self._branch_of[vertices[0]]), ()):
            held = self._values[leaf]
            found = {held[vertex] for vertex in vertices if vertex in held}
            if 0 < len(found) < self._least:
                return False
        return True
