"""Whether an identifier repeats, so that rows may be about fewer people than there are of them: asked of the engine."""

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.room import Check
from anonymizer_gui.engine.rooms.microdata import checks
from anonymizer_gui.engine.rooms.microdata.elsewhere.fetching import Fetched
from anonymizer_gui.engine.rooms.microdata.measures import Measured
from anonymizer_gui.engine.rooms.microdata.person_column import MOST_ROWS
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.scale.contract import Engine


def people_checks(
    engine: Engine, fetched: Fetched, release: Release, measured: Measured, progress: Progress = SILENT
) -> tuple[Check, ...]:
    """Warn of the identifier that seems to say whom a row is about, as it is done for tables in memory."""
    if release.project.person:
        return checks.people_checks(release.table, release.rows, fetched.table, release.project, measured)
    found = []
    for name in fetched.project.schema.names(Role.EI):
        column = f"c{fetched.place(name)}"
        sql = f"SELECT count({column}) AS known, count(DISTINCT {column}) AS people FROM source"
        row = next(iter(engine.fetch(sql, progress)))
        known, people = int(row.column(0)[0].as_py()), int(row.column(1)[0].as_py())
        if 1 < people < known <= MOST_ROWS * people:
            found.append((people, known, name))
    if not found:
        return ()
    people, known, name = max(found)
    sentence = message(
        "“{name}” repeats: {rows:,} rows are about {people:person|people}, if it says whom a row is about. "
        "Mark the column as the person, and people are counted.",
        name=name,
        rows=known,
        people=people,
    )
    return (Check("people", "People counted, not rows", False, sentence, blocks=False),)
