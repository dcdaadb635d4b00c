"""Values of sensitive columns that a reader takes for the same: they count as one, whatever their case or width."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from anonymizer_gui.engine.rooms.microdata.recount.counting import Counted
from anonymizer_gui.engine.rooms.microdata.recount.reading import plain

_DISARMED = ("'=", "'+", "'-", "'@")
_MOST_DIGITS = 40
Look = str | Fraction | None
IsMissing = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Looks:
    """The text that stands for each look of a column; `none` says which texts are no value at all."""

    none: IsMissing
    chosen: dict[Look, str] = field(default_factory=dict)

    def gathered(self, counts: Mapping[str, float]) -> dict[str, float]:
        """Add up the counts of texts that look alike."""
        found: dict[str, float] = {}
        others = dict(self.chosen)
        for text, times in counts.items():
            stands = text if self.none(text) else others.setdefault(look(text), text)
            found[stands] = found.get(stands, 0) + times
        return found

    def of(self, text: str) -> str:
        """Give the text that stands for one of the file."""
        return text if self.none(text) else self.chosen[look(text)]


def look(text: str) -> Look:
    """Give what a text looks like: letters without case and width, numbers by their value.

    >>> look("ＨＩＶ") == look("hiv"), look("1.0") == look("01"), look("1") == look("1st")
    (True, True, False)
    """
    bare = plain(text[1:] if text.startswith(_DISARMED) else text)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", bare).casefold())
    digits = folded[1:] if folded[:1] in ("+", "-") else folded
    before, _, behind = digits.partition(".")
    is_number = before.isascii() and before.isdigit() and (not behind or (behind.isascii() and behind.isdigit()))
    return Fraction(folded.rstrip(".")) if is_number and len(folded) <= _MOST_DIGITS else folded


def looks_of(found: Counted, none: IsMissing) -> list[Looks]:
    """Choose for every sensitive column the text that stands for each look: the first in the order of texts."""
    chosen = []
    for column in range(found.n_sensitive):
        stands: dict[Look, str] = {}
        for text in found.whole(column):
            if not none(text):
                stands[look(text)] = min(stands.get(look(text), text), text)
        chosen.append(Looks(none, stands))
    return chosen


def merged(found: Counted, looks: list[Looks]) -> Counted:
    """Count look-alikes as one value, in each column and in all together."""
    stands = [{text: each.of(text) for text in found.whole(at)} for at, each in enumerate(looks)]
    if all(len(set(names.values())) == len(names) for names in stands):
        return found
    pairs = [_renamed(pairs, names) for pairs, names in zip(found.pairs, stands, strict=True)]
    together: Counter[tuple[int, tuple[str, ...]]] = Counter()
    for (number, values), times in found.together.items():
        together[number, _all(values, stands)] += times
    people = found.people
    if people is not None:
        people = {(number, person, _all(values, stands)) for number, person, values in people}
    return replace(found, pairs=pairs, together=together, people=people)


def _renamed(pairs: Mapping[int, Mapping[str, int]], names: Mapping[str, str]) -> defaultdict[int, dict[str, int]]:
    found: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for number, of_class in pairs.items():
        renamed = found[number]
        for value, times in of_class.items():
            renamed[names[value]] = renamed.get(names[value], 0) + times
    return found


def _all(values: tuple[str, ...], stands: list[dict[str, str]]) -> tuple[str, ...]:
    return tuple(names[value] for value, names in zip(values, stands, strict=True))
