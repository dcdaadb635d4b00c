"""The figures of a release in words: large number, what it means, how it stands, and what it was before."""

from collections.abc import Sequence

from anonymizer_gui.engine.rooms.microdata.measurement import RECURSIVE_C, TableMeasurement
from anonymizer_gui.engine.rooms.microdata.models.contract import Measurement, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.thresholds import (
    BAD_LOSS,
    BAD_SHARE,
    COMFORTABLE_K,
    COMFORTABLE_RISK,
    GOOD_LOSS,
    GOOD_SHARE,
)
from anonymizer_gui.engine.rooms.microdata.views.equivalence_classes import RecordsBySize
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.i18n import format_integer, format_percent, format_significant, tr
from anonymizer_gui.ui.widgets.figure_cards import Figure


def release_figures(
    release: Release, before: TableMeasurement | None, pointing: Sequence[str] = ()
) -> tuple[Figure, ...]:
    """Put the measured numbers of a release into figures; nothing is computed here but shares for people.

    `pointing` are columns that leave unchanged and point to people: k and risk then say little.
    """
    return (
        _goals(release),
        _k(release, before, pointing),
        *_diversity(release, before),
        *_closeness(release, before),
        *_most_alike(release, before),
        *_other_promises(release),
        *_exposed(release),
        _risk(release, before, pointing),
        _loss(release),
        _suppressed(release),
        *_emptied(release),
        _classes(release, before),
    )


def verdict_legend() -> str:
    """Say from where on figures are green, amber and red."""
    return tr(
        "Green: k from {k} on, risk up to {risk}, loss up to {loss}, suppressed up to {share}. Red: k of 1, loss above "
        "{bad_loss}, suppressed above {bad_share}, a goal that fails. Amber: between. Blue: for information.",
        k=COMFORTABLE_K,
        risk=format_one_in(COMFORTABLE_RISK),
        loss=format_percent(GOOD_LOSS, 0),
        share=format_percent(GOOD_SHARE, 0),
        bad_loss=format_percent(BAD_LOSS, 0),
        bad_share=format_percent(BAD_SHARE, 0),
    )


def format_one_in(risk: float) -> str:
    """Say a risk as “1 in 5”."""
    return tr("1 in {n}", n=format_significant(1 / risk, 3)) if risk > 0 else tr("nobody")


def format_figure(value: float | None) -> str:
    """Write a number for people."""
    if value is None:
        return "–"
    return format_significant(value, 3)


def _goals(release: Release) -> Figure:
    promises = release.promises
    held, count = sum(promise.holds for promise in promises), len(promises)
    if not count:
        return Figure("goals", tr("Goals"), tr("none"), tr("Nothing is promised."), "bad")
    words = tr("All goals are met.") if held == count else tr("Not every goal is met.")
    tone = "good" if held == count else "bad"
    estimated = sum(promise.is_estimate for promise in promises)
    if held == count and estimated:
        tone, words = "info", tr("All goals are met, {n} by estimate only.", n=estimated)
    told = "\n".join(tr(promise.sentence) for promise in promises)
    return Figure("goals", tr("Goals"), f"{held}/{count}", words, tone, more=told)


def _other_promises(release: Release) -> tuple[Figure, ...]:
    """Show every promise whose number no other figure tells."""
    both = zip(release.promises, release.measured.goals, strict=True)
    others = [promise for promise, (model, found) in both if not _is_told(release, model, found)]
    return tuple(
        Figure(
            f"promise_{promise.name}",
            tr(promise.title),
            format_figure(promise.value),
            tr(promise.sentence),
            "bad" if not promise.holds else "info" if promise.is_estimate else "good",
        )
        for promise in others
    )


