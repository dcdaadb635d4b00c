"""Delimited text: what is read, what is repaired and reported, what is refused with a place."""

import csv
import gzip
import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Cancelled, UnreadableFile
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions, ReadReport, read_table, sniff
from anonymizer_gui.engine.data.tables.normalisation import normalise_text
from anonymizer_gui.engine.data.tables.table import MISSING, Table


def read(folder: Path, data: bytes, **chosen: object) -> tuple[Table, ReadReport]:
    path = folder / "table.csv"
    path.write_bytes(data)
    return read_table(path, replace(sniff(path), **chosen) if chosen else None)  # type: ignore[arg-type]


def rows(table: Table) -> list[list[str]]:
    return [list(row) for row in zip(*(column.texts() for column in table.columns), strict=True)]


def refusal(folder: Path, data: bytes, **chosen: object) -> UnreadableFile:
    with pytest.raises(UnreadableFile) as caught:
        read(folder, data, **chosen)
    return caught.value


def test_cells_stay_the_text_of_the_file(tmp_path: Path) -> None:
    table, _ = read(tmp_path, b"a,b,c\n01234,1.50,2024-02-30\n1.0,True,1e5\n")
    assert rows(table) == [["01234", "1.50", "2024-02-30"], ["1.0", "True", "1e5"]]


def test_labels_are_sorted_and_distinct(tmp_path: Path) -> None:
    table, _ = read(tmp_path, "a\nz\nä\nA\nz\n10\n9\n".encode())
    assert table.columns[0].labels == ("10", "9", "A", "z", "ä")


def test_an_empty_cell_is_missing(tmp_path: Path) -> None:
    table, report = read(tmp_path, b'a,b\n,1\n"",2\n  ,3\n')
    assert rows(table) == [[MISSING, "1"], [MISSING, "2"], [MISSING, "3"]]
    assert report.missing == 3


def test_chosen_tokens_are_missing_and_counted(tmp_path: Path) -> None:
    table, report = read(tmp_path, b"a,b\nNA,1\n?,2\nna,3\n", missing=("NA", "?"))
    assert [row[0] for row in rows(table)] == [MISSING, MISSING, "na"]
    assert report.missing_tokens == 2


def test_no_token_is_missing_unless_chosen(tmp_path: Path) -> None:
    table, _ = read(tmp_path, b"a,b\nNA,nan\nNULL,None\n")
    assert rows(table) == [["NA", "nan"], ["NULL", "None"]]


def test_a_literal_missing_label_is_merged_and_reported(tmp_path: Path) -> None:
    table, report = read(tmp_path, b"a,b\n(missing),1\n,2\n")
    assert table.columns[0].labels == (MISSING,)
    assert report.literal_missing == 1
    assert any("(missing)" in sentence for sentence in report.problems)


def test_white_space_unicode_form_and_invisible_characters_are_counted_in_cells(tmp_path: Path) -> None:
    text = "a,b\n HIV ,1\nHIV,2\nHI\u200bV,3\nHI\u200bV,4\nu\u0308,5\nü,6\n"
    table, report = read(tmp_path, text.encode())
    assert table.columns[0].labels == ("HIV", "ü")
    assert (report.trimmed, report.invisible, report.recomposed) == (1, 2, 1)


def test_joiners_that_shape_letters_stay(tmp_path: Path) -> None:
    word = "می\u200cخواهم"
    table, report = read(tmp_path, f"a,b\n{word},1\n".encode())
    assert table.columns[0].labels == (word,)
    assert report.invisible == 0


