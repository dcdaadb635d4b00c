"""Entries of the certificate as the recount counts them in the baskets of a file, promises composed anew."""

from collections.abc import Iterable, Mapping, Sequence

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.contract import escape_formula
from anonymizer_gui.engine.room import Check, Promise
from anonymizer_gui.engine.rooms.baskets.independent.recount import (
    ReleasedBaskets,
    asked,
    check_promise,
    rarest_sets,
    smallest_group,
    without,
)
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import PrivacyModel, PromiseCount


def as_written(name: str, layout: str) -> str:
    """Give a name as it is in a file: what a spreadsheet would run begins with an apostrophe, but not in JSON."""
    return name if layout == "json" else escape_formula(name)


def numbers_counted(
    released: ReleasedBaskets, goals: Sequence[PrivacyModel], hidden: str, progress: Progress = SILENT
) -> dict[str, Json]:
    """Count the numbers of a release; the hidden item is not known to an attacker."""
    k, m = asked([params_json(goal) for goal in goals])
    known = without(released.baskets, hidden)
    rarest = rarest_sets(known, k, m, progress)
    return {
        "baskets": len(released.baskets),
        "k": k,
        "m": m,
        "values_left": len({item for basket in released.baskets for item in basket}),
        "smallest_support": rarest.smallest_support,
        "smallest_group": smallest_group(known),
        "exposed_after": rarest.exposed,
        "unique_after": rarest.unique,
    }


def promises_counted(
    released: ReleasedBaskets, goals: Sequence[PrivacyModel], written: Mapping[str, Json], progress: Progress = SILENT
) -> tuple[Promise, ...]:
    """Compose every promise anew, with the figure the recount finds in the baskets of a file."""
    layout, promises = str(written["layout"]), []
    for at, goal in enumerate(goals):
        part = progress.sub(at / len(goals), (at + 1) / len(goals))
        parameters = {**params_json(goal), "hidden": written["hidden"]}
        if goal.protects():
            parameters["sensitive"] = as_written(goal.protects(), layout)
        promises.append(goal.promise(PromiseCount(*check_promise(released, goal.name, parameters, part))))
    return tuple(promises)


def promise_checks(promises: Iterable[Promise]) -> tuple[Check, ...]:
    """Give a line for every promise."""
    return tuple(
        Check(promise.name, promise.title, promise.holds, _verdict(promise), is_promise=True) for promise in promises
    )


def _verdict(promise: Promise) -> str:
    if promise.holds:
        return message("Counted again: {value:,}; {words}.", value=int(promise.value), words=promise.sentence)
    return message("It does not hold: {value:,} was counted.", value=int(promise.value))
