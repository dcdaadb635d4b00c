"""Hands the bytes of a release to the recount, and compares what it counts with what was measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.trees.independent.layout import shown_layout
from anonymizer_gui.engine.rooms.trees.independent.recount import check_promise, cut_off, read_release, vertices


@dataclass(frozen=True, slots=True)
class IndependentCount:
    """What was counted in a file: records, vertices, what was taken apart, and each promise with its figure."""

    numbers: Mapping[str, int]
    promises: Mapping[str, tuple[int, bool]]
    written: Mapping[str, Json]
    """How the file is read, as far as it shows that by itself."""


def count_independently(
    content: bytes, written: Mapping[str, Json], asked: Mapping[str, Mapping[str, Json]], progress: Progress = SILENT
) -> IndependentCount | None:
    """Count a file again from its bytes; `asked` has the parameters of each promise. Nothing for another file."""
    progress(0.0, "Counting again")
    try:
        records = read_release(content, written)
        found = {
            "records": len(records),
            "vertices": vertices(records, frozenset(written["around"])),
            "disassociated": cut_off(records),
        }
        worth = {}
        for at, (name, parameters) in enumerate(asked.items()):
            part = progress.sub(0.2 + 0.8 * at / len(asked), 0.2 + 0.8 * (at + 1) / len(asked))
            worth[name] = check_promise(records, written, name, parameters, part)
        shown = shown_layout(content, written, records)
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
    return IndependentCount(found, worth, shown)


def promise_parameters(promises: tuple[Promise, ...]) -> dict[str, Mapping[str, Json]]:
    """Give the parameters of each promise."""
    return {promise.name: promise.parameters for promise in promises}


def agrees(counted: IndependentCount, numbers: Mapping[str, Json], promises: Sequence[Promise]) -> bool:
    """Tell whether what is said of a release is what was counted in its file."""
    smallest = counted.promises[promises[0].name][0]
    return {**numbers, **counted.numbers, "smallest_class": smallest} == numbers and all(
        counted.promises[promise.name] == (promise.value, promise.holds) for promise in promises
    )