def test_case_is_kept(tmp_path: Path) -> None:
    table, _ = read(tmp_path, b"a,b\nFlu,1\nflu,2\n")
    assert table.columns[0].labels == ("Flu", "flu")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(tmp_path: Path, delimiter: str) -> None:
    lines = [["name", "age", "zip"], ["Ann", "31", "01234"], ["Bo", "40", "01235"]]
    table, report = read(tmp_path, "\n".join(delimiter.join(line) for line in lines).encode())
    assert report.delimiter == delimiter
    assert [list(table.names), *rows(table)] == lines


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_the_encoding_is_found(tmp_path: Path, encoding: str) -> None:
    table, _ = read(tmp_path, "Straße,größe\nMüller,1\nJosé,2\n".encode(encoding))
    assert table.names == ("Straße", "größe")
    assert rows(table) == [["Müller", "1"], ["José", "2"]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_all_line_ends_are_read_alike(tmp_path: Path, end: str, last: bool) -> None:
    data = end.join(["a,b", "1,", '"x",y']) + (end if last else "")
    assert rows(read(tmp_path, data.encode())[0]) == [["1", MISSING], ["x", "y"]]


def test_quoted_cells_may_hold_delimiters_line_ends_and_quotation_marks(tmp_path: Path) -> None:
    table, _ = read(tmp_path, b'a,b\n"x, y","line\r\nline"\n"say ""hi""",""""\n')
    assert rows(table) == [["x, y", "line\nline"], ['say "hi"', '"']]


def test_blanks_around_quoted_cells_belong_to_no_cell(tmp_path: Path) -> None:
    table, report = read(tmp_path, b'a, "b, c"\n1, "2, 3" \n "4" ,5\n')
    assert table.names == ("a", "b, c")
    assert rows(table) == [["1", "2, 3"], ["4", "5"]]
    assert report.trimmed == 0


def test_a_file_without_header_gets_numbered_columns(tmp_path: Path) -> None:
    table, _ = read(tmp_path, b"39, State-gov\n50, Private\n")
    assert table.names == ("column 1", "column 2")
    assert table.n_rows == 2


def test_the_separator_line_of_spreadsheets_is_understood(tmp_path: Path) -> None:
    table, report = read(tmp_path, b"sep=|\na|b\n1|2\n")
    assert (table.names, report.delimiter) == (("a", "b"), "|")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("block", [1, 2, 3, 1000])
def test_lines_above_the_table_can_be_skipped(
    tmp_path: Path, end: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = end.join(['A "title', "of two lines", "a;b", "1;2", "3", ""]).encode()
    monkeypatch.setattr("anonymizer_gui.engine.data.tables.io.input_stream.BLOCK", block)
    table, report = read(tmp_path, data, skip_lines=2, delimiter=";", header=True)
    assert (table.names, rows(table)) == (("a", "b"), [["1", "2"], ["3", MISSING]])
    assert report.short_lines.first == (5,)


def test_skipping_all_lines_leaves_no_table(tmp_path: Path) -> None:
    assert "no table" in refusal(tmp_path, b"a,b\n1,2\n", skip_lines=9).message


def test_one_character_cannot_be_delimiter_and_quotation_mark(tmp_path: Path) -> None:
    assert "same" in refusal(tmp_path, b"a,b\n", quote=",", delimiter=",").message


def test_names_are_repaired_and_reported(tmp_path: Path) -> None:
    table, report = read(tmp_path, b"age,,age, zip ,age (2)\n1,2,3,4,5\n")
    assert table.names == ("age", "column 2", "age (3)", "zip", "age (2)")
    assert report.renamed == (("", "column 2"), ("age", "age (3)"), (" zip ", "zip"))


def test_short_rows_are_filled_and_reported_with_their_lines(tmp_path: Path) -> None:
    table, report = read(tmp_path, b'a,b,c\n1,2,3\n"x\ny",5\n6\n', header=True, delimiter=",")
    assert rows(table)[1:] == [["x\ny", "5", MISSING], ["6", MISSING, MISSING]]
    assert report.short_lines.first == (3, 5)


def test_short_rows_can_be_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, b"a,b\n1,2\n3\n", short_rows="refuse").line == 3


def test_long_rows_are_refused_with_their_line(tmp_path: Path) -> None:
    error = refusal(tmp_path, b"a,b\n1,2\n3,4,5\n6,7,8\n")
    assert error.line == 3
    assert "Line 3 has 3 cells" in error.message


def test_long_rows_can_be_cut_and_are_reported(tmp_path: Path) -> None:
    table, report = read(tmp_path, b"a,b\n1,2\n3,4,5\n", long_rows="drop")
    assert rows(table) == [["1", "2"], ["3", "4"]]
    assert report.long_lines.first == (3,)


def test_empty_cells_behind_the_last_column_are_cut_and_reported(tmp_path: Path) -> None:
    table, report = read(tmp_path, b"a,b\n1,2,,\n3,4\n")
    assert rows(table) == [["1", "2"], ["3", "4"]]
    assert report.long_lines.first == (2,)


def test_blank_lines_give_no_row_and_are_reported(tmp_path: Path) -> None:
    table, report = read(tmp_path, b"\na,b\n1,2\n\n  \n3,4\n\n")
    assert rows(table) == [["1", "2"], ["3", "4"]]
    assert report.blank_lines.first == (1, 4, 5, 7)


def test_a_blank_line_of_a_one_column_table_is_a_missing_cell(tmp_path: Path) -> None:
    assert rows(read(tmp_path, b"a\n1\n\n2\n")[0]) == [["1"], [MISSING], ["2"]]


def test_a_header_alone_is_a_table_without_rows(tmp_path: Path) -> None:
    table, report = read(tmp_path, b"a,b\n")
    assert (table.names, table.n_rows) == (("a", "b"), 0)
    assert "The table has no rows." in report.problems


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'a,b\n1,"2\n3,4\n', 2),
        (b'a,b\n1,"2\n3,"4"\n5,6\n', 2),
        (b'a,b\n1,2\n3,x"y\n5,"6"\n', 3),
        (b'a,b\n1,2\n3,"x"y\n', 3),
        (b'a,b\n1,2\n"x" "y",3\n', 3),
        (b'a,b\n"1\n1","2\n\n', 3),
    ],
)
def test_quotation_marks_that_do_not_fit_are_refused_with_the_line_where_they_open(
    tmp_path: Path, data: bytes, line: int
) -> None:
    assert refusal(tmp_path, data, quote='"').line == line


