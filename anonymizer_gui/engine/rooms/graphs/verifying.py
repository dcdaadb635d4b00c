"""A released graph looked at again: its files are counted anew and compared with the certificate."""

from collections.abc import Mapping
from pathlib import Path

from anonymizer_gui.engine.files.regular import read_regular
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.room import Findings
from anonymizer_gui.engine.rooms.graphs.second_opinion import differences, recounted
from anonymizer_gui.engine.words import say

_LARGEST_BYTES = 1 << 30


def counted_again(path: Path, told: Mapping[str, Json], progress: Progress) -> Findings:
    """Count a release again; raises UnreadableFile, and ValueError for a certificate that is none."""
    progress(0.0, "Reading the graph")
    names = [path.name, *told["written"]["parts"].values()]
    contents = {name: read_regular(path.with_name(Path(name).name), _LARGEST_BYTES) for name in names}
    progress(0.4, "Counting again")
    counted = recounted(path, contents, told)
    if counted is None:
        return Findings((say("The files are not the graph the certificate speaks of."),))
    numbers = {"nodes": counted.nodes, "edges": counted.edges, "smallest_class": counted.smallest}
    unchecked = () if told["recipe"]["protects"] == "h1" else (say("the ties inside groups, which nobody published"),)
    return Findings(tuple(differences(counted, told)), unchecked, numbers)
