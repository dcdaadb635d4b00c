"""The figures of a release of nested records, and that it was counted again."""

from anonymizer_gui.engine.rooms.trees.release import Release
from anonymizer_gui.ui.i18n import percent, tr, whole
from anonymizer_gui.ui.widgets.figure_cards import Figure


def figures_of(release: Release) -> tuple[Figure, ...]:
    """Give the smallest set found, the loss, what was suppressed or taken apart, and how many records changed."""
    found = release.measured
    holds = all(promise.holds for promise in release.promises)
    counted = tr("Verified by recount: yes") if holds else tr("Verified by recount: no")
    worst = max(found.by_path, key=lambda path: found.by_path[path])
    most = tr("most at {path}: {loss}", path=worst, loss=percent(found.by_path[worst]))
    least = most if found.lm else tr("every label stayed as it was")
    of_all = tr("{n} of {all:vertex|vertices}", n=whole(found.suppressed), all=found.vertices)
    apart = tr("{n:relation|relations} taken apart", n=found.disassociated)
    is_few = release.project.algorithm.expects_patterns
    smallest = tr("Smallest support of a pattern") if is_few else tr("Smallest class")
    return (
        Figure("smallest", smallest, whole(found.smallest_class), counted, "good" if holds else "bad"),
        Figure("loss", tr("Loss (LM)"), percent(found.lm), least, "info"),
        Figure("suppressed", tr("Vertices suppressed"), percent(found.share_suppressed), of_all, "info"),
        Figure(
            "changed", tr("Records changed"), percent(found.changed / max(found.records, 1)),
            apart if is_few else tr("{n} of {all:record|records}", n=whole(found.changed), all=found.records), "info",
        ),
    )  # fmt: skip
