"""Goals, parameters, release names, identifying columns in words."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from anonymizer_gui.engine.core.params import Choice, Json, Param, params_of, to_json
from anonymizer_gui.engine.data.tables.io.read_write import suggest_in_background
from anonymizer_gui.engine.data.tables.suggestions import identifying_columns
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.recoding import Method
from anonymizer_gui.ui.i18n import format_integer, format_significant, tr
from anonymizer_gui.workspace.document import Document

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.project import Project
    from anonymizer_gui.engine.rooms.microdata.release.release import Release


if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.project import Project
    from anonymizer_gui.engine.rooms.microdata.release.release import Release

    class MicrodataDocument(Document):
        """A document that is in this room."""

        project: Project
        releases: tuple[Release, ...]
        selected: Release | None

else:
    MicrodataDocument = Document


def ours(document: Document) -> MicrodataDocument:
    """Take what the frame hands over for a document of this room, which it has made sure of."""
    return cast("MicrodataDocument", document)


_DIGITS = 6


def goals_text(goals: Sequence[PrivacyModel]) -> str:
    """Write goals in one line, such as “k-anonymity: k = 5”: their numbers, and what else is not as usual."""
    return "; ".join(_goal(goal) for goal in goals)


def parameters_text(value: object) -> str:
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


def default_release_name(algorithm: Method | None) -> str:
    """Name a release after its algorithm; levels chosen by hand are said, as they are all that tells them apart."""
    if algorithm is None:
        return ""
    levels = algorithm.told_levels()
    if levels is None:
        return tr(algorithm.title)
    lifted = ", ".join(f"{name} {level}" for name, level in levels.items() if level)
    return tr("By hand: {levels}", levels=lifted) if lifted else tr("By hand: nothing lifted")


def identifying_column_names(document: Document) -> Mapping[str, str]:
    """Give the columns that seem to point to a person, with the reason; nothing until they are found."""
    table, schema = document.table, document.project.schema
    if table is None or table.names != tuple(column.name for column in schema.columns):
        return {}
    types = tuple(column.type for column in schema.columns)
    found = document.answer("pointing", identifying_columns, table, types, title=tr("Look at the columns"))
    return dict(found or ())


def publishing_objections(document: Document) -> Mapping[str, str]:
    """Give the columns that should not leave unseen: they point to a person, or a role is suggested."""
    table, source = document.table, document.project.source
    if table is None:
        return {}
    decimal = str(source.options.get("decimal", ".")) if source else "."
    found = document.answer("suggestions", suggest_in_background, table, decimal)
    suggested = {one.column: one.reason for one in found or () if one.role is not Role.OTHER}
    return {**suggested, **identifying_column_names(document)}


def published_identifying_columns(document: Document) -> tuple[str, ...]:
    """List the columns of no role that leave unchanged and seem to point to a person by themselves."""
    project = document.project
    stays = project.left_out_columns()
    others = [name for name in project.schema.names(Role.OTHER) if name not in stays]
    return tuple(name for name in identifying_column_names(document) if name in others) if others else ()
