"""Released records looked at again: the file is read by other code, counted anew, and compared with its certificate."""

from collections.abc import Mapping
from pathlib import Path

from anonymizer_gui.engine.files.regular import read_regular
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.room import Findings
from anonymizer_gui.engine.rooms.trees.second_opinion import differences, recounted
from anonymizer_gui.engine.words import say

_LARGEST_BYTES = 4 << 30
_DIGITS = 3


def counted_again(path: Path, told: Mapping[str, Json], progress: Progress) -> Findings:
    """Count a released file and compare; raises UnreadableFile, and ValueError for a certificate that is none."""
    progress(0.0, "Reading the records")
    content = read_regular(path, _LARGEST_BYTES)
    asked = {promise["name"]: promise["parameters"] for promise in told["promises"]}
    counted = recounted(content, told["written"], asked, progress.sub(0.2, 1.0))
    if counted is None:
        return Findings((say("The file does not hold the records the certificate speaks of."),))
    wrong = differences(counted, told)
    inside = told.get("inside")
    if inside and round(inside["numbers"]["lm"], _DIGITS) != told["numbers"]["lm"]:
        wrong.append(say("Counted again, the loss is another one."))
    unchecked = () if inside else (say("LM, which needs the inside copy"),)
    return Findings(tuple(wrong), unchecked, {**counted.numbers, "smallest_class": told["numbers"]["smallest_class"]})
