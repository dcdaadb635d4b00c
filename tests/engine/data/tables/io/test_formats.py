"""Every other format gives the same table as text does, and every damage one sentence."""

import datetime
import io
import sqlite3
import zipfile
from dataclasses import replace
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest
import sqlalchemy

from anonymizer_gui.engine.core.errors import Cancelled, MissingExtra, UnreadableFile
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions, parts, preview, read_table, sniff
from anonymizer_gui.engine.data.tables.io.read_write import reader_of
from anonymizer_gui.engine.data.tables.table import MISSING, Table

DAY = datetime.date(2024, 2, 29)
MOMENT = datetime.datetime(2024, 1, 2, 3, 4, 5)


def rows(table: Table) -> list[list[str]]:
    return [list(row) for row in zip(*(column.texts() for column in table.columns), strict=True)]


def workbook(path: Path, *cells: tuple[object, ...]) -> Path:
    book = openpyxl.Workbook()
    for row in cells:
        book.active.append(row)
    book.save(path)
    return path


def database(path: Path, *statements: str) -> Path:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return path


def test_excel_cells_are_the_texts_they_show(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "t.xlsx",
        ("zip", "age", "born", "seen", "ok", "score"),
        ("01234", 34, DAY, datetime.datetime(2024, 1, 2, 3, 4, 5), True, 1.5),
        ("1.50", 34.0, None, None, False, -0.0),
    )
    table, report = read_table(path)
    assert rows(table) == [
        ["01234", "34", "2024-02-29", "2024-01-02 03:04:05", "TRUE", "1.5"],
        ["1.50", "34", MISSING, MISSING, "FALSE", "0"],
    ]
    assert (report.kind, report.part, report.rows) == ("excel", "Sheet", 2)


def test_other_and_hidden_sheets_are_named_and_not_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.title = "shown"
    book.active.append(["a"])
    book.active.append(["1"])
    book.create_sheet("secret").sheet_state = "hidden"
    book.create_sheet("more")
    book.move_sheet("secret", -1)
    book.active = 1
    book.save(tmp_path / "t.xlsx")
    assert parts(tmp_path / "t.xlsx") == ("shown", "more", "secret")
    assert sniff(tmp_path / "t.xlsx").part == "shown"
    report = read_table(tmp_path / "t.xlsx", ReadOptions())[1]
    assert report.part == "shown"
    assert set(report.not_read) == {"secret (hidden sheet)", "more"}


def test_a_sheet_can_be_chosen_and_must_be_there(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.create_sheet("second")
    sheet.append(["b"])
    sheet.append(["2"])
    book.save(tmp_path / "t.xlsx")
    assert rows(read_table(tmp_path / "t.xlsx", ReadOptions(part="second"))[0]) == [["2"]]
    with pytest.raises(UnreadableFile, match="no sheet “third”"):
        read_table(tmp_path / "t.xlsx", ReadOptions(part="third"))


def test_blank_rows_and_nameless_columns_of_a_sheet_are_reported(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", ("a", None, "a"), (None, None, None), ("1", "2", "3", "4"), (" ", "5"))
    table, report = read_table(path)
    assert table.names == ("a", "column 2", "a (2)", "column 4")
    assert rows(table) == [["1", "2", "3", "4"], [MISSING, "5", MISSING, MISSING]]
    assert report.blank_lines.first == (2,)
    assert report.renamed == (("", "column 2"), ("a", "a (2)"), ("", "column 4"))


def test_formulas_without_a_stored_value_are_reported(tmp_path: Path) -> None:
    report = read_table(workbook(tmp_path / "t.xlsx", ("a",), ("=1+1",), ("=2+2",), ("1",)))[1]
    assert any("2 formulas" in sentence for sentence in report.problems)


def test_excel_without_header_and_with_lines_above(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", ("A title",), ("1", "2"), ("3", "4"))
    table, report = read_table(path, ReadOptions(header=False, skip_lines=1))
    assert (table.names, rows(table)) == (("column 1", "column 2"), [["1", "2"], ["3", "4"]])
    assert report.renamed == ()


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_truncated_workbooks_are_refused(tmp_path: Path, share: float) -> None:
    path = workbook(tmp_path / "t.xlsx", ("a",), *((str(i),) for i in range(200)))
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    with pytest.raises(UnreadableFile):
        read_table(path)


def test_a_protected_or_old_workbook_is_refused_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "t.xlsx").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1000))
    with pytest.raises(UnreadableFile, match="password"):
        read_table(tmp_path / "t.xlsx")


def test_a_workbook_that_unpacks_beyond_reason_is_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", ("a",), ("1",))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("xl/sharedStrings.xml", b"<a>" * (40 << 20))
    with pytest.raises(UnreadableFile, match="200 times"):
        read_table(path)


