"""The client in Python: what the form does for one respondent, for many at once, with secret randomness."""

import os
from collections.abc import Iterator, Mapping

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.local.protocol import Ints, draw_below
from anonymizer_gui.engine.rooms.survey.collection import Collection
from anonymizer_gui.engine.rooms.survey.reports import ID_DIGITS, Record


def perturbed(collection: Collection, places: Mapping[str, Ints], progress: Progress = SILENT) -> Iterator[Record]:
    """Make the reports of many respondents, as the form would: this is the client, with secret randomness."""
    names = [question.name for question in collection.questions]
    n = len(next(iter(places.values())))
    texts = {}
    for at, name in enumerate(names):
        progress(at / len(names), "Drawing the reports")
        protocol = collection.protocols[name]
        texts[name] = protocol.encode(protocol.perturb(places[name]))
    ids = os.urandom(n * ID_DIGITS // 2).hex()
    lots = draw_below(len(names), n) if collection.sharing == "one" else None
    for row in range(n):
        answered = names if lots is None else [names[lots[row]]]
        name = ids[row * ID_DIGITS : (row + 1) * ID_DIGITS]
        yield Record(f"{row + 1}", collection.fingerprint, name, {name: texts[name][row] for name in answered})