def test_quotation_marks_can_be_plain_letters(tmp_path: Path) -> None:
    assert rows(read(tmp_path, b'a,b\n6\'1",x\n"y,z"\n', quote="")[0]) == [["6'1\"", "x"], ['"y', 'z"']]


def test_quotation_marks_that_begin_no_cell_are_proposed_as_plain_letters(tmp_path: Path) -> None:
    assert rows(read(tmp_path, b'a\tb\nCafe "At Home"\t1\n6\'1"\t2\n')[0]) == [['Cafe "At Home"', "1"], ["6'1\"", "2"]]
    assert read(tmp_path, b'a,b\n "x",1\n')[0].columns[0].labels == ("x",)


def test_zero_bytes_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(b"a,b\n1,2\n3,\x00\n")
    with pytest.raises(UnreadableFile) as caught:
        read_table(path, ReadOptions())
    assert caught.value.line == 3


def test_a_wrong_encoding_is_refused_with_line_and_byte(tmp_path: Path) -> None:
    error = refusal(tmp_path, b"a,b\n1,2\n3,\xfc\n", encoding="utf-8")
    assert error.line == 3
    assert "byte 11 " in error.message


def test_a_letter_cut_in_two_at_the_end_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, "a,b\n1,ü".encode()[:-1], encoding="utf-8").line == 2


def test_a_row_beyond_all_size_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, b"a,b\n1,2\n" + b"x" * (17 << 20), encoding="utf-8")
    assert error.line == 3
    assert "longer than 16 MB" in error.message


def test_a_quotation_mark_open_over_megabytes_is_named(tmp_path: Path) -> None:
    error = refusal(tmp_path, b'a,b\n1,"2\n' + b"x,y\n" * (5 << 20))
    assert error.line == 2


def test_too_many_columns_are_refused(tmp_path: Path) -> None:
    assert "10,001" in refusal(tmp_path, b"," * 10_000 + b"\n").message


@pytest.mark.parametrize("data", [b"", b"\n\n \n", b"\x00\x01\x02\xff" * 100])
def test_what_holds_no_table_is_refused(tmp_path: Path, data: bytes) -> None:
    assert refusal(tmp_path, data).hint


def test_a_folder_and_a_file_that_is_not_there_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing.csv", Path("a\0b")):
        with pytest.raises(UnreadableFile):
            read_table(path)


def test_gzip_and_zip_are_unpacked(tmp_path: Path) -> None:
    data = b"a,b\n1,2\n"
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(data))
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("t.csv", data)
    for name in ("t.csv.gz", "t.zip"):
        assert rows(read_table(tmp_path / name)[0]) == [["1", "2"]]


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + bytes(range(256)) * 100)[:-30])
    with pytest.raises(UnreadableFile):
        read_table(path, ReadOptions(encoding="iso-8859-1"))


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"1,2\n" * (20 << 20), 9))
    with pytest.raises(UnreadableFile, match="200 times"):
        read_table(path)


def test_reading_can_be_cancelled(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(Cancelled):
        read_table(path, None, Progress(is_cancelled=lambda: True))


def test_blocks_do_not_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = 'id,text\r\n1,"ü,""\r\n"\r\n\r\n2,x\r\n3\r\n4,"""é"\r\n'.encode()
    whole = read(tmp_path, data)
    for size in range(1, 20):
        monkeypatch.setattr("anonymizer_gui.engine.data.tables.io.input_stream.BLOCK", size)
        table, report = read(tmp_path, data)
        assert (rows(table), report) == (rows(whole[0]), whole[1])


cell_texts = st.text(alphabet=st.sampled_from("ab,;\"' \t\r\n01é\u0308ü\u200b\ufeffж-=("), max_size=30) | st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12
)


@given(
    cells=st.integers(2, 4).flatmap(
        lambda width: st.lists(st.lists(cell_texts, min_size=width, max_size=width), min_size=1, max_size=8)
    ),
    delimiter=st.sampled_from(",;\t|"),
    # the csv module leaves a lone carriage return unquoted when lines end otherwise
    style=st.sampled_from([("\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_MINIMAL)]),
)
def test_the_csv_module_agrees_cell_by_cell(
    tmp_path: Path, cells: list[list[str]], delimiter: str, style: tuple[str, int]
) -> None:
    end, quoting = style
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(cells)  # type: ignore[arg-type]
    path = tmp_path / "t.csv"
    path.write_bytes(("head" + delimiter * (len(cells[0]) - 1) + end).encode() + file.getvalue().encode())
    table, report = read_table(path, ReadOptions(delimiter=delimiter))
    expected = [
        [normalise_text(cell) for cell in row]
        for row in csv.reader(io.StringIO(file.getvalue(), newline=""), delimiter=delimiter)
    ]
    assert rows(table) == [[MISSING if cell in ("", MISSING) else cell for cell in row] for row in expected]
    assert report.missing == sum(cell in ("", MISSING) for row in expected for cell in row)