def _k(release: Release, before: TableMeasurement | None, pointing: Sequence[str]) -> Figure:
    k = release.measured.k
    tone = "good" if k >= COMFORTABLE_K else "warn" if k > 1 else "bad"
    if release.measured.people is not None:
        words = tr("Everybody looks like at least {n:other person|other people}.", n=k - 1)
        alone = tr("Somebody looks like nobody else.")
    else:
        words = tr("Every row looks like at least {n:other|others}.", n=k - 1)
        alone = tr("Some row looks like no other.")
    if k <= 1:
        words = alone
    elif pointing:
        tone, words = "warn", _beside(pointing)
    elif release.measured.exposed is not None:
        tone = "info"  # whoever knows items, too, is left with fewer: another figure says with how many
        words = tr("Without its sets, every row looks like at least {n:other|others}.", n=k - 1)
    limits = tr("Green from {k} on, red where somebody is alone.", k=COMFORTABLE_K)
    return Figure("k", "k", format_integer(k), words, tone, format_figure(before.k) if before else "", limits)


def _diversity(release: Release, before: TableMeasurement | None) -> tuple[Figure, ...]:
    found = release.measured.l
    if not found:
        return ()
    words = tr(
        "entropy {entropy}, recursive {recursive} (c = {c})",
        entropy=format_figure(found["entropy"]),
        recursive=format_figure(found["recursive"]),
        c=format_figure(RECURSIVE_C),
    )
    each = _of_each(release.measured, "l", "distinct")
    if len(each) > 1:
        least = min(each, key=lambda name: each[name])
        words = "; ".join((tr("least in “{column}”", column=least), words))
    tone = _goal_tone(release, "l") or "info"  # without a goal nothing is promised, however many there are
    if tone != "bad" and found["distinct"] < 2:  # a goal may look at another sensitive column only
        tone = "warn"
    was = format_figure(before.l.get("distinct")) if before else ""
    return (Figure("l", tr("l (distinct)"), format_figure(found["distinct"]), words, tone, was, _listed(each)),)


def _of_each(measured: TableMeasurement, kind: str, name: str) -> dict[str, float]:
    """Give a figure of each sensitive column that has it."""
    return {column: both[kind][name] for column, both in measured.per_sensitive.items() if name in both[kind]}


def _listed(each: dict[str, float]) -> str:
    """List the figures of several columns; one alone is told already."""
    return ", ".join(f"{name} {format_figure(value)}" for name, value in each.items()) if len(each) > 1 else ""


def _closeness(release: Release, before: TableMeasurement | None) -> tuple[Figure, ...]:
    chosen = _distance_shown(release)
    found = release.measured.t.get(chosen)
    if found is None:
        return ()
    each = _of_each(release.measured, "t", chosen)
    farthest = max(each, key=lambda name: each[name])
    words = tr("largest distance of a class from all published rows")
    if len(each) > 1:
        words = tr("largest distance of a class from all published rows, in “{column}”", column=farthest)
    # A goal that is met says nothing good about another column that is farther off.
    tone = _goal_tone(release, "t", farthest) or "info"
    was = format_figure(before.t.get(chosen)) if before else ""
    more = "\n".join(filter(None, (_way(chosen), _listed(each))))
    return (Figure("t", "t", format_figure(found), words, tone, was, more),)


def _way(distance: str) -> str:
    """Say shortly how distance is measured."""
    ways = {
        "emd": tr("earth mover’s"),
        "emd-equal": tr("earth mover’s, equal steps"),
        "emd-ordered": tr("earth mover’s, ordered"),
        "emd-hierarchical": tr("earth mover’s, by hierarchy"),
        "variational": tr("variational"),
        "kl": tr("Kullback-Leibler"),
        "euclidean": tr("Euclidean"),
        "jensen-shannon": tr("Jensen-Shannon"),
    }
    return ways.get(distance, distance)


def _beside(pointing: Sequence[str]) -> str:
    return tr("by the quasi-identifiers alone: “{column}” leaves, too, and points to people", column=pointing[0])


