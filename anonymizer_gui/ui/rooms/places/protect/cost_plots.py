"""What protection costs, as charts and sentences."""

from collections.abc import Sequence
from typing import Any

from anonymizer_gui.engine.rooms.places.sweep import CloakCost, MixCost, TileCost, TimeCost
from anonymizer_gui.ui.charts.plots import BarPlot, LinePlot, Plot
from anonymizer_gui.ui.i18n import format_percent, tr
from anonymizer_gui.ui.rooms.places.figures import metres

_HOUR = 3600.0


def cost_plot(found: Sequence[Any]) -> Plot | None:
    """Draw the curve over k, or both kinds of time beside each other."""
    if not found:
        return None
    if isinstance(found[0], TimeCost):
        return BarPlot(
            tr("Tracks lost in relative and in absolute time"), [_time(cost.time) for cost in found],
            {tr("lost"): [cost.lost for cost in found]}, "", "", shares=True,
        )  # fmt: skip
    if isinstance(found[0], TileCost):
        losses = {tr("loss"): [cost.loss for cost in found], tr("deleted"): [cost.deleted for cost in found]}
        return LinePlot(tr("Loss against k"), [cost.k for cost in found], losses, "k", "")
    if isinstance(found[0], MixCost):
        sets = {
            tr("as it looks"): [cost.nominal for cost in found],
            tr("under timing and turns"): [cost.effective for cost in found],
        }
        return LinePlot(
            tr("Size of a set against the number of zones"), [c.zones for c in found], sets, tr("Zones"), tr("People")
        )
    costs: list[CloakCost] = list(found)
    at = [cost.k for cost in costs]
    if any(cost.median_wait for cost in costs):
        waits = {tr("median"): [cost.median_wait / _HOUR for cost in costs]}
        return LinePlot(tr("Waiting against k"), at, waits, "k", tr("Hours"))
    sides = {tr("median"): [cost.median_side for cost in costs], tr("one in ten"): [cost.p90_side for cost in costs]}
    return LinePlot(tr("Side of a region against k"), at, sides, "k", tr("Metres"))


def cost_words(found: Sequence[Any]) -> str:
    """Say what the chart shows."""
    if not found:
        return ""
    if isinstance(found[0], TimeCost):
        parts = [
            tr("{time}: {lost} of the tracks are lost, the others moved by {far} on average.", time=_time(cost.time),
               lost=format_percent(cost.lost), far=metres(cost.displacement))
            for cost in found
        ]  # fmt: skip
        return " ".join(parts)
    if isinstance(found[0], TileCost):
        return tr("The more people must fit, the coarser tiles and slots become, and the more visits are deleted.")
    if isinstance(found[0], MixCost):
        last_mix: MixCost = found[-1]
        return tr(
            "More zones change pseudonyms more often and silence more: {zones:zone silences|zones silence} {share} of "
            "the points.",
            zones=last_mix.zones, share=format_percent(last_mix.silent),
        )  # fmt: skip
    last: CloakCost = found[-1]
    return tr(
        "The more people must fit, the larger the region or the longer the wait: k = {k} takes {side} in the middle; "
        "{share} of the users send a region that k users send.",
        k=last.k, side=metres(last.median_side), share=format_percent(last.reciprocal),
    )  # fmt: skip


def _time(name: str) -> str:
    return tr("Relative time") if name == "relative" else tr("Absolute time")
