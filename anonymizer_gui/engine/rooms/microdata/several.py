"""Several measurements one after the other: one that cannot be made says why and does not stop the others."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.registry import Named

N = TypeVar("N", bound=Named)
R = TypeVar("R")


def each(
    declared: Sequence[N], measure: Callable[[N, Progress], R], progress: Progress
) -> dict[str, R | AnonymizerError]:
    """Give what was found under the name of each, or why it could not be measured."""
    found: dict[str, R | AnonymizerError] = {}
    for number, one in enumerate(declared):
        part = progress.sub(number / len(declared), (number + 1) / len(declared))
        try:
            found[one.name] = measure(one, part)
        except AnonymizerError as error:
            found[one.name] = error
    return found