def _risk(release: Release, before: TableMeasurement | None, pointing: Sequence[str]) -> Figure:
    risk = release.measured.risk
    highest = risk.highest
    tone = "good" if risk.highest <= COMFORTABLE_RISK else "warn" if risk.highest < 1 else "bad"
    words = tr("at worst to be picked out; {average} on average", average=format_one_in(risk.average))
    if known := release.measured.exposed:
        # The class alone says little about somebody of whom items are known, too.
        words = tr(
            "with up to {m:item|items} known; {risk} by the class alone", risk=format_one_in(risk.highest), m=known.m
        )
        highest = max(highest, 1 / max(known.fewest, 1))
        tone = "bad" if known.rows else "good" if highest <= COMFORTABLE_RISK else "warn"
    if pointing and risk.highest < 1:
        tone, words = "warn", _beside(pointing)
    limits = tr("Green up to {risk}, red where somebody is alone.", risk=format_one_in(COMFORTABLE_RISK))
    was = format_one_in(before.risk.highest) if before else ""
    return Figure("risk", tr("Risk"), format_one_in(highest), words, tone, was, limits)


def _loss(release: Release) -> Figure:
    lm, md = release.measured.lm, release.measured.md
    tone = "info" if lm is None else "good" if lm <= GOOD_LOSS else "warn" if lm <= BAD_LOSS else "bad"
    words = tr("of the detail is lost; {md:level|levels} climbed (MD)", md=format_figure(md))
    limits = _limits(GOOD_LOSS, BAD_LOSS)
    return Figure(
        "lm", tr("Loss (LM)"), "–" if lm is None else format_percent(lm), words, tone, format_percent(0, 0), limits
    )


def _exposed(release: Release) -> tuple[Figure, ...]:
    """Show the rows that a class and a few items give away, where there are sets."""
    found = release.measured.exposed
    if found is None:
        return ()
    words = tr(
        "of rows: fewer than {k} fit their class with up to {m:item|items}", k=format_integer(found.k), m=found.m
    )
    tone = "bad" if found.rows else "good"
    return (
        Figure("exposed", tr("Exposed"), format_percent(found.share), words, tone, more=format_integer(found.rows)),
    )


def _suppressed(release: Release) -> Figure:
    rows = release.measured.rows + release.measured.suppressed
    share = release.suppressed / rows if rows else 0.0
    tone = "good" if share <= GOOD_SHARE else "warn" if share <= BAD_SHARE else "bad"
    words = tr(
        "of {rows:record|records} suppressed ({share})", rows=format_integer(rows), share=format_percent(share, 2)
    )
    limits = _limits(GOOD_SHARE, BAD_SHARE)
    return Figure("suppressed", tr("Suppressed"), format_integer(release.suppressed), words, tone, more=limits)


def _limits(good: float, bad: float) -> str:
    """Say from where on a figure is green, and from where on red."""
    return tr("Green up to {good}, red above {bad}.", good=format_percent(good, 0), bad=format_percent(bad, 0))


def _emptied(release: Release) -> tuple[Figure, ...]:
    """Show the rows with nothing left beside the suppressed ones, where there are any."""
    measured = release.measured
    if not measured.emptied:
        return ()
    share = measured.emptied / (measured.rows + measured.suppressed)
    tone = "good" if share <= GOOD_SHARE else "warn" if share <= BAD_SHARE else "bad"
    words = tr("published with nothing left in any quasi-identifier ({share})", share=format_percent(share, 2))
    limits = _limits(GOOD_SHARE, BAD_SHARE)
    return (Figure("emptied", tr("Nothing left"), format_integer(measured.emptied), words, tone, more=limits),)


def _most_alike(release: Release, before: TableMeasurement | None) -> tuple[Figure, ...]:
    """Show how sure one may be of the most frequent sensitive value of a class."""
    each = release.measured.largest_share
    if not each:
        return ()
    most = max(each, key=lambda name: each[name])
    words = tr("of a class at most have the same value")
    if len(each) > 1:
        words = tr("of a class at most have the same value of “{column}”", column=most)
    tone = "bad" if each[most] >= 1 else "info"
    was = format_percent(max(before.largest_share.values())) if before and before.largest_share else ""
    more = ", ".join(f"{name} {format_percent(share)}" for name, share in each.items()) if len(each) > 1 else ""
    return (Figure("share", tr("Largest share"), format_percent(each[most]), words, tone, was, more),)


