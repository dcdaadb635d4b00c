"""The worst that is known of a release, for the rail: what was measured, and whom the attacks of the bench hit."""

from collections.abc import Mapping

from anonymizer_gui.engine.rooms.microdata.attacks import Attack
from anonymizer_gui.engine.rooms.microdata.comfort import COMFORTABLE_RISK
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.ui.i18n import tr, whole

_MOST_KEPT = 64
_hits: dict[str, tuple[str, int]] = {}
"""By id of a release: the title of the attack that hits most, and how many people."""


def remember(release: Release, titles: Mapping[str, str], attacks: Mapping[str, Attack]) -> bool:
    """Keep which attack hits most people; say whether that is news. Estimates count, too: they prove nothing good."""
    hit = {name: attack.both.after.hit for name, attack in attacks.items() if attack.both is not None}
    most = max(hit, key=lambda name: hit[name], default="")
    found = (titles.get(most, ""), hit.get(most, 0))
    is_news = _hits.get(release.id) != found
    _hits[release.id] = found
    while len(_hits) > _MOST_KEPT:
        _hits.pop(next(iter(_hits)))
    return is_news


def worst_of(release: Release) -> str:
    """Say the worst that is known of a release; nothing where all is comfortable."""
    title, people = _hits.get(release.id, ("", 0))
    if people:
        return tr("{attack} hits {people:person|people}", attack=tr(title), people=whole(people))
    if release.measured.risk.highest > COMFORTABLE_RISK * (1 + 1e-9):
        return tr("At worst 1 in {k}", k=release.measured.k)
    alike = [name for name, share in release.measured.largest_share.items() if share >= 1]
    if alike:
        return tr("Some class agrees in “{column}”", column=alike[0])
    return ""
