"""The checklist of baskets before they leave: the lines that follow from what was counted."""

from collections.abc import Iterable

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.room import Check, Promise


def promise_checks(promises: Iterable[Promise]) -> tuple[Check, ...]:
    """Give a line for every promise."""
    return tuple(
        Check(promise.name, promise.title, promise.holds, _verdict(promise), is_promise=True) for promise in promises
    )


def _verdict(promise: Promise) -> str:
    if promise.holds:
        return message("Counted again: {value:,}; {words}.", value=int(promise.value), words=promise.sentence)
    return message("It does not hold: {value:,} was counted.", value=int(promise.value))
