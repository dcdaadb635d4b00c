"""Raw values that nobody can overlook, planted in a table, and a search for them in the bytes of any file."""

import base64
import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.project import Project
from tests.engine.rooms.microdata.making import NAMES, hospital_project

UNUSED = "LEMUR-UNUSED"
RARE_ZIP, RARE_DISEASE, RARE_WARD = "QUAGGA-ZIP", "OKAPI-DISEASE", "TAPIR-WARD"
PEOPLE = tuple(f"ZEBRA-{number:04d}" for number in range(41))
SUPPRESSED = (RARE_ZIP, RARE_DISEASE, RARE_WARD)
FOLDER, AUTHOR = "GIBBON-FOLDER", "DINGO-AUTHOR"


def canary_table() -> Table:
    """Give a table whose last row must be suppressed, and whose columns know a value that no row has."""
    diseases = ("=Flu", "Cancer", "@Heart", "+Asthma")
    rows = [
        [PEOPLE[i], str(20 + i % 8), f"130{50 + i % 4}", diseases[(i * 7) % 4], f"-W{i % 3}"]
        for i in range(len(PEOPLE) - 1)
    ]
    rows.append([PEOPLE[-1], "20", RARE_ZIP, RARE_DISEASE, RARE_WARD])
    table = Table.from_rows(NAMES, rows)
    return Table(tuple(_with_unused(column) for column in table.columns), table.n_rows)


def canary_project(**changes: object) -> Project:
    """Give a project that suppresses the last row."""
    project = hospital_project()
    zips = {"1305*": ["13050", "13051", "13052", "13053"], "rare": [RARE_ZIP, UNUSED]}
    ages = {"20-23": ["20", "21", "22", "23"], "24-27": ["24", "25", "26", "27"], "none": [UNUSED]}
    trees = {"age": Hierarchy.from_nested({"*": ages}), "zip": Hierarchy.from_nested({"*": zips})}
    levels = {"age": (1, 1), "zip": (1, 1)}
    changed = replace(project, hierarchies=trees, suppression=0.1, bounds=levels)
    return replace(changed, **changes)  # type: ignore[arg-type]


_DIGEST = 32
"""The length of the shortest digests and keys as hexadecimal figures."""


def found_in(files: Iterable[Path], values: Iterable[str]) -> list[str]:
    """Tell which values are in which files, in any encoding, packed or plain, and also as plain digests."""
    wanted = {form: value for value in values for form in _forms(value)}
    if not wanted:
        return []
    pattern = re.compile(b"|".join(re.escape(form) for form in sorted(wanted, key=len, reverse=True)), re.IGNORECASE)
    known = {form.lower(): value for form, value in wanted.items()}
    return [
        f"{known[hit.group().lower()]} in {path.name}"
        for path in files
        for content in unpacked(path.read_bytes())
        for hit in pattern.finditer(content)
        if not _is_part_of_a_digest(content, hit)
    ]


def _is_part_of_a_digest(content: bytes, hit: re.Match[bytes]) -> bool:
    """Tell figures that stand in the middle of a long row of hexadecimal ones: short values are there by chance."""
    before = re.search(rb"[0-9a-fA-F]*\Z", content[max(hit.start() - 64, 0) : hit.start()])
    after = re.match(rb"[0-9a-fA-F]*", content[hit.end() : hit.end() + 64])
    around = sum(len(side.group()) for side in (before, after) if side)
    return hit.group().isdigit() and around + len(hit.group()) >= _DIGEST


def unpacked(content: bytes) -> Iterable[bytes]:
    """Give the bytes of a file, of the parts of an archive, of the streams of a PDF and of the pages of Parquet."""
    yield content
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for entry in archive.infolist():
                yield archive.read(entry)
                yield entry.comment + entry.extra
    if content.startswith(b"%PDF"):
        for stream in re.findall(rb"stream\r?\n(.*?)endstream", content, re.DOTALL):
            yield zlib.decompressobj().decompress(stream) if stream[:1] == b"x" else stream
    if content.startswith(b"PAR1"):
        yield from _pages(content)


def _pages(content: bytes) -> Iterable[bytes]:
    import pyarrow as pa
    from pyarrow import parquet

    metadata = parquet.read_metadata(io.BytesIO(content))
    for group in range(metadata.num_row_groups):
        for column in range(metadata.num_columns):
            chunk = metadata.row_group(group).column(column)
            start = min(p for p in (chunk.data_page_offset, chunk.dictionary_page_offset) if p is not None)
            yield _decompressed(content[start : start + chunk.total_compressed_size], pa.Codec("snappy"))


def _decompressed(page: bytes, codec: object) -> bytes:
    """Find where the compressed part of a page begins: behind a header of unknown length."""
    for start in range(min(len(page), 200)):
        size, shift, at = 0, 0, start
        while at < len(page):
            size |= (page[at] & 0x7F) << shift
            if page[at] < 0x80:
                break
            shift, at = shift + 7, at + 1
        if 0 < size < 1 << 24:
            try:
                return bytes(codec.decompress(page[start:], size))  # type: ignore[attr-defined]
            except OSError:
                continue
    raise AssertionError("a page could not be decompressed")


def _forms(value: str) -> set[bytes]:
    plain = value.encode()
    digests = {hashlib.new(name, plain).hexdigest().encode() for name in ("md5", "sha1", "sha256")}
    return {plain, value.encode("utf-16-le"), value.encode("utf-16-be"), base64.b64encode(plain), *digests}


def _with_unused(column: Column) -> Column:
    return Column(column.name, column.codes.astype(np.uint32), (*column.labels, UNUSED))
