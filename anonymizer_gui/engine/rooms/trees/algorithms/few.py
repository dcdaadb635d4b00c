"""k^(m,n)-anonymity: whoever knows m labels and n relations of somebody still finds k records."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.trees.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.trees.disassociating import Apart
from anonymizer_gui.engine.rooms.trees.labelling import Labels, labels_of
from anonymizer_gui.engine.rooms.trees.outcome import Outcome, lost_in_all
from anonymizer_gui.engine.rooms.trees.placing import Placed
from anonymizer_gui.engine.rooms.trees.promises import few_labels, values_left_open
from anonymizer_gui.engine.rooms.trees.telling import withheld_of
from anonymizer_gui.engine.sets.apriori import HierarchyCut, anonymise_without_root
from anonymizer_gui.engine.sets.encoding import DELETED, ItemRecoding, ItemsetDemands

_LARGER = (1.0, 1.5, 2.0, 3.0)
"""So many times k is tried where sensitive labels would be withheld; what loses least in all is taken."""


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Few:
    """Labels become groups until any m of them are shared by k records; relations that still betray are cut."""

    name: ClassVar[str] = "few"
    title: ClassVar[str] = "A few labels (k^(m,n)-anonymity)"
    summary: ClassVar[str] = (
        "Rare labels become groups, and where one stands below another betrays somebody, the two are taken apart."
    )
    reference: ClassVar[str] = (
        "after Gkountouna and Terrovitis, Anonymizing collections of tree-structured data, TKDE 2015"
    )
    attacks: ClassVar[str] = (
        "Whoever knows the method knows that a detached vertex stood below another one of its record in a way that "
        "fewer than k shared; below which one is not told. Where l is above 1, a sensitive label that is not there may "
        "have been withheld: all who fit some pattern had fewer than l values, which ones is not told."
    )
    intervals: ClassVar[bool] = False
    expects_patterns: ClassVar[bool] = True

    k: int = param(
        Int(low=1), default=5, label="k", help="Fewest records that fit what is known.", series=(2, 5, 10, 25)
    )
    m: int = param(
        Int(low=1, high=3), default=2, label="m", help="Most labels that somebody may know.", series=(1, 2, 3)
    )
    n: int = param(
        Int(low=0, high=2), default=1, label="n", series=(0, 1, 2),
        help="Most relations between these labels that somebody may know: one stands in the same vertex, or above.",
    )  # fmt: skip
    l: int = param(  # noqa: E741 - what everybody calls it
        Int(low=1, high=5), default=1, label="l", series=(1, 2, 3),
        help="Fewest sensitive values that those who fit what is known leave open, at every path; where there are "
        "fewer, the path is withheld from all of them.",
    )  # fmt: skip
    delete: float = param(
        Float(low=0, high=1), default=0.01, label="Deletions", series=(0.0, 0.01, 0.02, 0.05),
        help="Share of all labels that may be deleted, so that the others stay finer.",
    )  # fmt: skip

    def promised(self, *, has_sensitive: bool) -> tuple[Promise, ...]:
        """Promise enough records, and values that differ among them where some are sensitive."""
        open_values = [values_left_open(self.l, self.m, self.n)] if self.l > 1 and has_sensitive else []
        return (few_labels(self.k, self.m, self.n), *open_values)

    def run(self, held: Placed, progress: Progress) -> Outcome:
        """Make labels coarser, cut relations, withhold what patterns would tell; raises Infeasible."""
        if self.n >= self.m:
            raise BadParameter("n relations need more than n labels.", "Choose n below m.")
        progress(0.0, "Placing the labels")
        labels = labels_of(held)
        if self.l == 1:
            return self._made(labels, self.k, progress.sub(0.05, 1.0))
        return self._least_withheld(labels, progress.sub(0.05, 1.0))

    def _least_withheld(self, labels: Labels, progress: Progress) -> Outcome:
        """Try larger k, too, while sensitive labels are withheld: more records fit then, and differ more."""
        made: list[tuple[float, Outcome]] = []
        for at, times in enumerate(_LARGER):
            k = math.ceil(times * self.k)
            try:
                outcome = self._made(labels, k, progress.sub(at / len(_LARGER), (at + 1) / len(_LARGER)))
            except Infeasible:
                if not made:
                    raise
                break
            if made:
                outcome = replace(outcome, notes=(_said(k), *outcome.notes))
            made.append((lost_in_all(labels.held, outcome), outcome))
            if not any(outcome.withheld):
                break
        return min(made, key=lambda each: each[0])[1]

    def _made(self, labels: Labels, k: int, progress: Progress) -> Outcome:
        wanted = ItemsetDemands(k=k, m=self.m)
        recoding = self._coarser(labels, wanted, progress.sub(0.0, 0.6))
        return self._apart(labels, recoding, wanted, progress.sub(0.6, 1.0))

    def _coarser(self, labels: Labels, wanted: ItemsetDemands, progress: Progress) -> ItemRecoding:
        """Make labels coarser without deletions and with them; the way that loses less is taken."""
        tried = [anonymise_without_root(labels.data, wanted, share, progress) for share in sorted({0.0, self.delete})]
        found = [each.recoding for each in tried if each.recoding is not None]
        if found:
            return min(found, key=lambda recoding: recoding.loss(labels.data))
        raise Infeasible(
            message(
                "{share:.2%} of all labels would have to be deleted; the budget is {budget:.2%}.",
                share=tried[-1].needed,
                budget=self.delete,
            ),
            "Allow more deletions, other hierarchies, a smaller k or m.",
            goal="few",
        )

    def _apart(self, labels: Labels, recoding: ItemRecoding, wanted: ItemsetDemands, progress: Progress) -> Outcome:
        held = labels.held
        cutting = HierarchyCut(labels.data, wanted, root_allowed=False)
        if recoding.cut is not None:
            cutting.start_at(recoding.cut)
        known = labels.known(recoding.became.astype(np.int64))
        apart = Apart(known, labels.data, wanted, self.n, cutting)
        if self.n:
            apart.run(progress)
        became = np.where(recoding.became == DELETED, DELETED, cutting.cut[labels.data.leaves])
        codes = labels.codes(became)
        split = tuple((int(labels.vertex[at]), int(labels.leaf[at])) for at in sorted(apart.split))
        classes = np.zeros(len(held.trees), dtype=np.int64)
        outcome = Outcome(held.kept.copy(), codes, classes, frozenset(apart.detached), split)
        withheld = withheld_of(held, apart.known, self.l, self.m, self.n, progress) if self.l > 1 else ()
        notes = _notes(int(np.count_nonzero(became == DELETED)), held, withheld)
        return replace(outcome, withheld=withheld, notes=notes)


def _said(k: int) -> str:
    return message("Made with k = {k}: fewer sensitive labels are withheld where more records fit.", k=k)


def _notes(deleted: int, held: Placed, withheld: tuple[frozenset[int], ...]) -> tuple[str, ...]:
    notes = [message("{deleted:label was|labels were} deleted.", deleted=deleted)] if deleted else []
    for leaf, some in zip(held.sensitive, withheld, strict=False):
        if some:
            share = len(some) / len(leaf.holders)
            notes.append(
                message(
                    "{share:.1%} of the labels of “{path}” were withheld, for patterns that would tell them.",
                    share=share,
                    path=leaf.path,
                )
            )
    return tuple(notes)
