"""The three figures of a release of baskets, and that it was counted again."""

from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.widgets.figure_cards import Figure


def figures_of(release: Release) -> tuple[Figure, ...]:
    """Give the smallest support found, the loss, what was removed, and who is exposed before and after."""
    found = release.measured
    holds = all(promise.holds for promise in release.promises)
    left = tr("{left} of {all:value|values} left", left=format_integer(found.values_left), all=found.items)
    removed = tr("{n:occurrence|occurrences} of items", n=found.deleted)
    counted = tr("Verified by recount: yes") if holds else tr("Verified by recount: no")
    exposed = tr("baskets with up to {m:item|items} that fewer than {k} hold", m=found.m, k=found.k)
    return (
        Figure("support", tr("Smallest support found"), format_integer(found.smallest_support), counted, _tone(holds)),
        Figure("loss", tr("Loss (NCP)"), format_decimal(found.ncp, 5), left, "info"),
        Figure("removed", tr("Deleted"), format_percent(found.share_deleted, 2), removed, "info"),
        Figure(
            "exposed", tr("Exposed"), format_integer(found.exposed_after), exposed, _tone(found.exposed_after == 0),
            format_integer(found.exposed_before),
        ),
    )  # fmt: skip


def _tone(good: bool) -> str:
    return "good" if good else "bad"
