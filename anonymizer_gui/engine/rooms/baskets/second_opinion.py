"""Entries of the certificate as the recount counts them in the baskets of a file, promises composed anew."""

from collections.abc import Mapping, Sequence

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.contract import escape_formula
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.baskets.promises.contract import Counted, Goal
from anonymizer_gui.engine.rooms.baskets.recount.counting import rarest_sets, smallest_group
from anonymizer_gui.engine.rooms.baskets.recount.kept_promises import Released, asked, judged, without


def as_written(name: str, layout: str) -> str:
    """Give a name as it is in a file: what a spreadsheet would run begins with an apostrophe, but not in JSON."""
    return name if layout == "json" else escape_formula(name)


def numbers_counted(
    released: Released, goals: Sequence[Goal], hidden: str, progress: Progress = SILENT
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
    released: Released, goals: Sequence[Goal], written: Mapping[str, Json], progress: Progress = SILENT
) -> tuple[Promise, ...]:
    """Compose every promise anew, with the figure the recount finds in the baskets of a file."""
    layout, promises = str(written["layout"]), []
    for at, goal in enumerate(goals):
        part = progress.sub(at / len(goals), (at + 1) / len(goals))
        parameters = {**params_json(goal), "hidden": written["hidden"]}
        if goal.protects():
            parameters["sensitive"] = as_written(goal.protects(), layout)
        promises.append(goal.promise(Counted(*judged(released, goal.name, parameters, part))))
    return tuple(promises)
