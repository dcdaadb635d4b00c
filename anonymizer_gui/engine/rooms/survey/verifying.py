"""A released collection looked at again."""

from collections.abc import Mapping
from pathlib import Path

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.room import Findings
from anonymizer_gui.engine.rooms.survey.recount.recounting import differences
from anonymizer_gui.engine.words import say


def checked_again(path: Path, told: Mapping[str, Json], progress: Progress) -> Findings:
    """Judge a release by the recount; without the reports beside it only their counts can be taken for true.

    Raises UnreadableFile, and ValueError for a certificate that is none.
    """
    try:
        beside = [path.with_name(Path(name).name).read_bytes() for name in told["release"]["others"]]
        found = tuple(differences(path.name, path.read_bytes(), next(iter(beside), None), told, progress))
    except (ArithmeticError, LookupError, OSError):
        raise ValueError("The certificate makes no sense.") from None
    unseen = () if told["release"]["others"] else (say("the reports, which did not leave with the estimates"),)
    return Findings(found, unseen, dict(told["numbers"]))
