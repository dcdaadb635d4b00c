"""The privacy goals in groups: what each is good for, so that one need not know their names."""

from collections.abc import Iterable

from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.goal_cards import GoalGroups


def grouped(models: Iterable[type[PrivacyModel]]) -> GoalGroups:
    """Sort goals by what they protect; in a group the best known come first, as they have the shortest names."""
    ordered = sorted(models, key=lambda model: len(model.name))
    about_values = [model for model in ordered if model.needs_sensitive]
    comparing = [model for model in about_values if model().compares_with_whole]
    return (
        (tr("Nobody is picked out"), [model for model in ordered if not model.needs_sensitive]),
        (tr("Nobody’s sensitive value becomes certain"), [model for model in about_values if model not in comparing]),
        (tr("Little is learnt about anybody’s sensitive value"), comparing),
    )
