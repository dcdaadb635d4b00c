"""A hospital whose people, places and ages no report may show; their diseases are asked for by a form that lies."""

from fractions import Fraction
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.survey.collection import Question
from anonymizer_gui.engine.rooms.survey.project import TABLE, Project
from anonymizer_gui.engine.storage.sources import Source
from tests.canaries import PEOPLE, canary_table
from tests.contract.room_samples import RoomSample

TIMES = 20


def sample(folder: Path) -> RoomSample:
    """Give a survey that uses every entry: values, a number, a protocol of its own, and reports that leave, too."""
    table = canary_table()
    rows = list(zip(*(column.texts() for column in table.columns), strict=True)) * TIMES
    write_table(Table.from_rows(table.names, [[str(cell) for cell in row] for row in rows]), folder / "hospital.csv")
    read = room_of("survey").read(TABLE, Source(str(folder / "hospital.csv")), SILENT)
    diseases = tuple(dict.fromkeys(str(text) for text in read.data.column("disease").texts()))
    project = Project(
        name="hospital",
        source=read.source,
        title="Health",
        intro="Nobody will know what you answer.",
        questions=(
            Question("disease", "What do you have?", values=(*diseases, "none"), protocol="oue"),
            Question("age", "How old are you?", low=0.0, high=100.0),
        ),
        epsilon=Fraction(6),
        sharing="split",
        answers=800,
        with_reports=True,
    )
    return RoomSample(project, "out.csv", hidden=PEOPLE)


NOT_MEASURED: dict[str, str] = {
    "reports.not_counted": "reports that do not count are not published",
    "checks.counted": "reports that do not count are not published",
    "reports.made": "a report drawn from a table looks like one that was sent",
    "source": "the source is not published",
}
"""Entries of the certificate that no file can confirm, with the reason."""
FORGED: dict[str, dict[str, Any]] = {"local-differential-privacy": {"epsilon": 0.01}}
"""A stronger value of a parameter of every promise, which a forger would like to be believed."""
