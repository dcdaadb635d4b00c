"""Malformed tables at every reader: a table with a correct report, or one sentence; never anything else."""

import csv
import io
import re
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.data.tables.io import ReadOptions, ReadReport, preview, read_table
from anonymizer_gui.engine.data.tables.io.sandboxed_readers.client import POOL
from anonymizer_gui.engine.data.tables.normalisation import normalise_text
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from tests.engine.data.tables.io.malformed import DAMAGES, inside_archive, more_originals, originals


def check(path: Path, options: ReadOptions | None = None) -> Table | None:
    """Read a file; whatever comes out must be sound."""
    read = outcome(path, options)
    shown = preview(path, options)
    if isinstance(read, UnreadableFile):
        assert re.fullmatch(r"[^\n]+[.?!]", read.message), read.message
        assert read.hint
        return None
    check_report(*read)
    assert shown.error is None
    return read[0]


def outcome(path: Path, options: ReadOptions | None) -> tuple[Table, ReadReport] | UnreadableFile:
    try:
        return read_table(path, options)
    except UnreadableFile as error:
        return error


def check_report(table: Table, report: ReadReport) -> None:
    assert (report.rows, report.columns) == (table.n_rows, len(table.columns))
    assert len(set(table.names)) == len(table.names)
    assert all(name == normalise_text(name) != "" for name in table.names)
    missing = 0
    for column in table.columns:
        assert len(column) == table.n_rows
        assert list(column.labels) == sorted(set(column.labels))
        assert all(label == normalise_text(label) != "" for label in column.labels)
        assert (column.counts() > 0).all()
        missing += int(np.count_nonzero(column.texts() == MISSING))
    assert report.missing == missing
    assert all(sentence.endswith(".") for sentence in report.problems)


LONGEST_SECONDS = 10.0
"""Of the processor: the clock on the wall goes on while other programs work."""
LARGEST_KILOBYTES = 2 << 20


def damaged_files(folder: Path, count: int, seed: int) -> None:
    """Read so many damaged files; none may crash, hang or fill the memory."""
    random, before = np.random.default_rng(seed), peak()
    made = {**originals(folder), **more_originals(folder)}
    for number in range(count):
        name = list(made)[number % len(made)]
        damage = DAMAGES[int(random.integers(len(DAMAGES)))]
        within = name.endswith((".xlsx", ".zip")) and random.random() < 0.5
        data = inside_archive(made[name], random, damage) if within else damage(made[name], random)
        path = folder / f"damaged-{name}"
        path.write_bytes(data)
        started = time.process_time()
        check(path)
        assert time.process_time() - started < LONGEST_SECONDS, (name, seed, number)
    POOL.close()  # only who has ended is counted
    # Peaks never fall: what tests before these files took is no fault of theirs.
    assert peak() <= max(before, LARGEST_KILOBYTES)


def peak() -> int:
    """Give the largest memory of this process and of those it has started."""
    if sys.platform != "linux":
        return 0
    import resource

    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def test_sound_files_of_every_format_are_the_same_table(tmp_path: Path) -> None:
    tables = []
    for name, data in originals(tmp_path).items():
        (tmp_path / name).write_bytes(data)
        table = check(tmp_path / name)
        assert table is not None
        tables.append([table.names, *zip(*(column.texts() for column in table.columns), strict=True)])
    assert all(table == tables[0] for table in tables)


def test_three_hundred_damaged_files_give_a_table_or_a_sentence(tmp_path: Path) -> None:
    damaged_files(tmp_path, 300, seed=1)


@pytest.mark.fuzz
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(100))
def test_twenty_thousand_damaged_files_give_a_table_or_a_sentence(tmp_path: Path, seed: int) -> None:
    damaged_files(tmp_path, 200, seed=1000 + seed)


pieces = st.sampled_from(
    [
        "a",
        "b1",
        '"',
        '""',
        ",",
        ";",
        "\t",
        "\n",
        "\r",
        "\r\n",
        " ",
        "é",
        "e\u0301",
        "\u200b",
        "\ufeff",
        "0",
        "-5",
        "=x",
        "\x0b",
        "'",
    ]
)
soup = st.lists(pieces, max_size=40).map("".join)


options = st.builds(
    ReadOptions,
    delimiter=st.sampled_from(",;\t"),
    quote=st.sampled_from(['"', "", "'"]),
    header=st.booleans(),
    skip_lines=st.integers(0, 2),
    short_rows=st.sampled_from(["pad", "refuse"]),
    long_rows=st.sampled_from(["refuse", "drop"]),
    missing=st.sampled_from([(), ("a", "-5")]),
)


def written(folder: pytest.TempPathFactory, data: bytes) -> Path:
    path = folder.getbasetemp() / "made.csv"
    path.write_bytes(data)
    return path


@given(text=soup, chosen=options)
def test_any_text_with_any_options_gives_a_table_or_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, text: str, chosen: ReadOptions
) -> None:
    check(written(tmp_path_factory, text.encode()), chosen)


@given(st.binary(max_size=300))
def test_any_bytes_give_a_table_or_a_sentence(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    check(written(tmp_path_factory, data))


def agrees_with_the_csv_module(path: Path, text: str, delimiter: str) -> None:
    """Where the strict reader accepts, the lenient one must agree; blanks around quotation marks are set aside."""
    table = check(path, ReadOptions(delimiter=delimiter, header=False))
    text = text.removeprefix("\ufeff")
    if table is None or re.search(r'[ \t\x0b]"|"[ \t\x0b]', text):
        return
    lenient = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    width = len(table.columns)
    kept = [row for row in lenient if width == 1 or any(cell.strip() for cell in row) or len(row) > 1]
    while width == 1 and kept and not "".join(kept[0]).strip():
        kept.pop(0)
    cells = [[normalise_text(cell) for cell in (row + [""] * width)[:width]] for row in kept]
    expected = [[MISSING if cell in ("", MISSING) else cell for cell in row] for row in cells]
    assert [list(row) for row in zip(*(c.texts() for c in table.columns), strict=True)] == expected


@given(text=soup, delimiter=st.sampled_from(",;\t"))
def test_whatever_is_read_is_what_the_csv_module_reads(
    tmp_path_factory: pytest.TempPathFactory, text: str, delimiter: str
) -> None:
    agrees_with_the_csv_module(written(tmp_path_factory, text.encode()), text, delimiter)


@pytest.mark.fuzz
@given(text=soup, chosen=options, delimiter=st.sampled_from(",;\t"), data=st.binary(max_size=2000))
def test_thousands_of_texts_and_bytes_give_a_table_or_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, text: str, chosen: ReadOptions, delimiter: str, data: bytes
) -> None:
    check(written(tmp_path_factory, data))
    check(written(tmp_path_factory, text.encode()), chosen)
    agrees_with_the_csv_module(written(tmp_path_factory, text.encode()), text, delimiter)


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfe", b"\xff\xfea", b"\x00",
     b'"', b"\r", b"sep=", b"sep=\n", b"PK\x03\x04", b"\x1f\x8b", b"PAR1", b"\xfd7zXZ\x00",
     b"SQLite format 3\x00", b"$FL2", b"<stata_dta>", b"\xef\xbb\xbf"],
)  # fmt: skip
def test_the_beginning_of_a_format_alone_is_a_table_or_a_sentence(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "t.csv").write_bytes(data)
    check(tmp_path / "t.csv")
