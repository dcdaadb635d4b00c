"""A released file looked at again: read by other code, counted anew, and compared with its certificate."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.room import Findings
from anonymizer_gui.engine.rooms.baskets.recount.counting import exposed, smallest_group, smallest_support
from anonymizer_gui.engine.rooms.baskets.recount.kept_promises import Released, judged
from anonymizer_gui.engine.rooms.baskets.recount.reading import read_again
from anonymizer_gui.engine.words import Sentence, say

_NCP_DIGITS = 3


def counted_anew(path: Path, told: Mapping[str, Json], progress: Progress) -> Findings:
    """Count a released file and compare; raises UnreadableFile, and ValueError for a certificate that is none."""
    written = told["written"]
    progress(0.0, "Reading the baskets")
    released = read_again(path, str(written["layout"]), str(written["separator"]), str(written["column"]))
    numbers = _numbers(released, told, progress.sub(0.1, 0.6))
    told_numbers = told["numbers"]
    found = {**numbers, **_loss(told)}
    differences = [
        say("{name} is {found}, not {told}.", name=name, found=found[name], told=told_numbers[name])
        for name in found
        if told_numbers[name] != found[name]
    ]
    differences += _broken(released, told, progress.sub(0.6, 1.0))
    unchecked = () if told.get("inside") else (say("NCP, which needs the inside copy"),)
    shown = {**numbers, "ncp": told_numbers["ncp"], "deleted": told_numbers["deleted"]}
    return Findings(tuple(differences), unchecked, shown)


def _loss(told: Mapping[str, Json]) -> dict[str, float]:
    """Give the loss as the inside copy knows it, rounded as certificates hold it; nothing where there is none."""
    inside = told.get("inside")
    return {"ncp": round(inside["numbers"]["ncp"], _NCP_DIGITS)} if inside else {}


def _numbers(released: Released, told: Mapping[str, Json], progress: Progress) -> dict[str, int]:
    """Count what the certificate tells; the sensitive item is nothing that somebody knows beforehand."""
    hidden = told["written"]["hidden"]
    k, m = told["numbers"]["k"], told["numbers"]["m"]
    known = [tuple(item for item in basket if item != hidden) for basket in released.baskets]
    return {
        "baskets": len(released.baskets),
        "values_left": len({item for basket in released.baskets for item in basket}),
        "smallest_support": smallest_support(known, m, progress.sub(0.0, 0.4)),
        "smallest_group": smallest_group(known),
        "exposed_after": len(exposed(known, k, m, progress.sub(0.4, 0.7))),
        "unique_after": len(exposed(known, 2, m, progress.sub(0.7, 1.0))),
    }


def _broken(released: Released, told: Mapping[str, Json], progress: Progress) -> Iterator[Sentence]:
    """Say which promises do not hold, or hold with another figure than the certificate says."""
    written = told["written"]
    for at, promise in enumerate(told["promises"]):
        part = progress.sub(at / len(told["promises"]), (at + 1) / len(told["promises"]))
        parameters = {**promise["parameters"], "hidden": written["hidden"]}
        if "sensitive" in parameters:
            parameters["sensitive"] = written["column"] or written["hidden"]
        value, holds = judged(released, promise["name"], parameters, part)
        if holds != promise["holds"] or value != promise["value"]:
            yield say(
                "{title} was counted to be {found:,}, not {told:,}.",
                title=say(promise["title"]),
                found=value,
                told=promise["value"],
            )
