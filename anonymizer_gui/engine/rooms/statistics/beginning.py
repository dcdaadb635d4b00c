"""How a plan begins: nothing is asked yet, and its spends are written beside the data."""

from typing import Any

from anonymizer_gui.engine.room import NewProject
from anonymizer_gui.engine.rooms.statistics.project import Project
from anonymizer_gui.engine.rooms.statistics.shape import shape_in
from anonymizer_gui.engine.storage.sources import Source, display_name, is_address

LEDGER_SUFFIX = ".budget"


def begin(source: Source, **_choices: Any) -> NewProject:
    """Start a plan; a table of a database has no place beside it, so its ledger must be chosen."""
    ledger = None if is_address(source.path) else Source(source.path + LEDGER_SUFFIX)
    return NewProject(
        Project(name=display_name(source).stem, source=source, ledger=ledger, shape=shape_in(source).name)
    )