def _classes(release: Release, before: TableMeasurement | None) -> Figure:
    sizes, people = release.measured.class_heads, release.measured.people
    smallest, largest = int(sizes.min(initial=release.measured.rows)), int(sizes.max(initial=0))
    if people is not None:
        words = tr("of {low} to {high:person|people}", low=format_integer(smallest), high=largest)
    elif smallest == largest:
        words = tr("of {size:record|records} each", size=largest)
    else:
        words = tr("of {low} to {high:record|records}", low=format_integer(smallest), high=largest)
    was = format_integer(before.classes) if before else ""
    return Figure("classes", tr("Classes"), format_integer(release.measured.classes), words, "info", was)


def _distance_shown(release: Release) -> str:
    """Name the distance that the figure t shows: that of the first goal that has one."""
    return next((goal.distance for goal in release.project.goals if goal.distance), "emd")


def _is_told(release: Release, model: PrivacyModel, found: Measurement) -> bool:
    """Say whether a figure tells the number of a goal; one that compares with something else has another number."""
    if not model.needs_sensitive or not model.figure:
        return model.is_the_figure
    kinds = (_distance_shown(release),) if model.figure == "t" else ("distinct", "entropy", "recursive")
    each = release.measured.per_sensitive.items()
    return any(
        both[model.figure].get(kind) == found.value for name, both in each if model.looks_at(name) for kind in kinds
    )


def _goal_tone(release: Release, figure: str, column: str = "") -> str:
    """Say how the goals stand that a figure tells, or only those about a column; nothing where there is none."""
    held = [
        found.holds
        for model, found in release.measured.goals
        if model.figure == figure and (not column or model.looks_at(column)) and _is_told(release, model, found)
    ]
    return "" if not held else "good" if all(held) else "bad"


def risk_figures(release: Release, before: TableMeasurement, pointing: Sequence[str] = ()) -> tuple[Figure, ...]:
    """Put the risk of a release into figures, each with what it was before."""
    now, was = release.measured.risk, before.risk
    fine = "warn" if pointing else "good"  # by the quasi-identifiers alone, which the first of the figures says
    drawn, above = tr("for somebody drawn at random"), tr("with a risk above {risk}", risk=format_one_in(now.threshold))
    if release.measured.exposed is not None:
        fine, alone = "info", tr("by the class alone, without items")
        drawn, above = f"{drawn}; {alone}", f"{above}; {alone}"
    return (
        _risk(release, before, pointing),
        Figure(
            "average",
            tr("Average risk"),
            format_one_in(now.average),
            drawn,
            fine if now.average <= COMFORTABLE_RISK else "warn",
            format_one_in(was.average),
            tr("Green up to {risk}.", risk=format_one_in(COMFORTABLE_RISK)),
        ),
        Figure(
            "unique",
            tr("Unique records") if release.measured.people is None else tr("People on their own"),
            format_integer(now.unique_rows),
            tr("alone in their class ({share})", share=format_percent(now.unique_share)),
            "bad" if now.unique_rows else fine,
            format_integer(was.unique_rows),
            tr("Green where there are none."),
        ),
        Figure(
            "above",
            tr("Above the threshold"),
            format_integer(now.rows_above),
            above,
            "warn" if now.rows_above else fine,
            format_integer(was.rows_above),
            tr("Green where there are none."),
        ),
    )


def class_size_plot(sizes: RecordsBySize) -> BarPlot:
    """Draw how many are in classes of each size, before and after; before alone while there is no release."""
    series = {tr("before"): sizes.before, tr("after"): sizes.after}
    title = tr("Records by the size of their class, before and after")
    if sizes.are_people:
        title = tr("People by how many are in their class, before and after")
    if not any(sizes.after):
        series = {tr("before"): sizes.before}
        alone, everybody = sum(sizes.before[: int(sizes.labels[:1] == ("1",))]), sum(sizes.before)
        title = tr(
            "As the table is, {alone} of {rows:record looks|records look} like no other in the quasi-identifiers",
            alone=format_integer(alone),
            rows=format_integer(everybody),
        )
    unit = tr("People") if sizes.are_people else tr("Records")
    return BarPlot(title, sizes.labels, series, x=tr("Size of the class"), y=unit)
