"""The checklist of places before they leave."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.room import Check, Promise
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, TILES, TRACKS, Algorithm
from anonymizer_gui.engine.rooms.places.release import Release

_MUCH_LOST = 0.2


def checklist(release: Release, earlier: int) -> tuple[Check, ...]:
    """Give every line of the checklist."""
    return (*kept_promises(release.promises), *own_checks(release.project.algorithm, release.measured), _again(earlier))


def kept_promises(promises: Iterable[Promise]) -> tuple[Check, ...]:
    """Give the lines about promises."""
    return tuple(
        Check(promise.name, promise.title, promise.holds, promise.sentence, is_promise=True) for promise in promises
    )


def own_checks(algorithm: Algorithm, measured: Mapping[str, Json]) -> tuple[Check, ...]:
    """Give the lines that only places of this way have, as far as what they are about was measured."""
    if algorithm.way == TRACKS:
        lost = (_lost(measured["lost"] / max(measured["tracks"], 1)),) if "lost" in measured else ()
        return (_exact(algorithm.metres_apart()), *lost)
    return tuple(_ABOUT[name](measured[name]) for name in _OF_WAY[algorithm.way] if name in measured)


def lines_of(algorithm: Algorithm, promises: Iterable[Promise]) -> list[dict[str, Json]]:
    """Say which lines a checklist has, whatever was found: name, title and whether it blocks."""
    nothing = {"lost": 0, "tracks": 0, **dict.fromkeys(_ABOUT, 0)}
    lines = (*kept_promises(promises), *own_checks(algorithm, nothing), _again(0))
    return [{"name": line.name, "title": line.title, "blocks": line.blocks} for line in lines]


def _effective(share: float) -> Check:
    """Warn of sets that are worth less than k."""
    sentence = message(
        "{share:.0%} of the changed pseudonyms hide among fewer than k people once timing and turns are known.",
        share=share,
    )
    return Check("effective", "Sets are worth k people", share == 0, sentence, blocks=False)


def _linked(share: float) -> Check:
    """Warn of changed pseudonyms that are linked nevertheless."""
    sentence = message("{share:.0%} of the changed pseudonyms can still be linked.", share=share)
    return Check("linked", "Pseudonyms cannot be linked", share <= _MUCH_LOST, sentence, blocks=False)


def _shared(share: float) -> Check:
    """Warn of regions that only few would send."""
    sentence = message("{share:.0%} of the users send a region that at least k users send.", share=share)
    return Check("shared", "Regions are reciprocal", share == 1, sentence, blocks=False)


def _spots(users: int) -> Check:
    """Warn of regions in which all are at one spot."""
    sentence = message("{users:user is|users are} in a region with one place only; ask for more different places (l).",
                   users=users) if users else "Every region holds several places."  # fmt: skip
    return Check("spots", "Nobody's spot is told", users == 0, sentence, blocks=False)


def _exact(delta: float) -> Check:
    """Warn of tracks that are not the same."""
    title = "No reliance on uncertainty"
    if delta:
        return Check(
            "exact",
            title,
            False,
            message(
                "Tracks of a class differ by up to {delta:g} m: who knows exact places tells them apart.", delta=delta
            ),
            blocks=False,
        )
    return Check("exact", title, True, "What is published of a class is the same for all of it.")


def _lost(share: float) -> Check:
    """Warn when much of the data is gone."""
    sentence = message("{share:.0%} of the tracks do not leave.", share=share)
    return Check("lost", "Most tracks leave", share <= _MUCH_LOST, sentence, blocks=False)


def _again(earlier: int) -> Check:
    """Refuse a second, different release of the same places: who compares both may find people."""
    title = "No other release of these places"
    if earlier:
        sentence = message(
            "The ledger knows {earlier:other release|other releases} of these places; compared, they may tell more.",
            earlier=earlier,
        )
        return Check("ledger", title, False, sentence)
    return Check("ledger", title, True, "The ledger knows no other release of these places, or none is used.")


_OF_WAY = {CLOAK: ("reciprocal", "single_spots"), TILES: (), MIX: ("below_k", "linked")}
"""What the lines of a way are about."""
_ABOUT: Mapping[str, Callable[[Any], Check]] = {
    "reciprocal": _shared, "single_spots": _spots, "below_k": _effective, "linked": _linked,
}  # fmt: skip
