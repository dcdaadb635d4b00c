"""Hands the bytes of a release to the recount, and compares what it counts with what is told."""

from collections.abc import Callable, Mapping
from pathlib import Path

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.rooms.graphs.recount.counting import Counted, count, read_release
from anonymizer_gui.engine.words import Sentence, say

_CLOSE = 1e-9
_WORTH: Mapping[str, Callable[[Counted], int]] = {
    "degree-k": lambda counted: counted.smallest,
    "node-k": lambda counted: counted.smallest,
    "row-k": lambda counted: counted.smallest_rows,
    "label-l": lambda counted: counted.fewest_labels,
}
_ASKED = {"degree-k": "k", "node-k": "k", "row-k": "k", "label-l": "l"}


def recounted(path: Path, contents: Mapping[str, bytes], told: Mapping[str, Json]) -> Counted | None:
    """Count a release again from the bytes of its files, by name; nothing when they are no graph."""
    written = told["written"]
    parts = {"": path.name, **written["parts"]}
    try:
        read = {part: contents[name] for part, name in parts.items()}
        graph = read_release(path, read, is_grouped=written["is_grouped"], is_directed=written["is_directed"])
        return count(graph, written["known"], written["label"])
    except (ValueError, KeyError, UnicodeDecodeError, IndexError):
        return None


def differences(counted: Counted, told: Mapping[str, Json]) -> list[Sentence]:
    """Say in which numbers and promises a certificate is not what was counted."""
    numbers = told["numbers"]
    found = {
        "People": counted.nodes == numbers["nodes"],
        "Ties": counted.edges == numbers["edges"],
        "Smallest set of people who fit": counted.smallest == numbers["smallest_class"],
        "Share of ties that are certain": abs(counted.certain_edges - numbers["certain_edges"]) < _CLOSE,
        "Fewest labels": counted.fewest_labels_by_ties == numbers["labels"],
        "People who stand out alone": all(
            abs(share - numbers["unique"][depth]) < _CLOSE for depth, share in counted.unique.items()
        ),
    }
    wrong = [
        say("Counted again, “{name}” is another number.", name=say(name))
        for name, is_same in found.items()
        if not is_same
    ]
    for promise in told["promises"]:
        worth = _WORTH[promise["name"]](counted)
        holds = worth >= promise["parameters"][_ASKED[promise["name"]]]
        if worth != promise["value"] or holds is not promise["holds"]:
            wrong.append(
                say("Counted again, the promise “{title}” is worth {worth}.", title=say(promise["title"]), worth=worth)
            )
    return wrong
