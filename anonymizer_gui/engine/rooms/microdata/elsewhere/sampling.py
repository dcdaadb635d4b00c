"""Some rows of a table that an engine holds, as a table in memory: for checks that need whole rows."""

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.elsewhere.fetching import Fetched
from anonymizer_gui.engine.scale.contract import Engine
from anonymizer_gui.engine.scale.sampled_table import table_from_arrow


def sample_of(engine: Engine, fetched: Fetched, rows: int, progress: Progress = SILENT) -> Table:
    """Draw so many rows at random, with all columns."""
    source = fetched.project.source
    missing = source.options.get("missing", ()) if source else ()
    return fetched.written.table(table_from_arrow(fetched.names, engine.fetch(engine.sampled(rows), progress), missing))
