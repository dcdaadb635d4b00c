"""Several ways to the same goals, and the result that loses least: so that no other algorithm does better."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.explain import infeasible
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.recoding import loss

FEW_ROWS = 500
"""Up to so many rows asking everybody costs nothing worth mentioning; on more, best loss is far ahead."""
_TIE = 1e-9  # rounding alone must not choose
Run = Callable[[Encoded, Goals, Limits, Progress], Recoding]


def best_of(ways: Sequence[Run], task: tuple[Encoded, Goals, Limits], progress: Progress) -> Recoding:
    """Give what loses least, of equals the first; raises Infeasible when none reaches the goals.

    The first alone may tell how it was found: it is asked for its own sake.
    """
    best: tuple[float, Recoding] | None = None
    for done, run in enumerate(ways):
        try:
            found = run(*task, progress.sub(done / len(ways), (done + 1) / len(ways)))
        except Infeasible:
            continue
        lost = loss(task[0], found)
        if best is None or lost < best[0] - _TIE:
            best = lost, found if done == 0 else replace(found, search=None, notes=())
    if best is None:
        raise infeasible(*task)
    return best[1]
