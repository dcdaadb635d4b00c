"""Small files made to take all time or memory; run as a program it reads each and prints what that took.

    python -m tests.engine.data.tables.io.bombs FOLDER SECONDS

SECONDS are those a small file may take, shorter than in the program where nobody wants to wait.
"""

import gzip
import io
import json
import resource
import sqlite3
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

_NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
_SHEET, _STRINGS, _STYLES = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml"
_ALSO_STRINGS = (
    '<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'spreadsheetml.sharedStrings+xml"/></Types>'
)
_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def workbook(**parts: str) -> bytes:
    """Make a workbook of which some parts are exchanged or added."""
    plain, packed = io.BytesIO(), io.BytesIO()
    book = openpyxl.Workbook()
    book.active.append(["a", "b"])
    book.save(plain)
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in dict.fromkeys([*old.namelist(), *parts]):
            content = parts.get(name) or old.read(name).decode()
            also = _ALSO_STRINGS if _STRINGS in parts else "</Types>"
            new.writestr(name, content.replace("</Types>", also))
    return packed.getvalue()


def sheet(rows: str) -> str:
    """Give the text of a sheet."""
    return f"<worksheet {_MAIN}><sheetData>{rows}</sheetData></worksheet>"


def database(folder: Path, *statements: str) -> bytes:
    """Give the bytes of a SQLite file."""
    path = folder / "made.db"
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    data = path.read_bytes()
    path.unlink()
    return data


def columnar(columns: int, rows: int, folder: Path) -> bytes:
    """Give the bytes of a Parquet file of nothing but the same value; it takes next to no room on the disk."""
    path = folder / "made.parquet"
    group = min(rows, 1_000_000)
    table = pa.table({f"c{number}": pa.array(["x"]).take(pa.array([0] * group)) for number in range(columns)})
    with pq.ParquetWriter(path, table.schema, compression="zstd") as writer:
        for _ in range(rows // group):
            writer.write_table(table)
    data = path.read_bytes()
    path.unlink()
    return data


def wide_texts() -> dict[str, bytes]:
    """Make delimited texts of ten thousand columns and next to nothing in them."""
    wide = ",".join(f"c{number}" for number in range(10_000)).encode()
    short_rows = wide + b"\n" + b"1\n" * 40_000
    return {
        "wide.csv": short_rows,
        "wide.csv.gz": gzip.compress(short_rows),
        "wide_full.csv": wide + b"\n" + (b"1," * 9_999 + b"1\n") * 5,
    }


def texts() -> dict[str, bytes]:
    """Make delimited texts: nearly empty, endless, or far too wide."""
    return {
        **wide_texts(),
        "blank_lines.csv.gz": gzip.compress(b"a,b\n1,2\n" + b"\n" * 60_000_000),
        "one_line.csv.gz": gzip.compress(b"a," * 30_000_000),
        "quotes.csv.gz": gzip.compress(b'a,b\n"' + b'""' * 20_000_000),
    }


def workbooks() -> dict[str, bytes]:
    """Make workbooks whose sheets, texts or styles never end."""
    far = "".join(f'<row r="{row}"><c r="NTO{row}"><v>1</v></c></row>' for row in range(1, 60_000))
    styles = f"<styleSheet {_MAIN}><cellXfs>{'<xf/>' * 12_000_000}</cellXfs></styleSheet>"
    return {
        "row_number.xlsx": workbook(**{_SHEET: sheet('<row r="1"><c r="A1"><v>1</v></c></row><row r="99999999999"/>')}),
        "last_cell.xlsx": workbook(**{_SHEET: sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')}),
        "far_column.xlsx": workbook(**{_SHEET: sheet(far)}),
        "strings.xlsx": workbook(**{_STRINGS: f"<sst {_MAIN}>{'<si/>' * 12_000_000}</sst>"}),
        "styles.xlsx": workbook(**{_STYLES: styles}),
        "nested.xlsx": workbook(**{_SHEET: sheet("<row>" * 6_000_000)}),
        "rows.xlsx": workbook(**{_SHEET: sheet("<row><c><v>1</v></c></row>" * 2_300_000)}),
    }


def databases(folder: Path) -> dict[str, bytes]:
    """Make SQLite files with views that never end, or end in one huge cell."""
    products = [
        "CREATE TABLE t (a)",
        f"INSERT INTO t {_NUMBERS} SELECT i FROM n LIMIT 1000",
        "CREATE VIEW v AS SELECT a.a FROM t a, t b, t c, t d ORDER BY random()",
    ]
    return {
        "endless.db": database(folder, f"CREATE VIEW v AS {_NUMBERS} SELECT max(i) FROM n"),
        "endless_rows.db": database(folder, f"CREATE VIEW v AS {_NUMBERS} SELECT i FROM n"),
        "huge_cell.db": database(folder, "CREATE VIEW v AS SELECT hex(zeroblob(900000000)) AS a"),
        "huge_cells.db": database(folder, f"CREATE VIEW v AS {_NUMBERS} SELECT hex(zeroblob(7000000)) || i FROM n"),
        "product.db": database(folder, *products),
    }


def columns(folder: Path) -> dict[str, bytes]:
    """Make Parquet files of one value, again and again."""
    return {"long.parquet": columnar(1, 60_000_000, folder), "wide.parquet": columnar(2_000, 30_000, folder)}


def spent() -> float:
    """Give the seconds of a processor that this process and those it has started took, once they have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def main(folder: Path, seconds: float) -> None:
    """Read every bomb and tell how that ended, how long it took, and the largest memory so far."""
    from anonymizer_gui.engine.core.errors import UnreadableFile
    from anonymizer_gui.engine.data.tables.io import parts, read_table, sniff
    from anonymizer_gui.engine.data.tables.io.sandboxed_readers import limits
    from anonymizer_gui.engine.data.tables.io.sandboxed_readers.client import POOL

    limits._BASE_SECONDS = seconds
    for path in sorted(folder.iterdir()):
        started = spent()
        try:
            options = replace(sniff(path), part=("", *parts(path))[-1])
            told = f"{read_table(path, options)[0].n_rows} rows"
        except UnreadableFile as error:
            told = error.message
        POOL.close()  # only who has ended is counted
        took = spent() - started
        peaks = [resource.getrusage(who).ru_maxrss >> 10 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        sys.stdout.write(json.dumps({"name": path.name, "told": told, "seconds": took, "megabytes": max(peaks)}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
