"""What an algorithm brings out: what became of every vertex and of every quasi-identifying label."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.trees.trees import Ints
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.trees.encoding import ABSENT, EncodedRecords, Flags, PathRole

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.trees.project import Project


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


def loss_by_path(held: EncodedRecords, outcome: Outcome) -> dict[str, float]:
    """Give the LM of every path: the mean over the labels of the source, where one that is gone costs 1."""
    found = {}
    for number, (leaf, domain) in enumerate(zip(held.known, held.domains, strict=True)):
        codes = outcome.codes[number][leaf.holders]
        gone = (codes == ABSENT) | ~outcome.kept[leaf.holders]
        loss = np.where(gone, 1.0, np.asarray(domain.loss)[np.where(gone, 0, codes)])
        found[leaf.path] = float(loss.mean()) if len(loss) else 0.0
    return found


def withheld_shares(held: EncodedRecords, outcome: Outcome) -> dict[str, float]:
    """Give the share of the labels of every sensitive path that do not leave: withheld, or suppressed with a vertex."""
    nothing = frozenset[int]()
    found = {}
    for number, leaf in enumerate(held.sensitive):
        withheld = outcome.withheld[number] if outcome.withheld else nothing
        gone = ~outcome.kept[leaf.holders]
        gone |= np.isin(leaf.holders, np.array(sorted(withheld), dtype=np.int64))
        found[leaf.path] = float(gone.mean()) if len(gone) else 0.0
    return found


def total_loss(held: EncodedRecords, outcome: Outcome) -> float:
    """Add up what all paths lose: LM of the quasi-identifiers, and the share of sensitive labels that do not leave."""
    return sum(loss_by_path(held, outcome).values()) + sum(withheld_shares(held, outcome).values())


class Algorithm(Protocol):
    """A frozen dataclass of declared parameters, registered in `ALGORITHMS`; it never judges itself."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    reference: ClassVar[str]
    attacks: ClassVar[str]
    """Known attacks on the method, and what they are worth here."""
    intervals: ClassVar[bool]
    """Whether labels without a hierarchy may become any interval or set; otherwise they get a tree."""
    expects_patterns: ClassVar[bool]
    """Whether it protects from who knows a few labels, as `Expecting` says; otherwise from who knows a whole record."""

    @property
    def k(self) -> int:
        """The fewest records that cannot be told apart."""

    def promised(self, *, has_sensitive: bool) -> tuple[Promise, ...]:
        """Give what it promises, before anybody counted; some of it may be about sensitive paths."""

    def run(self, held: EncodedRecords, progress: Progress) -> Outcome:
        """Make the records hold what is wanted; raises Infeasible when that cannot be."""


@runtime_checkable
class KnowledgeBounded(Protocol):
    """A way that says how much an attacker knows."""

    @property
    def m(self) -> int:
        """The most labels."""

    @property
    def n(self) -> int:
        """The most relations between them."""


ALGORITHMS: Registry[Algorithm] = Registry("algorithm", __package__)

DIVERSITY = "l"

LEFT_OPEN = "few_l"


def unmeasured_promise(project: "Project") -> tuple[Promise, ...]:
    """Give what is promised before anybody counted: nothing holds yet."""
    return project.algorithm.promised(has_sensitive=bool(project.of_role(PathRole.SENSITIVE)))


def promise_k_anonymity(k: int) -> Promise:
    """Promise records that are alike in all that is known of them."""
    return Promise(
        "full",
        "k-anonymity of the whole structure",
        message("every record is alike in structure and quasi-identifiers to at least {k} in all", k=k),
        False,
        0,
        {"k": k},
        "Finding somebody's record by anything that is known of it: labels, how they hang together, and how many.",
        "What the sensitive values of alike records have in common, and public labels, which leave as they are.",
        "|class(r)| ≥ k for every record r",
        "Ozalp, Gursoy, Nergiz and Saygin, TOPS 2016",
    )


def promise_l_diversity(l: int) -> Promise:  # noqa: E741 - what everybody calls it
    """Promise sensitive values that differ, vertex by vertex."""
    return Promise(
        DIVERSITY,
        "l-diversity at every vertex",
        message("every vertex of a class has at least {l} sensitive values", l=l),
        False,
        0,
        {"l": l},
        "Learning a sensitive value because all alike records have the same at that place.",
        "Values that differ but mean the same, and what is known of a person besides.",
        "|values(v)| ≥ l for every kept vertex v",
        "Ozalp, Gursoy, Nergiz and Saygin, TOPS 2016",
    )


def promise_kmn_anonymity(k: int, m: int, n: int) -> Promise:
    """Promise records enough for whoever knows a few labels."""
    return Promise(
        "few",
        "k^(m,n)-anonymity",
        message(
            "whoever knows up to {m:label|labels} and {n:relation|relations} of somebody finds at least "
            "{k:record|records}",
            m=m,
            n=n,
            k=k,
        ),
        False,
        0,
        {"k": k, "m": m, "n": n},
        "Finding somebody's record by a few things known to be in it, and which of them belong together.",
        "Knowing more labels or relations, knowing that something is not there, and knowing how often something is "
        "there: how many children a record has is not hidden.",
        "support(P) = 0 or support(P) ≥ k for every pattern P of at most m labels and n relations",
        "Gkountouna and Terrovitis, TKDE 2015",
    )


def promise_kmn_diversity(l: int, m: int, n: int) -> Promise:  # noqa: E741 - what everybody calls it
    """Promise sensitive values that differ among them."""
    return Promise(
        LEFT_OPEN,
        "l-diversity of every pattern",
        message(
            "of whoever fits up to {m:label|labels} and {n:relation|relations}, no statement that names fewer than {l} "
            "values of a sensitive path is true of all",
            m=m,
            n=n,
            l=l,
        ),
        False,
        0,
        {"l": l, "m": m, "n": n},
        "Learning a sensitive value because all who fit what is known have it: somewhere in the record, or in line "
        "with a label that is known.",
        "Values that most but not all have, values that differ but mean the same, and knowing more labels or "
        "relations.",
        "|V| ≥ l for every pattern P and every V such that each record that fits P has a value in V",
        "Xu, Wang, Fu and Yu, KDD 2008; Gkountouna and Terrovitis, TKDE 2015",
    )
