"""Hands the bytes of a release to the recount, and gives what it counts as entries of the certificate."""

from collections.abc import Mapping
from pathlib import Path

from anonymizer_gui.engine.core.messages import Message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.releases.entry_comparison import Comparison
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.graphs.independent.recount import GraphCounts, Losses, count_release, read_release
from anonymizer_gui.engine.rooms.graphs.published_graph import as_written
from anonymizer_gui.engine.rooms.graphs.release import Asked, composed


def count_independently(
    path: Path, contents: Mapping[str, bytes], told: Mapping[str, Json], losses: Losses | None = None
) -> GraphCounts | None:
    """Count a release again from the bytes of its files, by name; nothing when they are no graph.

    What single cells have lost, by column and label as written, is confidential: without it no LM is counted.
    """
    written = told["written"]
    parts = {"": path.name, **written["parts"]}
    known, label = [as_written(name, path) for name in written["known"]], as_written(written["label"], path)
    try:
        read = {part: contents[name] for part, name in parts.items()}
        return count_release(read_release(path, read, is_directed=bool(written["is_directed"])), known, label, losses)
    except (ValueError, KeyError, UnicodeDecodeError, IndexError):
        return None


def promises_counted(counted: GraphCounts, told: Mapping[str, Json]) -> tuple[Promise, ...]:
    """Compose the promises anew: what was asked for by the certificate, the figures as they were counted."""
    written, recipe = told["written"], told["recipe"]
    against = "all" if counted.is_grouped else "h1"
    has_rows, label = bool(written["known"]), str(written["label"])
    asked = Asked(against, counted.is_directed, recipe["k"], recipe["l"], has_rows, label)
    return composed(asked, counted.smallest, counted.smallest_rows, counted.fewest_labels)


def numbers_counted(counted: GraphCounts) -> dict[str, Json]:
    """Give the numbers, LM only where it could be counted."""
    numbers: dict[str, Json] = {
        "nodes": counted.nodes,
        "edges": counted.edges,
        "smallest_class": counted.smallest,
        "unique": counted.unique,
        "certain_edges": counted.certain_edges,
        "labels": counted.fewest_labels_by_ties,
    }
    return numbers if counted.lm is None else {**numbers, "lm": counted.lm}


def compare_with_certificate(counted: GraphCounts, told: Mapping[str, Json]) -> list[Message]:
    """Say in which numbers and promises a release is not what was counted."""
    compared = Comparison(told, is_strict=True)
    promises = [promise.to_json() for promise in promises_counted(counted, told)]
    compared.compare({"numbers": numbers_counted(counted), "promises": promises})
    return compared.differences
