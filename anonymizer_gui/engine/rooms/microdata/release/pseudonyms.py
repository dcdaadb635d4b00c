"""Pseudonyms for direct identifiers: keyed, numbered, or keeping the form of digit strings.

Keyed pseudonyms are HMAC-SHA-256 under a key the user keeps in a file of its own; the key is never part of a
project. A salt that differs from release to release keeps two releases from being linked by their pseudonyms.
No pseudonym is a value that stands in the column: it could be taken for another person. Pseudonyms that are to link
releases depend on nothing but the key and the value, or are refused: another table must not give another one.
"""

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.dictionary_encoding import sorted_distinct, text_order
from anonymizer_gui.engine.data.tables.table import MISSING, Column, smallest_codes
from anonymizer_gui.engine.storage.keys import KEY_BYTES

PSEUDONYM_KINDS = {
    "keyed": "Keyed code: the same person gets the same 16 letters and digits",
    "numbered": "Number: persons are counted, in an order only the key tells",
    "digits": "Digits for digits: the form of the number stays, such as 123-45-6789",
}
_ROUNDS = 10
_ROOM = 4
"""Digits for digits needs this many numbers of a form for each one that is there."""
_NOT_LINKED = "Choose keyed codes for this column, or pseudonyms for this release alone."


def pseudonymise(column: Column, way: str, key: bytes, salt: str = "") -> Column:
    """Replace every value of a column; equal values get equal pseudonyms, missing stays missing.

    Without a salt, equal values get equal pseudonyms in every table of that key. Every way needs the key: whoever
    knows the people could redo an unkeyed one, numbers included. Raises BadParameter without it, when there are too
    few numbers of a form for pseudonyms beside the real ones, and when a way cannot link tables.

    >>> column = Column.from_texts("ssn", ["123-45-6789", "987-65-4321", "123-45-6789"])
    >>> out = pseudonymise(column, "digits", b"k" * 32)
    >>> [len(text) for text in out.labels], bool(out.codes[0] == out.codes[2])
    ([11, 11], True)
    """
    if way not in PSEUDONYM_KINDS:
        raise BadParameter(
            message("There is no pseudonym “{way}”.", way=way),
            message("There are: {known}.", known=list(PSEUDONYM_KINDS)),
        )
    if len(key) < KEY_BYTES:
        raise BadParameter("Pseudonyms need a key file.", "Make one, or choose the one you keep.")
    release_key = _release_key(key, column.name, salt)
    real = sorted_distinct([label for label in column.labels if label != MISSING])
    if way == "numbered":
        if not salt:
            raise BadParameter("Numbers are counted anew in every release and cannot link them.", _NOT_LINKED)
        chosen = _numbers(real, release_key)
    else:
        make = _permuted_digits if way == "digits" else _code
        chosen = _unlike_any(real, make, release_key, is_final=not salt)
    return _sorted_column(column, [chosen.get(label, label) for label in column.labels])


def _release_key(key: bytes, name: str, salt: str) -> bytes:
    return hmac.new(key, f"{salt}\0{name}".encode(), hashlib.sha256).digest()


def _numbers(real: list[str], key: bytes) -> dict[str, str]:
    """Count the values in an order only the key tells, with as many letters before as make the numbers new."""
    ordered = [real[at] for at in text_order([_code(label, key) for label in real]).tolist()]
    width, letters = len(str(len(ordered))), "P"
    while True:
        # Value by value: one call over a million would keep every other thread waiting.
        known = {label for label in real if label.startswith(letters)}
        numbers = [f"{letters}{number:0{width}d}" for number in range(1, len(ordered) + 1)]
        if not any(number in known for number in numbers):
            return {label: numbers[at] for at, label in enumerate(ordered)}
        letters += "P"


def _unlike_any(real: list[str], make: Callable[[str, bytes], str], key: bytes, *, is_final: bool) -> dict[str, str]:
    """Make a pseudonym for each value; one that is a real value, or somebody's already, is made with a further key.

    That depends on who else is in the table: pseudonyms that are final are refused instead.
    """
    taken = set(real)
    chosen = {}
    if make is _permuted_digits:
        _refuse_crowded(real)
    for label in real:
        further, pseudonym = key, make(label, key)
        while pseudonym in taken:
            if is_final:
                raise BadParameter("A pseudonym that links releases would be a value of another person.", _NOT_LINKED)
            further = hmac.digest(further, b"further", "sha256")
            pseudonym = make(label, further)
        taken.add(pseudonym)
        chosen[label] = pseudonym
    return chosen


def _refuse_crowded(real: list[str]) -> None:
    for form, count in Counter(_form(text) for text in real).items():
        digits = form.count("0")
        if digits > 1 and count * _ROOM > 10**digits:
            raise BadParameter(
                message(
                    "There are too few numbers of {digits:digit|digits} to give each of {count:value|values} "
                    "another one.",
                    digits=digits,
                    count=count,
                ),
                "Choose keyed codes or numbers for this column.",
            )


def _form(text: str) -> str:
    return "".join("0" if c.isascii() and c.isdigit() else c for c in text)


def _code(text: str, key: bytes) -> str:
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()[:16]


def _permuted_digits(text: str, key: bytes) -> str:
    """Replace the digits by a keyed permutation of all digit strings of that length (a Feistel network)."""
    digits = [c for c in text if c.isascii() and c.isdigit()]
    form = _form(text)
    # Letters would stay as they are: an address or a name is no number.
    if len(digits) < 2 or any(c.isalpha() for c in text):
        return _code(text, key)
    half = len(digits) // 2
    left, right = "".join(digits[:half]), "".join(digits[half:])
    for turn in range(_ROUNDS):
        tweak = hmac.new(key, f"{turn}\0{form}\0{right}".encode(), hashlib.sha256).digest()
        mixed = (int(left) + int.from_bytes(tweak, "big")) % 10 ** len(left)
        left, right = right, str(mixed).zfill(len(left))
    fresh = iter(left + right)
    return "".join(next(fresh) if place == "0" else place for place in form)


def _sorted_column(column: Column, labels: list[str]) -> Column:
    """Order the labels anew, so that their order tells nothing of the raw ones."""
    uniques = sorted_distinct(labels)
    place = {label: code for code, label in enumerate(uniques)}
    new_code = np.fromiter((place[label] for label in labels), np.int64, len(labels))
    codes = new_code[column.codes] if len(labels) else column.codes
    return Column(column.name, smallest_codes(codes, len(uniques)), tuple(uniques))
