"""Parquet files: one text for every value, none lost, damage refused."""

import datetime
import decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.data.tables.io import parquet, read_table
from anonymizer_gui.engine.data.tables.table import MISSING, Table

DAY = datetime.date(2024, 2, 29)
MOMENT = datetime.datetime(2024, 1, 2, 3, 4, 5)


def rows(table: Table) -> list[list[str]]:
    return [list(row) for row in zip(*(column.texts() for column in table.columns), strict=True)]


def test_parquet_values_have_one_text_each(tmp_path: Path) -> None:
    frame = pa.table(
        {
            "text": ["01234", None],
            "int": [1, None],
            "float": [1.0, float("nan")],
            "zero": [-0.0, 2.5],
            "single": pa.array([0.1, 1.0], pa.float32()),
            "bool": [True, False],
            "day": [DAY, None],
            "moment": pa.array([MOMENT, datetime.datetime(2024, 1, 2)], pa.timestamp("ns")),
            "money": [decimal.Decimal("1.50"), decimal.Decimal("-0.00")],
            "bytes": [b"abc", b"\xff\x00"],
            "list": [[1, 2], None],
            "coded": pa.array(["x", "y"]).dictionary_encode(),
        }
    )
    pq.write_table(frame, tmp_path / "t.parquet")
    table, report = read_table(tmp_path / "t.parquet")
    assert rows(table) == [
        ["01234", "1", "1", "0", "0.1", "TRUE", "2024-02-29", "2024-01-02 03:04:05", "1.50", "abc", "[1, 2]", "x"],
        [MISSING, MISSING, MISSING, "2.5", "1", "FALSE", MISSING, "2024-01-02", "0.00", "0xff00", MISSING, "y"],
    ]
    assert report.missing == 5


def test_duplicate_parquet_names_are_repaired(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_arrays([pa.array(["1"]), pa.array(["2"])], names=["a", "a"]), tmp_path / "t.parquet")
    table, report = read_table(tmp_path / "t.parquet")
    assert (table.names, rows(table), report.renamed) == (("a", "a (2)"), [["1", "2"]], (("a", "a (2)"),))


@pytest.mark.parametrize("keep", [4, 5, 100, -1, -9])
def test_truncated_parquet_is_refused(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": [str(i) for i in range(1000)]}), path)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(UnreadableFile):
        read_table(path)


def test_parquet_values_are_made_in_pieces_and_none_is_lost(tmp_path: Path) -> None:
    days = [datetime.date(2000, 1, 1) + datetime.timedelta(days=number) for number in range(9000)]
    pq.write_table(pa.table({"day": days}), tmp_path / "t.parquet")
    (column,) = read_table(tmp_path / "t.parquet")[0].columns
    assert [column.labels[code] for code in column.codes] == [day.isoformat() for day in days]


def test_parquet_values_never_come_in_one_long_go() -> None:
    values, sizes = pa.array(range(9000)), []

    class Watched:
        def __len__(self) -> int:
            return len(values)

        def slice(self, start: int, length: int) -> pa.Array:
            sizes.append(length)
            return values.slice(start, length)

    assert list(parquet._python_values(Watched())) == list(range(9000))
    assert max(sizes) < 5000
