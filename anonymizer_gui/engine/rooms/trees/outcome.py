"""What an algorithm brings out: what became of every vertex and of every quasi-identifying label."""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.data.trees.trees import Ints
from anonymizer_gui.engine.rooms.trees.domains import ABSENT
from anonymizer_gui.engine.rooms.trees.placing import Flags, Placed


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """Which vertices are kept, the code of every label (by vertex), and what was taken apart."""

    kept: Flags
    codes: tuple[Ints, ...]
    """For each quasi-identifier the published code of each vertex, -1 where it has none."""
    classes: Ints
    """The class of each record, -1 for one that does not leave; all the same where records are no classes."""
    detached: frozenset[int] = frozenset()
    """Vertices that hang on the record itself instead of their parent."""
    split: tuple[tuple[int, int], ...] = ()
    """Vertices that gave up a label (its number among the quasi-identifiers), which hangs on the record now."""
    withheld: tuple[frozenset[int], ...] = ()
    """For each sensitive path the vertices that do not tell theirs; nothing where all do."""
    notes: tuple[str, ...] = ()

    @property
    def relations(self) -> int:
        """How many relations were cut."""
        return len(self.detached) + len(self.split)


def losses(held: Placed, outcome: Outcome) -> dict[str, float]:
    """Give the LM of every path: the mean over the labels of the source, where one that is gone costs 1."""
    found = {}
    for number, (leaf, domain) in enumerate(zip(held.known, held.domains, strict=True)):
        codes = outcome.codes[number][leaf.holders]
        gone = (codes == ABSENT) | ~outcome.kept[leaf.holders]
        loss = np.where(gone, 1.0, np.asarray(domain.loss)[np.where(gone, 0, codes)])
        found[leaf.path] = float(loss.mean()) if len(loss) else 0.0
    return found


def gone_shares(held: Placed, outcome: Outcome) -> dict[str, float]:
    """Give the share of the labels of every sensitive path that do not leave: withheld, or suppressed with a vertex."""
    nothing = frozenset[int]()
    found = {}
    for number, leaf in enumerate(held.sensitive):
        withheld = outcome.withheld[number] if outcome.withheld else nothing
        gone = ~outcome.kept[leaf.holders]
        gone |= np.isin(leaf.holders, np.array(sorted(withheld), dtype=np.int64))
        found[leaf.path] = float(gone.mean()) if len(gone) else 0.0
    return found


def lost_in_all(held: Placed, outcome: Outcome) -> float:
    """Add up what all paths lose: LM of the quasi-identifiers, and the share of sensitive labels that do not leave."""
    return sum(losses(held, outcome).values()) + sum(gone_shares(held, outcome).values())