def test_an_archive_whose_files_lie_over_each_other_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", b"x" * 1000)
        archive.writestr("b", b"y" * 10)
        archive.infolist()[1].header_offset = archive.infolist()[0].header_offset + 40
    with pytest.raises(UnreadableFile):
        read_table(path)


def test_an_entity_bomb_in_a_workbook_is_refused(tmp_path: Path) -> None:
    source = workbook(tmp_path / "s.xlsx", ("a",), ("1",))
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(tmp_path / "t.xlsx", "w") as new:
        for name in old.namelist():
            text = old.read(name).decode()
            new.writestr(name, bomb + text.replace("<v>1</v>", "<v>&b;</v>") if "sheet1" in name else text)
    with pytest.raises(UnreadableFile):
        read_table(tmp_path / "t.xlsx")


def test_sqlite_is_read_by_table_view_and_query(tmp_path: Path) -> None:
    path = database(
        tmp_path / "t.db",
        'CREATE TABLE "odd ""name""" (a TEXT, b REAL, c BLOB, d INTEGER)',
        '''INSERT INTO "odd ""name""" VALUES ('01', 1.0, x'ff00', NULL), (' x ', 2.5, 'y', 3)''',
        'CREATE VIEW few AS SELECT a FROM "odd ""name""" WHERE d = 3',
    )
    assert parts(path) == ('odd "name"', "few")
    table, report = read_table(path)
    assert rows(table) == [["01", "1", "0xff00", MISSING], ["x", "2.5", "y", "3"]]
    assert (report.kind, report.part, report.trimmed) == ("sqlite", 'odd "name"', 1)
    assert rows(read_table(path, ReadOptions(part="few"))[0]) == [["x"]]
    assert rows(read_table(path, ReadOptions(query="SELECT d, d AS d FROM few, (SELECT 7 AS d)"))[0]) == [["7", "7"]]
    assert rows(read_table(f"sqlite:///{path}")[0]) == rows(table)


@pytest.mark.parametrize(
    "question",
    ["DELETE FROM t", "WITH x AS (SELECT 1) DELETE FROM t", "SELECT 1; DROP TABLE t", "SELECT * FROM nothing",
     "SELECT load_extension('x')", "ATTACH 'other.db' AS o", "SELECT", "PRAGMA writable_schema=1"],
)  # fmt: skip
def test_a_query_can_only_ask(tmp_path: Path, question: str) -> None:
    path = database(tmp_path / "t.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
    before = path.read_bytes()
    with pytest.raises(UnreadableFile):
        read_table(path, ReadOptions(query=question))
    assert path.read_bytes() == before


def test_a_table_that_is_not_there_and_a_damaged_database_are_refused(tmp_path: Path) -> None:
    path = database(tmp_path / "t.db", "CREATE TABLE t (a)", *["INSERT INTO t VALUES (1)"] * 100)
    with pytest.raises(UnreadableFile, match="no table"):
        read_table(path, ReadOptions(part='t"; DROP TABLE t'))
    path.write_bytes(path.read_bytes()[:100] + bytes(2000))
    with pytest.raises(UnreadableFile):
        read_table(path)


def test_a_database_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no table"):
        read_table(database(tmp_path / "t.db", "CREATE TABLE t (a)", "DROP TABLE t"))


def test_a_query_without_end_can_be_cancelled(tmp_path: Path) -> None:
    path = database(tmp_path / "t.db", "CREATE TABLE t (a)")
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    calls: list[int] = []

    def soon() -> bool:
        calls.append(1)
        return len(calls) > 3

    with pytest.raises(Cancelled):
        read_table(path, ReadOptions(query=endless), Progress(is_cancelled=soon))


def test_any_sqlalchemy_address_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    engine = sqlalchemy.create_engine(f"sqlite+pysqlite:///{path}")
    with engine.begin() as connection:
        connection.exec_driver_sql('CREATE TABLE "select" (a TEXT, b REAL)')
        connection.exec_driver_sql("""INSERT INTO "select" VALUES ('01', 2.0), (NULL, 1.5)""")
    engine.dispose()
    address = f"sqlite+pysqlite:///{path}"
    assert parts(address) == ("select",)
    assert rows(read_table(address)[0]) == [["01", "2"], [MISSING, "1.5"]]
    assert rows(read_table(address, ReadOptions(query="SELECT 'a:b' AS x"))[0]) == [["a:b"]]


@pytest.mark.parametrize("address", ["nothing://x", "postgresql://", "://", "sqlite+pysqlite:////no/such/folder/x.db"])
def test_an_address_that_leads_nowhere_is_one_sentence(address: str) -> None:
    with pytest.raises(UnreadableFile):
        read_table(address)


def test_a_password_in_an_address_is_never_told() -> None:
    with pytest.raises(UnreadableFile) as caught:
        read_table("sqlite+pysqlite://user:geheim@host/no/such")
    assert "geheim" not in str(caught.value)


def test_statistics_files_are_read(tmp_path: Path) -> None:
    frame = pd.DataFrame({"name": ["Ann", ""], "age": [34.0, float("nan")], "born": [DAY, DAY], "sex": [1.0, 2.0]})
    labels = {"sex": {1: "male", 2: "female"}}
    pyreadstat.write_sav(frame, str(tmp_path / "t.sav"), variable_value_labels=labels)
    pyreadstat.write_dta(frame, str(tmp_path / "t.dta"), variable_value_labels=labels)
    for name in ("t.sav", "t.dta"):
        table, report = read_table(tmp_path / name)
        assert rows(table) == [["Ann", "34", "2024-02-29", "1"], [MISSING, MISSING, "2024-02-29", "2"]]
        assert any("sex" in note for note in report.notes)


@pytest.mark.parametrize("suffix", [".sav", ".dta", ".sas7bdat", ".xpt"])
def test_damaged_statistics_files_are_refused(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"t{suffix}").write_bytes(b"$FL2@(#) nonsense" + bytes(range(256)))
    with pytest.raises(UnreadableFile):
        read_table(tmp_path / f"t{suffix}")


@pytest.mark.parametrize(
    ("package", "extra", "write"),
    [
        ("openpyxl", "excel", lambda path: workbook(path, ("a",), ("1",))),
        ("pyarrow.parquet", "parquet", lambda path: pq.write_table(pa.table({"a": ["1"]}), path)),
        ("pyreadstat", "statistics", lambda path: pyreadstat.write_sav(pd.DataFrame({"a": ["1"]}), str(path))),
    ],
)
def test_a_package_that_is_not_installed_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, extra: str, write: object
) -> None:
    path = tmp_path / {"excel": "t.xlsx", "parquet": "t.parquet", "statistics": "t.sav"}[extra]
    write(path)  # type: ignore[operator]
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(MissingExtra) as caught:
        reader_of(path).read(path, ReadOptions(), SILENT, None)
    assert f"[{extra}]" in caught.value.hint


