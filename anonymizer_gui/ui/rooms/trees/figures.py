"""The figures of a release of nested records, and that it was counted again."""

from anonymizer_gui.engine.rooms.trees.algorithms.contract import DIVERSITY, LEFT_OPEN
from anonymizer_gui.engine.rooms.trees.release import Release
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.widgets.figure_cards import Figure

_MOST_GONE = 0.5
"""A path that loses more of its labels than this is worth a warning: little is left to learn from."""


def figures_of(release: Release) -> tuple[Figure, ...]:
    """Give the smallest set found, the loss, what was suppressed or taken apart, and how many records changed."""
    found = release.measured
    holds = all(promise.holds for promise in release.promises)
    counted = tr("Verified by recount: yes") if holds else tr("Verified by recount: no")
    worst = max(found.by_path, key=lambda path: found.by_path[path])
    most = tr("most at {path}: {loss}", path=worst, loss=format_percent(found.by_path[worst]))
    least = most if found.lm else tr("every label stayed as it was")
    of_all = tr("{n} of {all:vertex|vertices}", n=format_integer(found.suppressed), all=found.vertices)
    apart = tr("{n:relation|relations} taken apart", n=found.disassociated)
    is_few = release.project.algorithm.expects_patterns
    smallest = tr("Smallest support of a pattern") if is_few else tr("Smallest class")
    return (
        Figure("smallest", smallest, format_integer(found.smallest_class), counted, "good" if holds else "bad"),
        *_diverse(release),
        Figure("loss", tr("Loss (LM)"), format_percent(found.lm), least, "info"),
        Figure("suppressed", tr("Vertices suppressed"), format_percent(found.share_suppressed), of_all, "info"),
        Figure(
            "changed",
            tr("Records changed"),
            format_percent(found.changed / max(found.records, 1)),
            apart if is_few else tr("{n} of {all:record|records}", n=format_integer(found.changed), all=found.records),
            "info",
        ),
    )


def _diverse(release: Release) -> tuple[Figure, ...]:
    """Show the fewest sensitive values, where l was asked for, and which path gave up most labels for it."""
    promise = next((each for each in release.promises if each.name in (DIVERSITY, LEFT_OPEN)), None)
    gone = release.measured.gone
    if promise is None or not gone:
        return ()
    most = max(gone, key=lambda path: gone[path])
    words = tr("at most {share} of the labels are gone, at {path}", share=format_percent(gone[most]), path=most)
    words = words if gone[most] else tr("every sensitive label stayed")
    tone = "bad" if not promise.holds else "warn" if gone[most] > _MOST_GONE else "good"
    value = format_integer(int(promise.value)) if promise.value else "–"
    return (Figure("diverse", tr("Fewest sensitive values"), value, words, tone),)
