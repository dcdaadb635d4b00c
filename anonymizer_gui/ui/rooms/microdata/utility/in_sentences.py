"""What a release is still good for, in three sentences: detail, counts, and what is missing."""

from collections.abc import Mapping

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.utility.contract import MetricResult
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr

Results = Mapping[str, MetricResult | AnonymizerError]


def three_sentences(release: Release, results: Results) -> tuple[str, ...]:
    """Say what was measured; what could not be measured is left out."""
    return tuple(filter(None, (_detail(release), _counts(results), _missing(release, results))))


def distance_sentence(release: Release, least: float | None) -> str:
    """Say how far the loss is from what cannot be avoided; nothing where no bound was proven."""
    lm = release.measured.lm
    if lm is None or least is None:
        return ""
    return tr(
        "It loses {lm}; it is proven that no recoding with these hierarchies and goals loses less than {least}.",
        lm=format_percent(lm),
        least=format_percent(least),
    )


def _detail(release: Release) -> str:
    losses = {name: loss for name, loss in release.measured.loss.lm_columns.items() if loss is not None}
    lm = release.measured.lm
    if lm is None or not losses:
        return ""
    most, least = max(losses, key=lambda name: losses[name]), min(losses, key=lambda name: losses[name])
    if len(losses) == 1:
        return tr(
            "A cell of “{column}” keeps {kept} of its detail on average.", column=most, kept=format_percent(1 - lm, 0)
        )
    return tr(
        "A cell keeps {kept} of its detail on average; “{most}” loses most ({most_loss}), “{least}” least "
        "({least_loss}).",
        kept=format_percent(1 - lm, 0),
        most=most,
        most_loss=format_percent(losses[most], 0),
        least=least,
        least_loss=format_percent(losses[least], 0),
    )


def _counts(results: Results) -> str:
    found = results.get("query-error")
    if not isinstance(found, MetricResult) or not found.details.get("queries"):
        return ""
    return tr(
        "A count asked of the release is typically wrong by {error}; one in twenty is wrong by more than {most}.",
        error=format_percent(found.value, 0),
        most=format_percent(found.details["p95"], 0),
    )


def _missing(release: Release, results: Results) -> str:
    rows = release.measured.rows + release.measured.suppressed
    left_out = tr(
        "{count} of {rows:row is|rows are} left out.",
        count=format_integer(release.suppressed),
        rows=format_integer(rows),
    )
    found = results.get("contingency")
    if not isinstance(found, MetricResult) or found.value != found.value:
        return left_out
    return tr(
        "{left_out} Tables of two columns against each other agree with the original in {share} of the rows.",
        left_out=left_out,
        share=format_percent(1 - found.value, 0),
    )
