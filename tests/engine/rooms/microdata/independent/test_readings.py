"""Every format a release can have is read from its bytes; what is damaged is refused with one sentence."""

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Cancelled, UnreadableFile
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io import WriteOptions
from anonymizer_gui.engine.data.tables.io.read_write import write_table
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.rooms.microdata.independent import (
    ColumnRoles,
    FileFormat,
    RecountResult,
    format_by_name,
    reading,
    recount,
)
from tests.engine.rooms.microdata.independent.counted_files import asked, write_rows

NAMES = ("age", "zip", "disease")
ROWS = [
    ["20-29", "013**", "Flu"],
    ["20-29", "013**", "=Heart"],
    ["30", "1.50", "-5"],
    ["30", "1.50", MISSING],
    ["0.00001", "123456789012345678", "Grüße, „Welt“"],
    ["0.00001", "123456789012345678", 'say "no"\nor not'],
]
GOALS = [asked("k", k=2), asked("l", l=2), asked("t", t=0.7, distance="emd-ordered")]


def count(path: Path, reading: FileFormat | None = None, names: tuple[str, ...] = NAMES) -> RecountResult:
    return recount(path, reading or FileFormat(format_by_name(path)), ColumnRoles(names[:2], names[2:]), GOALS)


@pytest.mark.parametrize("name", ["out.csv", "out.xlsx", "out.parquet", "out.pq", "out.txt"])
def test_every_kind_of_file_gives_the_same_numbers(tmp_path: Path, name: str) -> None:
    table = Table.from_rows(NAMES, ROWS)
    write_table(table, tmp_path / "plain.csv")
    write_table(table, tmp_path / name)
    assert count(tmp_path / name) == count(tmp_path / "plain.csv")
    assert (count(tmp_path / name).k, count(tmp_path / name).l["disease"]["distinct"]) == (2, 1)


def test_tabs_other_encodings_and_line_ends_are_read_as_stated(tmp_path: Path) -> None:
    table = Table.from_rows(NAMES, ROWS)
    write_table(table, tmp_path / "plain.csv")
    plain = count(tmp_path / "plain.csv")
    write_table(table, tmp_path / "out.tsv", WriteOptions())
    assert count(tmp_path / "out.tsv", FileFormat(delimiter="\t")) == plain
    for encoding in ("utf-16", "cp1252", "utf-32"):
        options = WriteOptions(delimiter=";", encoding=encoding, line_end="crlf", quote_all=True)
        write_table(table, tmp_path / "out.csv", options)
        assert count(tmp_path / "out.csv", FileFormat(delimiter=";", encoding=encoding)) == plain


def test_what_stands_for_missing_cells_comes_last_in_order(tmp_path: Path) -> None:
    table = Table.from_rows(NAMES, ROWS)
    write_table(table, tmp_path / "plain.csv")
    write_table(table, tmp_path / "out.csv", WriteOptions(missing="#N/A"))
    assert count(tmp_path / "out.csv", FileFormat(missing=("#N/A",))) == count(tmp_path / "plain.csv")
    assert count(tmp_path / "out.csv", FileFormat()).verdicts != count(tmp_path / "plain.csv").verdicts


ODD = ["a", "b,c", 'say "no"', "two\nlines", "cr\rhere", "", " ", '"', '""', "'=x", "\u2028"]


