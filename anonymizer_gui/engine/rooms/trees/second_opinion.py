"""Hands the bytes of a release to the recount, and compares what it counts with what is told."""

from collections.abc import Mapping
from dataclasses import dataclass

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.trees.recount.counting import cut_off, vertices
from anonymizer_gui.engine.rooms.trees.recount.kept_promises import judged
from anonymizer_gui.engine.rooms.trees.recount.reading import read_again
from anonymizer_gui.engine.words import Sentence, say


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted in a file: records, vertices, what was taken apart, and each promise with its figure."""

    numbers: Mapping[str, int]
    promises: Mapping[str, tuple[int, bool]]


def recounted(
    content: bytes, written: Mapping[str, Json], asked: Mapping[str, Mapping[str, Json]], progress: Progress = SILENT
) -> Counted | None:
    """Count a file again from its bytes; `asked` has the parameters of each promise. Nothing for another file."""
    progress(0.0, "Counting again")
    try:
        records = read_again(content, written)
        found = {
            "records": len(records),
            "vertices": vertices(records, frozenset(written["around"])),
            "disassociated": cut_off(records),
        }
        worth = {}
        for at, (name, parameters) in enumerate(asked.items()):
            part = progress.sub(0.2 + 0.8 * at / len(asked), 0.2 + 0.8 * (at + 1) / len(asked))
            worth[name] = judged(records, written, name, parameters, part)
    except (
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        UnicodeDecodeError,
        RecursionError,
        LookupError,
    ):
        return None
    return Counted(found, worth)


def asked_by(promises: tuple[Promise, ...]) -> dict[str, Mapping[str, Json]]:
    """Give the parameters of each promise."""
    return {promise.name: promise.parameters for promise in promises}


def differences(counted: Counted, told: Mapping[str, Json]) -> list[Sentence]:
    """Say in which numbers and promises a certificate is not what was counted."""
    numbers = told["numbers"]
    wrong = [
        say("{name} is {found}, not {told}.", name=name, found=found, told=numbers[name])
        for name, found in counted.numbers.items()
        if numbers[name] != found
    ]
    first = told["promises"][0]["name"]
    if numbers["smallest_class"] != counted.promises[first][0]:
        wrong.append(say("Counted again, the smallest class has another size."))
    for promise in told["promises"]:
        value, holds = counted.promises[promise["name"]]
        if value != promise["value"] or holds is not promise["holds"]:
            wrong.append(
                say(
                    "{title} was counted to be {found:,}, not {told:,}.",
                    title=say(promise["title"]),
                    found=value,
                    told=promise["value"],
                )
            )
    return wrong
