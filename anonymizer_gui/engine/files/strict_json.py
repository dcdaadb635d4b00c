"""JSON that can be read in one way only: no entry twice, no number that JSON does not know."""

import json

from anonymizer_gui.engine.core.params import Json


def read_strictly(content: bytes | str) -> Json:
    """Read a JSON text; raises ValueError also where an object has an entry twice, of which readers choose one.

    >>> read_strictly('{"k": 5}')
    {'k': 5}
    """
    return json.loads(content, object_pairs_hook=_distinct, parse_constant=_refuse)


def _distinct(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError
    return entries


def _refuse(name: str) -> Json:
    raise ValueError(name)
