"""The worst that is known of a release, for the rail: what was measured, and whom the attacks of the bench hit."""

from collections.abc import Mapping
from dataclasses import dataclass

from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.risk.attacks import AttackResult
from anonymizer_gui.engine.rooms.microdata.thresholds import COMFORTABLE_RISK
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.widgets.figure_cards import Figure

_MOST_KEPT = 64


@dataclass(frozen=True, slots=True)
class _Worst:
    """The title of the attack that stands worst, and how many rows or people it hits."""

    title: str = ""
    hit: int = 0
    counts_people: bool = False
    tone: str = "good"


_known: dict[str, _Worst] = {}
"""By id of a release that was attacked."""


def tone_of(attack: AttackResult | None) -> str:
    """Say how an attack stands: good when it hits nobody, bad when its share is no smaller than in the original.

    An estimate that hits nobody proves nothing, and what could not be tried says nothing.
    """
    both = attack.both if attack else None
    if both is None or (both.after.is_estimate and not both.after.hit):
        return "info"
    if not both.after.hit:
        return "good"
    return "warn" if both.after.share < both.before.share else "bad"


def meaning_of_tones() -> str:
    """Say what the colours of attacks mean."""
    return tr(
        "Green: hits nobody. Amber: a smaller share than in the original. Red: no smaller share than in the original. "
        "Blue: not tried, or an estimate."
    )


def remember(release: Release, titles: Mapping[str, str], attacks: Mapping[str, AttackResult]) -> bool:
    """Keep which attack stands worst; say whether that is news. Estimates count, too: they prove nothing good."""
    hits = {name: attack for name, attack in attacks.items() if attack.both is not None and attack.both.after.hit}
    found = _Worst()
    if hits:
        name = max(hits, key=lambda each: (tone_of(hits[each]) == "bad", hits[each].share, hits[each].hit))
        found = _Worst(titles.get(name, ""), hits[name].hit, hits[name].counts_people, tone_of(hits[name]))
    is_news = _known.get(release.id) != found
    _known[release.id] = found
    while len(_known) > _MOST_KEPT:
        _known.pop(next(iter(_known)))
    return is_news


def attack_figure(release: Release) -> Figure:
    """Put the attack that stands worst into a figure: no page about risk is green without it."""
    title = tr("Worst attack")
    if not was_attacked(release):
        return Figure("attack", title, "–", tr("not tried yet"), "info")
    worst = _known[release.id]
    if not worst.hit:
        return Figure("attack", title, format_integer(0), tr("those that could be tried hit nobody"), worst.tone)
    name = tr(worst.title)
    words = tr("people hit: {attack}", attack=name) if worst.counts_people else tr("rows hit: {attack}", attack=name)
    return Figure("attack", title, format_integer(worst.hit), words, worst.tone)


def was_attacked(release: Release) -> bool:
    """Say whether the attacks were tried on a release."""
    return release.id in _known


def worst_of(release: Release) -> str:
    """Say the worst that is known of a release; nothing where all that was tried is comfortable."""
    worst = _known.get(release.id, _Worst())
    if worst.hit and worst.counts_people:
        return tr("{attack} hits {people:person|people}", attack=tr(worst.title), people=format_integer(worst.hit))
    if worst.hit:
        return tr("{attack} hits {rows:row|rows}", attack=tr(worst.title), rows=format_integer(worst.hit))
    if 1 / max(release.measured.fewest, 1) > COMFORTABLE_RISK * (1 + 1e-9):
        return tr("At worst 1 in {k}", k=release.measured.fewest)
    alike = [name for name, share in release.measured.largest_share.items() if share >= 1]
    if alike:
        return tr("Some class agrees in “{column}”", column=alike[0])
    return ""
