"""Why the table cannot be protected yet, in one sentence."""

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.rooms.microdata.protect.set_ways_dialog import bare_sets

_MOST_NAMED = 3


def obstacle(document: MicrodataDocument) -> str:
    """Say what is missing before anything can be decided here; nothing when all is there."""
    if document.table is None:
        return tr("Open a table first.")
    if not document.project.schema.names(Role.QI):
        return tr("Mark the quasi-identifiers first.")
    return ""


def unprotected(document: MicrodataDocument) -> str:
    """Name the sensitive columns that no goal is about; nothing when there is none."""
    project = document.project
    bare = [name for name in project.schema.names(Role.SA) if not project.protects(name)]
    if not bare:
        return ""
    shown = ", ".join(tr("“{name}”", name=name) for name in bare[:_MOST_NAMED])
    if len(bare) > _MOST_NAMED:
        shown = tr("{names} and {more:further one|further ones}", names=shown, more=len(bare) - _MOST_NAMED)
    return tr("No goal looks at {columns}: they leave as they are.", columns=shown)


def run_obstacle(document: MicrodataDocument) -> str:
    """Say what is missing before a run; nothing when all is there."""
    project = document.project
    if obstacle(document):
        return obstacle(document)
    if not project.goals:
        return tr("Add a goal.")
    if project.algorithm is None:
        return tr("Choose an algorithm.")
    if any(goal.needs_sensitive for goal in project.goals) and not project.schema.names(Role.SA):
        return tr("A goal is about sensitive columns, and none is marked.")
    if why := bare_sets(document):
        return why
    if any(goal.needs_population for goal in project.goals) and document.population is None:
        return tr("A goal needs a population table; choose one under Protect, Population Table.")
    return ""


def is_held(document: MicrodataDocument) -> bool:
    """Tell whether an engine holds the table, and only some of its rows are here."""
    return document.table is not None and document.table.is_sample


def how_it_stands(document: MicrodataDocument, why: str) -> tuple[str, str]:
    """Say in which tone and words a run is possible or not; `why` is what stands in its way."""
    if why:
        return "warn", tr("Run is not possible yet: {why}", why=why)
    if bare := unprotected(document):
        return "warn", bare
    if is_held(document):
        return "info", tr("An engine holds the table and runs it there; a preview looks at the rows that are here.")
    return "warn", ""