def test_sqlalchemy_that_is_not_installed_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sqlalchemy", None)
    with pytest.raises(MissingExtra) as caught:
        read_table("postgresql://localhost/x")
    assert "[database]" in caught.value.hint


def test_every_format_gives_the_same_preview_as_the_whole(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [str(i) for i in range(50)], "b": ["x"] * 50})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_excel(tmp_path / "t.xlsx", index=False)
    frame.to_parquet(tmp_path / "t.parquet", index=False)
    pyreadstat.write_sav(frame, str(tmp_path / "t.sav"))
    connection = sqlite3.connect(tmp_path / "t.db")
    frame.to_sql("t", connection, index=False)
    connection.close()
    for name in ("t.csv", "t.xlsx", "t.parquet", "t.sav", "t.db"):
        shown = preview(tmp_path / name, rows=20)
        assert shown.error is None
        assert rows(shown.table) == rows(read_table(tmp_path / name)[0])[:20]


def test_a_preview_tells_the_obstacle_and_shows_the_rows_before_it(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n3,4\n5,6,7\n")
    shown = preview(path)
    assert shown.error is not None
    assert shown.error.line == 4
    assert rows(shown.table) == [["1", "2"], ["3", "4"]]


def test_a_preview_shows_the_rows_above_a_quotation_mark_that_does_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,2\n3,4\n5,x"y\n6,"z"\n')
    shown = preview(path)
    assert shown.error is not None
    assert shown.error.line == 4
    assert rows(shown.table) == [["1", "2"], ["3", "4"]]


def test_a_preview_is_not_troubled_by_what_lies_below_it(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,2\n3,4\n5,x"y\n6,"z"\n')
    shown = preview(path, rows=2)
    assert shown.error is None
    assert rows(shown.table) == [["1", "2"], ["3", "4"]]


def test_a_preview_of_nothing_is_a_sentence(tmp_path: Path) -> None:
    assert preview(tmp_path / "nothing.csv").error is not None
    (tmp_path / "t.csv").write_bytes(b"a\n1\n")
    assert preview(tmp_path / "t.csv", replace(ReadOptions(), encoding="utf-16")).error is not None


def test_a_workbook_named_csv_is_read_as_what_it_is(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", ("a",), ("1",)).rename(tmp_path / "t.csv")
    assert read_table(path)[1].kind == "excel"


def test_text_named_xlsx_is_read_as_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "t.xlsx").write_text("a;b\n1;2\n")
    assert read_table(tmp_path / "t.xlsx")[1].kind == "csv"


def test_a_report_goes_into_json(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,a\n1\n")
    told = read_table(tmp_path / "t.csv")[1].to_json()
    assert told["renamed"] == (("a", "a (2)"),)
    assert told["short_lines"] == {"total": 1, "first": (2,)}
    assert io.StringIO(str(told["problems"])).read()
