"""The figures of a release of places, and that it was counted again."""

from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, TILES
from anonymizer_gui.engine.rooms.places.project import PLACES
from anonymizer_gui.engine.rooms.places.release import Release
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.widgets.figure_cards import Figure
from anonymizer_gui.workspace.document import Document

_HOUR = 3600.0


def release_figures(release: Release) -> tuple[Figure, ...]:
    """Give the smallest group found, what it costs, and what is left open."""
    if release.project.way == CLOAK:
        return _of_regions(release)
    if release.project.way == TILES:
        return _of_tiles(release)
    return _of_mix(release) if release.project.way == MIX else _of_tracks(release)


def _of_tiles(release: Release) -> tuple[Figure, ...]:
    found, k = release.measured, release.project.k
    deleted = found["deleted"] / max(found["visits"], 1)
    return (
        Figure(
            "smallest",
            tr("Fewest who share a few"),
            format_integer(found["smallest_support"]),
            _counted(release),
            _tone(found["smallest_support"] >= k),
        ),
        Figure(
            "loss",
            tr("Loss (NCP)"),
            format_decimal(found["ncp"], 3),
            tr(
                "{left} of {all} tiles and slots are left",
                left=format_integer(found["kinds_left"]),
                all=format_integer(found["kinds"]),
            ),
            "info",
        ),
        Figure("deleted", tr("Deleted"), format_percent(deleted), tr("of the visits"), "info"),
        Figure(
            "people",
            tr("People"),
            format_integer(found["people"]),
            tr("{n} have nothing left", n=format_integer(found["left_out"])),
            "info",
        ),
    )


def _of_mix(release: Release) -> tuple[Figure, ...]:
    found, k = release.measured, release.project.k
    silent = found["silent"] / max(found["silent"] + found["points"], 1)
    swapped = tr("{swapped} of {passages} passages change the pseudonym", swapped=format_integer(found["swapped"]),
                 passages=format_integer(found["passages"]))  # fmt: skip
    return (
        Figure(
            "smallest",
            tr("Smallest mix"),
            format_integer(found["smallest_mix"]),
            _counted(release),
            "info" if not found["mixes"] else _tone(found["smallest_mix"] >= k),
        ),
        Figure(
            "effective",
            tr("A set is worth"),
            format_decimal(found["effective"], 1),
            tr("people under timing and turns"),
            "good" if found["effective"] >= k else "warn",
            format_decimal(found["nominal"], 1),
        ),
        Figure(
            "linked",
            tr("Linked nevertheless"),
            format_percent(found["linked"]),
            swapped,
            "warn" if found["linked"] else "info",
        ),
        Figure(
            "silent", tr("Silent"), format_percent(silent), tr("of the points, in zones and at trimmed ends"), "info"
        ),
    )


def _counted(release: Release) -> str:
    holds = all(promise.holds for promise in release.promises)
    return tr("Verified by recount: yes") if holds else tr("Verified by recount: no")


def _of_regions(release: Release) -> tuple[Figure, ...]:
    found, k = release.measured, release.project.k
    wait = (
        Figure("wait", tr("Waiting"), _time(found["median_wait_s"]), tr("in the middle; {most} for one in ten",
               most=_time(found["p90_wait_s"])), "info"),
    ) if release.made.waits is not None else ()  # type: ignore[union-attr]  # regions have it  # fmt: skip
    return (
        Figure(
            "smallest",
            tr("Fewest users in a region"),
            format_integer(found["smallest_region"]),
            _counted(release),
            _tone(found["smallest_region"] >= k),
        ),
        Figure(
            "side",
            tr("Side of a region"),
            format_metres(found["median_side_m"]),
            tr("in the middle; {most} for one in ten", most=format_metres(found["p90_side_m"])),
            "info",
        ),
        Figure(
            "reciprocal",
            tr("Reciprocal"),
            format_percent(found["reciprocal"]),
            tr("of the users send a region that {k} send", k=k),
            "good" if found["reciprocal"] == 1 else "warn",
        ),
        *wait,
        Figure(
            "spots",
            tr("At one spot"),
            format_integer(found["single_spots"]),
            tr("users in a region with one place"),
            "warn" if found["single_spots"] else "good",
        ),
    )


def _of_tracks(release: Release) -> tuple[Figure, ...]:
    found, k = release.measured, release.project.k
    delta = release.project.algorithm.metres_apart()
    lost = found["lost"] / max(found["tracks"], 1)
    relies = tr("relies on uncertainty of {delta} m", delta=f"{delta:g}") if delta else _counted(release)
    return (
        Figure(
            "smallest",
            tr("Smallest class"),
            format_integer(found["smallest_class"]),
            relies,
            "warn" if delta else _tone(found["smallest_class"] >= k),
        ),
        Figure(
            "lost",
            tr("Tracks lost"),
            format_percent(lost),
            tr("{lost} of {tracks}", lost=format_integer(found["lost"]), tracks=format_integer(found["tracks"])),
            "warn" if lost > 0.2 else "info",
        ),
        Figure(
            "moved",
            tr("Displacement"),
            format_metres(found["mean_displacement_m"]),
            tr("on average; {most} for one in ten", most=format_metres(found["p90_displacement_m"])),
            "info",
        ),
        Figure(
            "unique",
            tr("Found by 2 points"),
            format_percent(release.unique["after"][1]),
            tr("of the tracks"),
            _tone(release.unique["after"][1] == 0),
            format_percent(release.unique["before"][1]),
        ),
    )


def format_metres(value: float) -> str:
    """Write a length for people."""
    return (
        tr("{n} km", n=format_decimal(value / 1000, 1))
        if value >= 10_000
        else tr("{n} m", n=format_integer(round(value)))
    )


def _time(seconds: float) -> str:
    if seconds < 2 * 60:
        return tr("{n} s", n=format_integer(round(seconds)))
    return (
        tr("{n} min", n=format_integer(round(seconds / 60)))
        if seconds < 2 * _HOUR
        else tr("{n} h", n=format_decimal(seconds / _HOUR, 1))
    )


def _tone(good: bool) -> str:
    return "good" if good else "bad"


ROOM = "places"


def places_of(document: Document) -> Places | None:
    """Give the places that are open; nothing where the document is of another room or has none."""
    found: Places | None = document.files.get(PLACES) if document.room == ROOM else None
    return found


def release_of(document: Document) -> Release | None:
    """Give the chosen release."""
    found: Release | None = document.selected if document.room == ROOM else None
    return found


def has_places(document: Document) -> bool:
    """Tell whether places are open."""
    return places_of(document) is not None
