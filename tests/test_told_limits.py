"""The limits that the help tells are those the program keeps."""

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.data.tables.io import database_servers
from anonymizer_gui.engine.data.tables.io.contract import MOST_COLUMNS
from anonymizer_gui.engine.data.tables.io.csv_reader import LONGEST_RECORD
from anonymizer_gui.engine.data.tables.io.input_stream import LARGEST_RATIO
from anonymizer_gui.engine.data.tables.io.sandboxed_readers.limits import limits_for
from anonymizer_gui.engine.hierarchy import files as hierarchy_files
from anonymizer_gui.engine.hierarchy.formats.contract import MOST_LEVELS, MOST_PLACES
from anonymizer_gui.engine.projects import project_file
from anonymizer_gui.engine.releases import certificate, signing
from anonymizer_gui.engine.releases.ledger import store
from anonymizer_gui.engine.rooms.microdata.resource_estimate import MAX_SECONDS
from anonymizer_gui.engine.storage import keys

MB = 1 << 20
GB = 1 << 30


def limits_of_a_child() -> list[str]:
    small, larger = limits_for(0), limits_for(MB)
    per_byte = (larger.memory - small.memory) / MB
    return [
        f"{small.seconds:.0f} s",
        f"{larger.seconds - small.seconds:.0f} ",
        f"{small.memory // GB} GB",
        f"{per_byte:.0f}",
    ]


TOLD = {
    "project": [f"{project_file.LARGEST_BYTES // MB} MB"],
    "hierarchy": [f"{hierarchy_files.LARGEST_BYTES // MB} MB", f"{MOST_LEVELS:,}", f"{MOST_PLACES // 10**6} million"],
    "certificate": [f"{certificate._LARGEST_BYTES // MB} MB", f"{certificate._INSIDE_BYTES // MB} MB"],
    "key": [f"{keys._LARGEST_BYTES >> 10} kB", f"{signing._LARGEST_BYTES >> 10} kB"],
    "ledger": [
        f"{store._LARGEST_BYTES // GB} GB",
        f"{store.MAX_ENTRIES:,}",
        f"{store.MAX_ENTRY_BYTES // GB} GB",
    ],
    "text table": [f"{MOST_COLUMNS:,}", f"{LONGEST_RECORD // MB} MB", f"{LARGEST_RATIO}"],
    "workbook": limits_of_a_child(),
    "database": [f"{database_servers.CONNECT_SECONDS} s", f"{database_servers.ANSWER_SECONDS // 60} m"],
}


def rows_of(language: str) -> list[str]:
    lines = resource_path("help", language, "privacy.md").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("| ")][2:]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_help_tells_the_limits_as_they_are(language: str) -> None:
    rows = rows_of(language)
    assert len(rows) == len(TOLD)
    for row, (name, numbers) in zip(rows, TOLD.items(), strict=True):
        assert language != "en" or row.startswith(f"| {name}")
        written = row.replace(".", ",").casefold()
        assert [number for number in numbers if number.casefold() not in written] == [], row
    assert MAX_SECONDS == 3600
    assert database_servers._MOST_CELLS == 10**9