@settings(max_examples=200)
@given(st.lists(st.tuples(*[st.sampled_from(ODD)] * 3), max_size=12), st.integers(1, 4))
def test_lines_counted_at_once_give_the_numbers_of_rows_read_one_by_one(
    rows: list[tuple[str, str, str]], times: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.csv"
        write_table(Table.from_rows(NAMES, rows * times), path)
        at_once = recount(path, FileFormat(), ColumnRoles(NAMES[:2], NAMES[2:]), GOALS)
        one_by_one = recount(path, FileFormat(), ColumnRoles(NAMES[:2], NAMES[2:]), GOALS, persons=range(at_once.rows))
    assert at_once.rows == len(rows) * times
    # Attacks are counted of rows only: where people are named, whom they strike is another number.
    assert one_by_one.attacks == {}
    assert replace(one_by_one, people=None, notes=at_once.notes, attacks=at_once.attacks) == at_once


def test_a_record_of_several_lines_is_found_after_many_of_one(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("age,zip,disease\n" + "1,2,3\n" * 9000 + '1,2,"a\n1,2,3\n"\n' + "1,2,3\n" * 9000, encoding="utf-8")
    found = count(path)
    assert (found.rows, found.k, found.l["disease"]["distinct"]) == (18001, 18001, 2)


def test_a_quotation_mark_inside_a_cell_opens_nothing(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text('age,zip,disease\n5",2,"open\nstill"\n5",2,x\n', encoding="utf-8")
    found = count(path)
    assert (found.rows, found.l["disease"]["distinct"]) == (2, 2)


def test_more_lines_than_are_remembered_are_all_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_LINES_REMEMBERED", 100)
    path = write_rows(tmp_path / "out.csv", NAMES, [[str(n % 7), "z", str(n % 3000)] for n in range(12_000)])
    found = count(path)
    assert (found.rows, found.classes, found.k) == (12_000, 7, 1714)


def test_a_mark_of_the_byte_order_is_no_part_of_a_name(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_bytes(b"\xef\xbb\xbfage,zip,disease\n1,2,3\n")
    assert count(path).rows == 1


def test_blank_lines_are_no_rows_unless_there_is_one_column(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("age,zip,disease\n1,2,3\n\n1,2,4\n", encoding="utf-8")
    assert count(path).rows == 2
    path.write_text('age\n1\n\n""\n', encoding="utf-8")
    found = recount(path, FileFormat(), ColumnRoles(("age",)))
    assert (found.rows, found.sizes) == (3, {1: 1, 2: 1})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"age,zip,disease\n1,2\n", "has 3 columns and a row of 2 cells"),
        (b"age,zip,disease\n1,2,3,4\n", "has 3 columns and a row of 4 cells"),
        (b"age,zip,disease\n1,2,\xff\n", "is damaged"),
        (b'age,zip,disease\n1,2,"open\n', "is damaged"),
        (b"age,zip\n1,2\n", "has no column “disease”"),
        (b"age,zip,disease,zip\n1,2,3,4\n", "has several columns “zip”"),
        (b"", "has no column “age”"),
    ],
    ids=["short", "long", "bytes", "quote", "column", "twice", "empty"],
)
def test_damage_is_refused_with_one_sentence(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "out.csv"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match=message):
        count(path)


@pytest.mark.parametrize("name", ["out.xlsx", "out.parquet"])
def test_cut_files_are_refused(tmp_path: Path, name: str) -> None:
    write_table(Table.from_rows(NAMES, ROWS * 50), tmp_path / name)
    whole = (tmp_path / name).read_bytes()
    for length in (0, 10, len(whole) // 2, len(whole) - 5):
        (tmp_path / name).write_bytes(whole[:length])
        with pytest.raises(UnreadableFile):
            count(tmp_path / name)


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be counted"):
        count(write_rows(tmp_path / "out.csv", NAMES, ROWS), FileFormat("sqlite"))


def test_counting_can_be_stopped(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "out.csv", NAMES, ROWS)
    with pytest.raises(Cancelled):
        recount(path, FileFormat(), ColumnRoles(NAMES[:2], NAMES[2:]), progress=Progress(is_cancelled=lambda: True))


def test_names_the_file_spells_differently_are_found_by_their_header(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "out.csv", ["'=age", "zip", "disease"], ROWS)
    found = recount(path, FileFormat(), ColumnRoles(("=age", "zip"), ("disease",), {"=age": "'=age"}), GOALS)
    assert found.k == 2
