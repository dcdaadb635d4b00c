"""Released places looked at again: their files are counted anew and compared with the certificate."""

from collections.abc import Mapping
from pathlib import Path

from anonymizer_gui.engine.files.regular import read_regular
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.room import Findings
from anonymizer_gui.engine.rooms.places.recount.reading import read_csv, read_release
from anonymizer_gui.engine.rooms.places.second_opinion import differences, opinion_on
from anonymizer_gui.engine.words import say

_LARGEST_BYTES = 1 << 30


def counted_again(path: Path, told: Mapping[str, Json], progress: Progress) -> Findings:
    """Count a release again; raises UnreadableFile, and ValueError for a certificate that is none."""
    progress(0.0, "Reading the places")
    written = told["written"]
    content = read_regular(path, _LARGEST_BYTES)
    others = {name: read_regular(path.with_name(Path(file).name), _LARGEST_BYTES)
              for name, file in written["parts"].items()}  # fmt: skip
    progress(0.4, "Counting again")
    try:
        _head, rows = read_release(path.suffix.lower(), content, list(written["head"]))
        found = opinion_on(written, rows, {name: read_csv(part)[1] for name, part in others.items()})
    except (ValueError, KeyError, IndexError):
        return Findings((say("The files are not the places the certificate speaks of."),))
    return Findings(tuple(differences(found, told["numbers"], told["promises"])), (), dict(found.numbers))
