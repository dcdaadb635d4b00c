"""Writers: what is written is read back the same, carries nothing else, and is the same every time."""

import csv
import io
import zipfile
from pathlib import Path

import openpyxl
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, Cancelled, UnwritableFile
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions, WriteOptions, read_table, write_table
from anonymizer_gui.engine.data.tables.io.contract import READERS, WRITERS, escape_formula
from anonymizer_gui.engine.data.tables.normalisation import normalise_text
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table

FORMATS = ["t.csv", "t.tsv", "t.xlsx", "t.parquet"]
SAMPLE = Table.from_rows(
    ["zip", "text", "n"],
    [["01234", 'a, "b"; c\nd', "5"], [MISSING, "é <&> x", "-1.5"], ["1.50", "'q'", MISSING], ["x", "1e5", "007"]],
)


def rows(table: Table) -> list[list[str]]:
    return [list(row) for row in zip(*(column.texts() for column in table.columns), strict=True)]


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_written_is_read_back_cell_by_cell(tmp_path: Path, name: str) -> None:
    write_table(SAMPLE, tmp_path / name)
    table, report = read_table(tmp_path / name)
    assert table.names == SAMPLE.names
    assert rows(table) == rows(SAMPLE)
    assert report.missing == 2


@pytest.mark.parametrize("name", FORMATS)
def test_same_table_same_bytes(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write_table(SAMPLE, tmp_path / name)
    first = (tmp_path / name).read_bytes()
    monkeypatch.setattr("time.time", lambda: 2_000_000_000.0)
    write_table(SAMPLE, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first


@pytest.mark.parametrize("name", FORMATS)
def test_labels_without_rows_do_not_reach_the_file(tmp_path: Path, name: str) -> None:
    column = Column("name", SAMPLE.columns[0].codes[:2] * 0, ("*", "Geheim Gerda"))
    write_table(Table((column,)), tmp_path / name)
    data = (tmp_path / name).read_bytes()
    if name.endswith("xlsx"):
        with zipfile.ZipFile(tmp_path / name) as archive:
            data = b"".join(archive.read(inside) for inside in archive.namelist())
    assert b"Gerda" not in data


@pytest.mark.parametrize("name", FORMATS)
def test_writing_can_be_cancelled(tmp_path: Path, name: str) -> None:
    with pytest.raises(Cancelled):
        write_table(SAMPLE, tmp_path / name, None, Progress(is_cancelled=lambda: True))


@pytest.mark.parametrize("name", FORMATS)
def test_a_table_without_rows_is_written(tmp_path: Path, name: str) -> None:
    write_table(Table.from_rows(["a", "b"], []), tmp_path / name)
    table, _ = read_table(tmp_path / name)
    assert (table.names, table.n_rows) == (("a", "b"), 0)


@pytest.mark.parametrize("name", FORMATS)
def test_a_missing_token_is_written_where_chosen(tmp_path: Path, name: str) -> None:
    write_table(SAMPLE, tmp_path / name, WriteOptions(missing="NA"))
    options = ReadOptions(missing=("NA",), delimiter="\t" if name.endswith("tsv") else ",")
    table, report = read_table(tmp_path / name, options)
    assert rows(table) == rows(SAMPLE)
    assert report.missing_tokens == 2


labels = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=8) | st.sampled_from(
    ['"', "a\nb", "a\rb", "=1", "-5", "+x", "@a", ",", ";", "'", "0", "00", "1.0", "1e5", "TRUE", "2024-01-01", "<b>&"]
)


@given(cells=st.lists(st.tuples(labels, labels), max_size=8), name=st.sampled_from(FORMATS), escaped=st.booleans())
def test_any_normal_table_survives_any_format(
    tmp_path: Path, cells: list[tuple[str, str]], name: str, escaped: bool
) -> None:
    texts = [[normalise_text(cell) or MISSING for cell in row] for row in cells]
    table = Table.from_rows(["a", "b"], texts)
    write_table(table, tmp_path / name, WriteOptions(escape_formulas=escaped))
    expected = [[escape_formula(cell) if escaped else cell for cell in row] for row in texts]
    options = ReadOptions(delimiter="\t" if name.endswith("tsv") else ",")
    assert rows(read_table(tmp_path / name, options)[0]) == expected


@given(st.lists(st.tuples(labels, labels, labels), max_size=6))
def test_the_csv_module_reads_what_is_written(tmp_path: Path, cells: list[tuple[str, str, str]]) -> None:
    texts = [[normalise_text(cell) or MISSING for cell in row] for row in cells]
    write_table(Table.from_rows("abc", texts), tmp_path / "t.csv", WriteOptions(escape_formulas=False))
    found = list(csv.reader(io.StringIO((tmp_path / "t.csv").read_bytes().decode(), newline="")))
    assert found == [["a", "b", "c"], *([cell.replace(MISSING, "") for cell in row] for row in texts)]


def test_a_column_alone_keeps_its_missing_rows(tmp_path: Path) -> None:
    table = Table.from_rows(["a"], [["1"], [MISSING], ["2"], [MISSING]])
    write_table(table, tmp_path / "t.csv")
    assert rows(read_table(tmp_path / "t.csv")[0]) == rows(table)


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-cmd|x", "@SUM(A1)", "\t=1", "＝1", "-1+1", "+49 89 (0) x"])
def test_formulas_are_disarmed(text: str) -> None:
    assert escape_formula(text) == "'" + text


@pytest.mark.parametrize("text", ["-5", "+5", "-1.5", "-1,5", "-.5", "-1e5", "+3 %".replace(" ", ""), "a=1", "", "'=1"])
def test_numbers_and_plain_texts_stay(text: str) -> None:
    assert escape_formula(text) == text


def test_names_of_columns_are_disarmed_too(tmp_path: Path) -> None:
    write_table(Table.from_rows(["=a"], [["1"]]), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "'=a\n1\n"


def test_delimiter_line_end_encoding_and_quoting_are_choices(tmp_path: Path) -> None:
    table = Table.from_rows(["a", "b"], [["ü", "x;y"]])
    options = WriteOptions(delimiter=";", line_end="crlf", encoding="cp1252")
    write_table(table, tmp_path / "t.csv", options)
    assert (tmp_path / "t.csv").read_bytes() == b'a;b\r\n\xfc;"x;y"\r\n'
    write_table(table, tmp_path / "t.csv", WriteOptions(quote_all=True))
    assert (tmp_path / "t.csv").read_text() == '"a","b"\n"ü","x;y"\n'


def test_a_letter_the_encoding_lacks_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="lacks a letter"):
        write_table(Table.from_rows(["a"], [["ж"]]), tmp_path / "t.csv", WriteOptions(encoding="cp1252"))


def test_a_workbook_holds_cells_and_nothing_else(tmp_path: Path) -> None:
    write_table(SAMPLE, tmp_path / "t.xlsx")
    with zipfile.ZipFile(tmp_path / "t.xlsx") as archive:
        assert {info.date_time[0] for info in archive.infolist()} == {1980}
        assert not [name for name in archive.namelist() if "docProps" in name]


@pytest.mark.filterwarnings("ignore:Workbook contains no default style")
def test_numbers_of_a_workbook_are_numbers_where_no_digit_is_lost(tmp_path: Path) -> None:
    texts = [["5"], ["1.5"], ["007"], ["1.50"], ["12345678901234567"], ["-0"]]
    write_table(Table.from_rows(["a"], texts), tmp_path / "t.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "t.xlsx").active
    assert [cell.value for cell in sheet["A"][1:]] == [5, 1.5, "007", "1.50", "12345678901234567", "-0"]


@pytest.mark.parametrize("text", ["x" * 40_000, "a\x01b"])
def test_what_no_workbook_can_hold_is_one_sentence(tmp_path: Path, text: str) -> None:
    with pytest.raises(UnwritableFile):
        write_table(Table.from_rows(["a"], [[text]]), tmp_path / "t.xlsx")


def test_parquet_keeps_no_metadata_statistics_or_dictionary(tmp_path: Path) -> None:
    write_table(SAMPLE, tmp_path / "t.parquet")
    about = pq.read_metadata(tmp_path / "t.parquet")
    chunk = about.row_group(0).column(0)
    assert about.metadata is None
    assert not chunk.is_stats_set
    assert not chunk.has_dictionary_page


@pytest.mark.parametrize("name", ["t.doc", "t"])
def test_an_unknown_suffix_is_one_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnwritableFile, match="cannot be written as"):
        write_table(SAMPLE, tmp_path / name)


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    for name in FORMATS:
        with pytest.raises(UnwritableFile):
            write_table(SAMPLE, tmp_path / "no" / name)


def test_a_wrong_option_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadParameter):
        write_table(SAMPLE, tmp_path / "t.csv", WriteOptions(delimiter=",,"))


def test_all_formats_are_found_by_the_registries() -> None:
    assert READERS.names() == ["arx", "csv", "database", "excel", "parquet", "sqlite", "statistics"]
    assert WRITERS.names() == ["csv", "excel", "parquet"]
