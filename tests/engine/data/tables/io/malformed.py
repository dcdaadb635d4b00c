"""Malformed tables made by code: real files of every format, damaged in ways that happen."""

import gzip
import io
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat

Damage = Callable[[bytes, np.random.Generator], bytes]
_RICH = ("l.sav", "l.dta", "o.por", "o.xpt", "r.parquet", "v.db", "s.xlsx")
_HEADER = ["name", "zip", "age", "diagnosis"]
_ROWS = [[f"Person {i}", f"{i * 37 % 99999:05d}", str(i % 90), ["flu", "HIV", 'ü, "x"'][i % 3]] for i in range(60)]


def originals(folder: Path) -> dict[str, bytes]:
    """Make one sound file of every format."""
    frame = pd.DataFrame(_ROWS, columns=_HEADER)
    text = frame.to_csv(index=False)
    made = {
        "t.csv": text.encode(),
        "semicolon.csv": frame.to_csv(index=False, sep=";", lineterminator="\r\n").encode("cp1252"),
        "t.tsv": frame.to_csv(index=False, sep="\t").encode("utf-16"),
        "t.csv.gz": gzip.compress(text.encode(), mtime=0),
    }
    book = openpyxl.Workbook()
    for row in [_HEADER, *_ROWS]:
        book.active.append(row)
    book.save(folder / "t.xlsx")
    pq.write_table(pa.Table.from_pandas(frame), folder / "t.parquet")
    pyreadstat.write_sav(frame, str(folder / "t.sav"))
    pyreadstat.write_dta(frame, str(folder / "t.dta"))
    pyreadstat.write_sav(frame, str(folder / "t.zsav"), compress=True)
    connection = sqlite3.connect(folder / "t.db")
    frame.to_sql("t", connection, index=False)
    connection.close()
    with zipfile.ZipFile(folder / "t.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", text)
    for name in ("t.xlsx", "t.parquet", "t.sav", "t.dta", "t.zsav", "t.db", "t.zip"):
        made[name] = (folder / name).read_bytes()
    return made


def more_originals(folder: Path) -> dict[str, bytes]:
    """Make sound files with what else a format can hold: labels, nested values, moments, views, styles."""
    frame = pd.DataFrame({"name": ["Ann", "Bob"], "age": [34.0, float("nan")], "sex": [1.0, 2.0]})
    labels = {"sex": {1: "male", 2: "female"}}
    pyreadstat.write_sav(frame, str(folder / "l.sav"), variable_value_labels=labels, column_labels=["n", "a", "s"])
    pyreadstat.write_dta(frame, str(folder / "l.dta"), variable_value_labels=labels)
    pyreadstat.write_por(frame.rename(columns=str.upper), str(folder / "o.por"))
    pyreadstat.write_xport(frame, str(folder / "o.xpt"))
    rich = pa.table({
        "moment": pa.array([0, None], pa.timestamp("us", "Europe/Berlin")), "list": [[1, 2], None],
        "struct": [{"a": "x"}, None], "coded": pa.array(["x", "y"]).dictionary_encode(), "bytes": [b"\xff", None],
    })  # fmt: skip
    pq.write_table(rich, folder / "r.parquet", compression="gzip")
    connection = sqlite3.connect(folder / "v.db")
    connection.executescript("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, x'ff'); CREATE VIEW v AS SELECT a FROM t")
    connection.close()
    book = openpyxl.Workbook()
    book.active.append(["day", "share", "sum"])
    book.active.append([pd.Timestamp("2024-02-29"), 0.5, "=A1+1"])
    book.active["B2"].number_format = "0.0%"
    book.create_sheet("hidden").sheet_state = "hidden"
    book.save(folder / "s.xlsx")
    return {name: (folder / name).read_bytes() for name in _RICH}


def _place(data: bytes, random: np.random.Generator) -> int:
    return int(random.integers(len(data) + 1))


def cut_off(data: bytes, random: np.random.Generator) -> bytes:
    """Lose the end, as a broken download does."""
    return data[: _place(data, random)]


def cut_out(data: bytes, random: np.random.Generator) -> bytes:
    """Lose a piece in the middle."""
    start = _place(data, random)
    return data[:start] + data[start + int(random.integers(1, 200)) :]


def flip(data: bytes, random: np.random.Generator) -> bytes:
    """Change some bytes."""
    changed = bytearray(data)
    for _ in range(int(random.integers(1, 8))):
        if changed:
            changed[int(random.integers(len(changed)))] = int(random.integers(256))
    return bytes(changed)


def insert(data: bytes, random: np.random.Generator) -> bytes:
    """Put a piece in that means something to some parser."""
    pieces = [b'"', b"\n", b"\r", b"\r\n", b"\0", b",", b";", b"\t", b"\xff\xfe", b"\xef\xbb\xbf", b'""', b"\x1a",
              b"," * 50, b"\n" * 20, b"x" * 5000, "é\u0308\u200b".encode(), b"\xc3", b"\xed\xa0\x80"]  # fmt: skip
    start = _place(data, random)
    return data[:start] + pieces[int(random.integers(len(pieces)))] + data[start:]


def swap(data: bytes, random: np.random.Generator) -> bytes:
    """Exchange two pieces."""
    a, b = sorted((_place(data, random), _place(data, random)))
    return data[b:] + data[a:b] + data[:a]


def repeat(data: bytes, random: np.random.Generator) -> bytes:
    """Write the file a second time behind itself, as a careless append does."""
    return data + data[_place(data, random) :]


def fill_zero(data: bytes, random: np.random.Generator) -> bytes:
    """Replace a piece by zero bytes, as a lost disk block does."""
    start = _place(data, random)
    size = int(random.integers(1, 600))
    return data[:start] + bytes(min(size, len(data) - start)) + data[start + size :]


DAMAGES: tuple[Damage, ...] = (cut_off, cut_out, flip, insert, swap, repeat, fill_zero)


def inside_archive(data: bytes, random: np.random.Generator, damage: Damage) -> bytes:
    """Damage one file of an archive and pack it again soundly, so that the damage reaches the parser within."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        names = old.namelist()
        hit = names[int(random.integers(len(names)))]
        for name in names:
            new.writestr(name, damage(old.read(name), random) if name == hit else old.read(name))
    return packed.getvalue()
