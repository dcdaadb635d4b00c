"""AA, AA-R, deletion alone, replay of rules."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS, MINIMALITY, refuse_whole_baskets
from anonymizer_gui.engine.sets.apriori import (
    HierarchyCut,
    anonymise_without_root,
    budget_exceeded,
    delete_occurrences,
    occurrence_weights,
    transactions_at_cut,
)
from anonymizer_gui.engine.sets.encoding import EncodedTransactions, ItemRecoding, ItemsetDemands, recode_items


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class AprioriAnonymisation:
    """Raises the cut through the tree where sets of items are too rare; nothing is ever deleted."""

    name: ClassVar[str] = "aa"
    title: ClassVar[str] = "Groups only (AA)"
    summary: ClassVar[str] = "Replaces rare items by groups, by the root of the tree if nothing else helps."
    reference: ClassVar[str] = (
        "Terrovitis, Mamoulis and Kalnis, Privacy-preserving anonymization of set-valued data, VLDB 2008"
    )
    attacks: ClassVar[str] = MINIMALITY

    def run(self, data: EncodedTransactions, wanted: ItemsetDemands, progress: Progress) -> ItemRecoding:
        """Find the cut; raises Infeasible when not even the root holds what is wanted."""
        refuse_whole_baskets(wanted)
        cutting = HierarchyCut(data, wanted, root_allowed=True)
        if not cutting.run(progress):
            raise Infeasible(
                "Not even the root of the tree would do: there are too few baskets, or too many are sensitive.",
                "Take a smaller k or l, or delete items instead.",
                goal="km",
            )
        to_root = np.count_nonzero(cutting.cut[data.leaves] == 0)
        share = to_root / max(len(data.leaves), 1)
        notes = (_root_note(share),) if to_root else ()
        return ItemRecoding(cutting.cut[data.leaves], cutting.cut, notes)


def _root_note(share: float) -> str:
    return message(
        "{share:.1%} of all items are published as the root of the tree, which says nothing; "
        "deleting a few rare items would keep many others.",
        share=share,
    )


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class AprioriWithoutRoot:
    """Raises the cut, never to the root, then takes back as many steps as the budget of deletions allows."""

    name: ClassVar[str] = "aa-r"
    title: ClassVar[str] = "Groups and a few deletions (AA-R)"
    summary: ClassVar[str] = "Replaces rare items by groups and deletes the few that would make every group too coarse."
    reference: ClassVar[str] = (
        "after Terrovitis, Mamoulis and Kalnis, VLDB 2008; root forbidden, deletions within a budget"
    )
    attacks: ClassVar[str] = MINIMALITY

    delete: float = param(
        Float(low=0, high=1),
        default=0.01,
        label="Deletions",
        help="Share of all items that may be deleted, so that the others stay finer.",
        series=(0.0, 0.01, 0.02, 0.05, 0.1),
    )

    def run(self, data: EncodedTransactions, wanted: ItemsetDemands, progress: Progress) -> ItemRecoding:
        """Find the shortest way up whose deletions are within the budget; raises Infeasible when none is."""
        refuse_whole_baskets(wanted)
        found = anonymise_without_root(data, wanted, self.delete, progress)
        if found.recoding is None:
            raise budget_exceeded(found.needed, self.delete)
        note = message(
            "The cut rose in {steps:step|steps}; {undone:,} of them could be taken back by deleting.",
            steps=found.steps,
            undone=found.undone,
        )
        return ItemRecoding(found.recoding.became, found.recoding.cut, (note,))


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Deletion:
    """Takes the items out of baskets that make somebody stand out; no item is ever replaced by a group."""

    name: ClassVar[str] = "delete"
    title: ClassVar[str] = "Deletions only"
    summary: ClassVar[str] = "Takes rare items out of baskets; what stays is exactly what was there."
    reference: ClassVar[str] = "greedy deletion, each time of the item that is in most rare sets"
    attacks: ClassVar[str] = MINIMALITY

    most: float = param(
        Float(low=0, high=1),
        default=1.0,
        label="Deletions at most",
        help="Share of all items that may be deleted; more is refused.",
    )

    def run(self, data: EncodedTransactions, wanted: ItemsetDemands, progress: Progress) -> ItemRecoding:
        """Delete until everything holds; raises Infeasible when that is more than is allowed."""
        refuse_whole_baskets(wanted)
        cut = data.tree.leaves
        held = transactions_at_cut(data, cut)
        whole = len(data.leaves)
        found = delete_occurrences(
            held, occurrence_weights(held, data, cut[data.leaves]), wanted, data, whole, progress
        )
        kept, deleted = found if found is not None else (held.values < 0, whole)
        if deleted > int(self.most * whole):
            raise budget_exceeded(deleted / max(whole, 1), self.most)
        return recode_items(data, cut, held, kept)


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class RuleReplay:
    """Publishes the groups directly under the root of the tree; with a file of rules, that tree is made of them."""

    name: ClassVar[str] = "replay"
    title: ClassVar[str] = "The rules of an earlier release"
    summary: ClassVar[str] = "Publishes every item as before, so that months can be compared; deletes what is too rare."
    reference: ClassVar[str] = "rules of a release made before, checked anew"
    attacks: ClassVar[str] = MINIMALITY

    delete: float = param(
        Float(low=0, high=1), default=0.05, label="Deletions", help="Share of all items that may be deleted."
    )

    def run(self, data: EncodedTransactions, wanted: ItemsetDemands, progress: Progress) -> ItemRecoding:
        """Apply the rules; raises Infeasible when more must be deleted than is allowed."""
        refuse_whole_baskets(wanted)
        cut = data.tree.ancestors[min(1, data.tree.height)].astype(np.int32)
        held = transactions_at_cut(data, cut)
        whole = len(data.leaves)
        found = delete_occurrences(
            held, occurrence_weights(held, data, cut[data.leaves]), wanted, data, whole, progress
        )
        kept, deleted = found if found is not None else (held.values < 0, whole)
        if deleted > int(self.delete * whole):
            raise budget_exceeded(deleted / max(whole, 1), self.delete)
        return recode_items(data, cut, held, kept)
