"""The lines of a global recode of μ-ARGUS (`.grc`): `2: 21-30`, `6: 61-`, `3: 11, 13, 530-570`, `<CODELIST> Age.cdl`.

Both ends of a range belong to it. `<MISSING>` names what μ-ARGUS writes into cells that miss a value after the recode,
and nothing about the values that are read. The code list has lines `code, label` for the groups.
"""

import csv
import io
import itertools
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PureWindowsPath

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.hierarchy.formats.paths import refusal
from anonymizer_gui.engine.hierarchy.interval_labels import label_of
from anonymizer_gui.engine.hierarchy.labels import clean
from anonymizer_gui.engine.hierarchy.tree import Interval

RECODE_SUFFIX = ".grc"

_CODE = r'(?:"[^"]*"|[^\s"<>:;|,-][^\s":;|,-]*)'
_PIECE = rf"(?:-\s*{_CODE}|{_CODE}(?:\s*-(?:\s*{_CODE})?)?)"
_LINE = re.compile(rf"\s*({_CODE})\s*:\s*({_PIECE}(?:\s*,\s*{_PIECE})*)\s*,?\s*")
_ENDS = re.compile(rf"({_CODE})?\s*(-)?\s*({_CODE})?")
_SPLIT = re.compile(_PIECE)
_TAG = re.compile(r"\s*<(missing|codelist)>\s*(.*)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_FORM = "Write lines such as `2: 21-30`, `3: 11, 13` or `4: 61-`."


@dataclass(frozen=True, slots=True)
class Piece:
    """A code or a range of codes, and the code of the group it goes to."""

    group: str
    label: str
    line: int
    interval: Interval | None = None


def is_recode(text: str, name: str) -> bool:
    """Say whether a text is a global recode, by the name of its file or by its lines `code: codes`."""
    lines = [line for line in text.splitlines() if line.strip()]
    if name.lower().endswith(RECODE_SUFFIX) or any(_TAG.fullmatch(line) for line in lines):
        return True
    ends = {line.rsplit(",", 1)[-1].strip() for line in lines}
    is_level_table = len(lines) > 1 and len(ends) == 1  # with times in it: `08:00,morning,day`
    return bool(lines) and not is_level_table and all(_LINE.fullmatch(line) for line in lines)


def pieces_of(text: str, name: str) -> list[Piece]:
    """Read the lines; raises BadHierarchy with the line where one cannot be read or codes go to two groups."""
    pieces: list[Piece] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or _TAG.fullmatch(line):
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            raise refusal(name, number, "the line does not have the form `code: codes`.", _FORM)
        group = _bare(found[1])
        pieces += [_piece(name, number, group, each) for each in _SPLIT.findall(found[2])]
    if not pieces:
        raise refusal(name, 1, "there is no line `code: codes`.", _FORM)
    return _apart(name, pieces)


def code_list_of(text: str) -> str:
    """Give the file name of the code list a recode names, without folders; nothing when it names none."""
    tags = (_TAG.fullmatch(line) for line in text.splitlines())
    named = [tag[2].strip().strip('"') for tag in tags if tag and tag[1].casefold() == "codelist"]
    return PureWindowsPath(named[0]).name if named else ""


def code_labels(text: str) -> dict[str, str]:
    """Read the lines `code, label` of a code list.

    >>> code_labels('1, age under 20\\n2,"from 20, and older"\\n')
    {'1': 'age under 20', '2': 'from 20, and older'}
    """
    rows = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    return {clean(row[0]): clean(",".join(row[1:])) for row in rows if len(row) > 1 and clean(",".join(row[1:]))}


def _piece(name: str, line: int, group: str, text: str) -> Piece:
    ends = _ENDS.fullmatch(text)
    low, hyphen, high = ends.groups() if ends else (text, None, None)
    if hyphen is None:
        return Piece(group, _bare(low), line)
    bounds = [_bare(each) if each else "" for each in (low, high)]
    for code in filter(None, bounds):
        if not _NUMBER.fullmatch(code):
            reason = message("“{code}” is no number, so nobody knows which codes the range holds.", code=code)
            raise refusal(name, line, reason, "List the codes one by one.")
    interval = Interval(float(bounds[0] or -math.inf), float(bounds[1] or math.inf), closed=bool(bounds[1]))
    if interval.low > interval.high:
        raise refusal(name, line, message("the range {range} ends before it begins.", range=text), "Turn it around.")
    label = "-".join(bounds) if all(bounds) else label_of(interval)
    return Piece(group, label, line, interval)


def _bare(code: str) -> str:
    return clean(code.strip('"'))


def _apart(name: str, pieces: list[Piece]) -> list[Piece]:
    """Let ranges end where a later line begins, as μ-ARGUS does; raises BadHierarchy where codes go to two groups."""
    ranged = sorted((each for each in pieces if each.interval), key=_begins)
    changed = {id(each): each for each in pieces}
    for one, two in itertools.pairwise(ranged):
        first, second = changed[id(one)], changed[id(two)]
        changed[id(one)], changed[id(two)] = _parted(name, first, second)
    _refuse_twice(name, changed.values())
    return [changed[id(each)] for each in pieces]


def _begins(piece: Piece) -> float:
    return piece.interval.low if piece.interval else math.inf


def _parted(name: str, one: Piece, two: Piece) -> tuple[Piece, Piece]:
    low, high = one.interval, two.interval
    if low is None or high is None or not low.overlaps(high):
        return one, two
    if high.low < low.high or low.low == low.high or high.low == high.high:
        raise _twice(name, two.label, one, two)
    if one.line < two.line:
        return _with_interval(one, replace(low, closed=False)), two
    return one, _with_interval(two, replace(high, open_low=True))


def _with_interval(piece: Piece, interval: Interval) -> Piece:
    return replace(piece, interval=interval, label=label_of(interval))


def _refuse_twice(name: str, pieces: Iterable[Piece]) -> None:
    listed = list(pieces)
    ranged = [each for each in listed if each.interval]
    seen: dict[str, Piece] = {}
    for piece in listed:
        first = seen.setdefault(piece.label, piece)
        if first is not piece:
            raise _twice(name, piece.label, first, piece)
        if piece.interval is None and _NUMBER.fullmatch(piece.label):
            code = float(piece.label)
            holding = next((each for each in ranged if each.interval and each.interval.holds(code)), None)
            if holding is not None:
                raise _twice(name, piece.label, holding, piece)


def _twice(name: str, label: str, one: Piece, two: Piece) -> BadHierarchy:
    first, second = sorted((one, two), key=lambda each: each.line)
    reason = message("“{code}” is also in line {line}.", code=label, line=first.line)
    return refusal(name, second.line, reason, "Let every code stand in one line.")
