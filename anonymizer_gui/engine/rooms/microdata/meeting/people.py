"""Keys by which people are known again in other releases: keyed hashes of their identifiers."""

import hmac
from collections.abc import Callable, Sequence

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.rooms.microdata.meeting.shown import KEY_BYTES, Keys, folded

_PEOPLE_AT_ONCE = 1 << 16


def person_keys(identifiers: Table, key: bytes, progress: Progress = SILENT) -> Keys:
    """Give every row a keyed hash of its identifiers; equal people get equal keys, however their names are written.

    Capital letters and white space make no other person. A row without any identifier gets an empty key: nobody can
    be matched by what is missing. Raises BadParameter without an identifying column.
    """
    return _keys(identifiers, key, folded, progress)


def exact_keys(identifiers: Table, key: bytes, progress: Progress = SILENT) -> Keys:
    """Give the keys as the version before made them: another capital letter was another person."""
    return _keys(identifiers, key, str, progress)


def _keys(identifiers: Table, key: bytes, written: Callable[[str], str], progress: Progress) -> Keys:
    if not identifiers.columns:
        raise BadParameter(
            "People can be matched across releases only by an identifying column.",
            "Mark the column that identifies a person as an identifier.",
        )
    people = classes_of(identifiers, identifiers.names)
    hashes = np.zeros(len(people), dtype=f"S{KEY_BYTES}")
    for start in range(0, len(people), _PEOPLE_AT_ONCE):
        progress(start / len(people), "Looking for people who were released before")
        some = people.first_rows[start : start + _PEOPLE_AT_ONCE]
        parts = [np.asarray(column.labels, dtype=object)[column.codes[some]] for column in identifiers.columns]
        hashes[start : start + len(some)] = [_key(texts, key, written) for texts in zip(*parts, strict=True)]
    return hashes[people.ids]


def _key(texts: Sequence[str], key: bytes, written: Callable[[str], str]) -> bytes:
    if all(text == MISSING for text in texts):
        return b""
    # No hash may end in a zero byte: fixed-length texts lose it, and an empty key means nobody.
    told = "\0".join(text if text == MISSING else written(text) for text in texts)
    return hmac.digest(key, told.encode(), "sha256")[: KEY_BYTES - 1] + b"\1"
