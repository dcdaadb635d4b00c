"""The checklist of places before they leave."""

from anonymizer_gui.engine.room import Check
from anonymizer_gui.engine.rooms.places.cloaking.regions import Regions
from anonymizer_gui.engine.rooms.places.mixing.mixed import Mixed
from anonymizer_gui.engine.rooms.places.release import Release
from anonymizer_gui.engine.rooms.places.tiles.tiled import Tiled
from anonymizer_gui.engine.words import say

_MUCH_LOST = 0.2


def checks_of(release: Release, earlier: int) -> tuple[Check, ...]:
    """Give every line of the checklist."""
    promised = tuple(
        Check(promise.name, promise.title, promise.holds, promise.sentence, is_promise=True)
        for promise in release.promises
    )
    return (*promised, *_own(release), _again(earlier))


def _own(release: Release) -> tuple[Check, ...]:
    if isinstance(release.made, Regions):
        return _shared(release), _spots(release)
    if isinstance(release.made, Tiled):
        return ()
    if isinstance(release.made, Mixed):
        return _effective(release), _linked(release)
    return _exact(release), _lost(release)


def _effective(release: Release) -> Check:
    """Warn of sets that are worth less than k."""
    share = float(release.measured["below_k"])
    sentence = say(
        "{share:.0%} of the changed pseudonyms hide among fewer than k people once timing and turns are known.",
        share=share,
    )
    return Check("effective", "Sets are worth k people", share == 0, sentence, blocks=False)


def _linked(release: Release) -> Check:
    """Warn of changed pseudonyms that are linked nevertheless."""
    share = float(release.measured["linked"])
    sentence = say("{share:.0%} of the changed pseudonyms can still be linked.", share=share)
    return Check("linked", "Pseudonyms cannot be linked", share <= _MUCH_LOST, sentence, blocks=False)


def _shared(release: Release) -> Check:
    """Warn of regions that only few would send."""
    share = float(release.measured["reciprocal"])
    sentence = say("{share:.0%} of the users send a region that at least k users send.", share=share)
    return Check("shared", "Regions are reciprocal", share == 1, sentence, blocks=False)


def _spots(release: Release) -> Check:
    """Warn of regions in which all are at one spot."""
    users = int(release.measured["single_spots"])
    sentence = say("{users:user is|users are} in a region with one place only; ask for more different places (l).",
                   users=users) if users else "Every region holds several places."  # fmt: skip
    return Check("spots", "Nobody's spot is told", users == 0, sentence, blocks=False)


def _exact(release: Release) -> Check:
    """Warn of tracks that are not the same."""
    delta = release.project.algorithm.metres_apart()
    title = "No reliance on uncertainty"
    if delta:
        return Check("exact", title, False, say("Tracks of a class differ by up to {delta:g} m: who knows exact places "
                                                "tells them apart.", delta=delta), blocks=False)  # fmt: skip
    return Check("exact", title, True, "What is published of a class is the same for all of it.")


def _lost(release: Release) -> Check:
    """Warn when much of the data is gone."""
    share = release.measured["lost"] / max(release.measured["tracks"], 1)
    sentence = say("{share:.0%} of the tracks do not leave.", share=share)
    return Check("lost", "Most tracks leave", share <= _MUCH_LOST, sentence, blocks=False)


def _again(earlier: int) -> Check:
    """Refuse a second, different release of the same places: who compares both may find people."""
    title = "No other release of these places"
    if earlier:
        sentence = say(
            "The ledger knows {earlier:other release|other releases} of these places; compared, they may tell more.",
            earlier=earlier,
        )
        return Check("ledger", title, False, sentence)
    return Check("ledger", title, True, "The ledger knows no other release of these places, or none is used.")
