"""Rules: which group each item was published as, kept to do the same again next month."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.normalisation import normalise_text
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.engine.storage.safe_open import read_regular
from anonymizer_gui.engine.storage.saving import write_text

HEAD = ["item", "group"]
_LARGEST_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Rules:
    """The group of every item; a group may be the item itself."""

    groups: Mapping[str, str]


def rules_of(release: Release) -> Rules:
    """Give the rules of a release; raises BadParameter where each group of baskets was treated its own way."""
    cut = release.recoding.cut
    if cut is None:
        raise BadParameter(
            "Local clustering has no rules: the same item leaves in different ways.",
            "Choose a method that treats an item alike everywhere.",
        )
    tree = release.data.tree
    return Rules({label: tree.labels[node] for label, node in zip(tree.leaf_labels, cut.tolist(), strict=True)})


def write_rules(rules: Rules, path: Path) -> None:
    """Write rules as a table of items and groups; raises UnwritableFile. It names items: keep it inside."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    writer.writerows(sorted(rules.groups.items()))
    write_text(path, text.getvalue())


def read_rules(path: Path) -> Rules:
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
    return Rules({normalise_text(item): normalise_text(group) for item, group in rows})


def tree_of(rules: Rules, items: Sequence[str]) -> Hierarchy:
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
