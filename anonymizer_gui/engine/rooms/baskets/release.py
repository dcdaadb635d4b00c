"""The release, its numbers, and its recoding rules to be replayed."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.data.tables.normalisation import normalise_text
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.baskets.project import Project
from anonymizer_gui.engine.sets.encoding import EncodedTransactions, ItemRecoding
from anonymizer_gui.engine.storage.safe_open import read_regular
from anonymizer_gui.engine.storage.saving import write_text


@dataclass(frozen=True, slots=True)
class Measurement:
    """The numbers of a release: what is known of it from the recount, and what was lost.

    `exposed` are baskets that hold a set of up to m items which fewer than k hold, `unique` those which nobody else
    holds; both before and after.
    """

    baskets: int
    items: int
    occurrences: int
    k: int
    m: int
    ncp: float
    values_left: int
    deleted: int
    smallest_support: int
    smallest_group: int
    exposed_before: int
    exposed_after: int
    unique_before: int
    unique_after: int

    @property
    def share_deleted(self) -> float:
        """The share of all occurrences that was deleted."""
        return self.deleted / max(self.occurrences, 1)

    def to_json(self) -> dict[str, Json]:
        """Give the numbers."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A finished run; never changed afterwards.

    `published` has the baskets in the order of the data; `recoding` says what became of the occurrences in `data`.
    """

    id: str
    name: str
    project: Project
    published: Baskets
    data: EncodedTransactions
    recoding: ItemRecoding
    measured: Measurement
    promises: tuple[Promise, ...]
    seconds: Mapping[str, float]
    version: str
    created: str

    @property
    def notes(self) -> tuple[str, ...]:
        """What the algorithm has to say about its result."""
        return self.recoding.notes

    def sentence(self) -> str:
        """Say in a few words what was made."""
        return message(
            "{baskets:basket|baskets}, {values:value|values} left of {items:,}, loss {ncp:.1%}",
            baskets=self.measured.baskets,
            values=self.measured.values_left,
            items=self.measured.items,
            ncp=self.measured.ncp,
        )

    def to_json(self) -> dict[str, Json]:
        """Give the numbers of the run as the command line prints them."""
        algorithm = self.project.algorithm
        return {
            **self.measured.to_json(),
            "algorithm": "" if algorithm is None else algorithm.name,
            "parameters": {} if algorithm is None else params_json(algorithm),
            "seconds": dict(self.seconds),
            "seed": self.project.seed,
            "version": self.version,
            "notes": list(self.notes),
        }


HEAD = ["item", "group"]

_LARGEST_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class RecodingRules:
    """The group of every item; a group may be the item itself."""

    groups: Mapping[str, str]


def rules_of(release: Release) -> RecodingRules:
    """Give the rules of a release; raises BadParameter where each group of baskets was treated its own way."""
    cut = release.recoding.cut
    if cut is None:
        raise BadParameter(
            "Local clustering has no rules: the same item leaves in different ways.",
            "Choose a method that treats an item alike everywhere.",
        )
    tree = release.data.tree
    return RecodingRules({label: tree.labels[node] for label, node in zip(tree.leaf_labels, cut.tolist(), strict=True)})


def write_rules(rules: RecodingRules, path: Path) -> None:
    """Write rules as a table of items and groups; raises UnwritableFile. It names items: keep it inside."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    writer.writerows(sorted(rules.groups.items()))
    write_text(path, text.getvalue())


def read_rules(path: Path) -> RecodingRules:
    """Read rules; raises UnreadableFile."""
    try:
        text = read_regular(path, _LARGEST_BYTES).decode("utf-8-sig")
        head, *rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        if head != HEAD or any(len(row) != len(HEAD) for row in rows):
            raise ValueError
    except (ValueError, csv.Error):
        raise UnreadableFile(
            message("“{name}” holds no rules.", name=path.name), "Rules are a CSV file with the columns item and group."
        ) from None
    return RecodingRules({normalise_text(item): normalise_text(group) for item, group in rows})


def tree_from_rules(rules: RecodingRules, items: Sequence[str]) -> Hierarchy:
    """Make the tree that rules stand for: groups under the root, items under groups; new items under the root alone.

    A group of one item that is called like it is the item. Raises BadHierarchy when a group is called like an item.
    """
    groups: dict[str, list[str]] = {}
    for item, group in rules.groups.items():
        groups.setdefault(group, []).append(item)
    new = [item for item in items if item not in rules.groups]
    labels, parents = ["*" if "*" not in rules.groups and "*" not in groups else "(all)"], [-1]
    for group, members in groups.items():
        if members == [group]:
            labels.append(group)
            parents.append(0)
            continue
        at = len(labels)
        labels += [group, *members]
        parents += [0, *([at] * len(members))]
    return Hierarchy([*labels, *new], [*parents, *([0] * len(new))])
