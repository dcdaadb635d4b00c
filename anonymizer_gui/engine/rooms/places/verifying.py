"""Released places looked at again: their files are counted anew and compared with the certificate."""

from collections.abc import Mapping
from pathlib import Path

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.files.regular import read_regular
from anonymizer_gui.engine.files.source import checksum
from anonymizer_gui.engine.params import Json, from_json
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.room import Findings
from anonymizer_gui.engine.rooms.places.cloaking.moving import positions
from anonymizer_gui.engine.rooms.places.project import PLACES
from anonymizer_gui.engine.rooms.places.recount.reading import read_csv, read_release
from anonymizer_gui.engine.rooms.places.recount.regions import Point
from anonymizer_gui.engine.rooms.places.running import in_file_units
from anonymizer_gui.engine.rooms.places.second_opinion import differences, opinion_on
from anonymizer_gui.engine.shapes.places.options import PlaceOptions
from anonymizer_gui.engine.shapes.places.reading import read_places
from anonymizer_gui.engine.words import say

_LARGEST_BYTES = 1 << 30


def _true_points(told: Mapping[str, Json], progress: Progress) -> list[list[Point]] | None:
    """Give where users truly were, by the source the inside copy names; nothing when that is not there as it was."""
    source = (told["inside"] or {"sources": {}})["sources"].get(PLACES)
    path = Path(source["path"]) if source and source["path"] else None
    if path is None or not path.is_file() or checksum(path, progress) != source["sha256"]:
        return None
    try:
        places, _found = read_places(path, from_json(PlaceOptions, told["inside"]["read"]), progress)
    except AnonymizerError:
        return None
    asked = told["recipe"]["parameters"]
    return in_file_units(*positions(places, asked.get("queries", 1), asked.get("moment", 1.0)), places.projection)


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
        tables = {name: read_csv(part)[1] for name, part in others.items()}
        found = opinion_on(written, rows, tables)
        if found.unsure:
            found = opinion_on(written, rows, tables, _true_points(told, progress.sub(0.5, 1.0)))
    except (ValueError, KeyError, IndexError):
        return Findings((say("The files are not the places the certificate speaks of."),))
    unchecked = (
        (say("that every region holds k users, which the file alone does not show: it was counted when it was made"),)
        if found.unsure
        else ()
    )
    return Findings(tuple(differences(found, told["numbers"], told["promises"])), unchecked, dict(found.numbers))
