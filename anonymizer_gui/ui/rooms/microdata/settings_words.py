"""Goals and parameters of a method in one line, in the words of their cards and forms."""

from collections.abc import Sequence

from anonymizer_gui.engine.core.params import Choice, Json, Param, params_of, to_json
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.ui.i18n import format_integer, format_significant, tr

_DIGITS = 6


def goals_in_words(goals: Sequence[PrivacyModel]) -> str:
    """Write goals in one line, such as “k-anonymity: k = 5”: their numbers, and what else is not as usual."""
    return "; ".join(_goal(goal) for goal in goals)


def parameters_in_words(value: object) -> str:
    """Write the parameters of a method that differ from their usual values in one line."""
    usual, entries = to_json(type(value)()), to_json(value)
    return _told([param for param in params_of(type(value)) if entries[param.name] != usual[param.name]], entries)


def _goal(goal: PrivacyModel) -> str:
    usual, entries = to_json(type(goal)()), to_json(goal)
    shown = [
        param
        for param in params_of(type(goal))
        if _is_number(entries[param.name]) or entries[param.name] != usual[param.name]
    ]
    return ": ".join(filter(None, (tr(goal.title), _told(shown, entries))))


def _told(params: Sequence[Param], entries: dict[str, Json]) -> str:
    return ", ".join(_entry(param, entries[param.name]) for param in params)


def _entry(param: Param, item: Json) -> str:
    if isinstance(item, bool):
        return tr(param.label) if item else tr("not: {setting}", setting=tr(param.label))
    return f"{tr(param.label)} = {_words(param, item)}"


def _words(param: Param, item: Json) -> str:
    if isinstance(param.kind, Choice):
        return tr(param.kind.options[item])
    if isinstance(item, list):
        return " ".join("=".join(map(str, part)) if isinstance(part, list) else str(part) for part in item)
    if isinstance(item, float):
        return format_significant(item, _DIGITS)
    return format_integer(item) if isinstance(item, int) else str(item)


def _is_number(item: object) -> bool:
    return isinstance(item, int | float) and not isinstance(item, bool)
