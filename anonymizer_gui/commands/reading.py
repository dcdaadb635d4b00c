"""What every command that reads a table can be told about it, and what it tells about the reading."""

import argparse
import dataclasses
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Json, from_texts, params_of, to_json
from anonymizer_gui.engine.data.tables.io import ReadOptions, read_table, sniff
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.storage.sources import Source, is_address, parse_address


def add_reading_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare how the table is read; without a word that is found by looking at it."""
    parser.add_argument(
        "--read",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"how TABLE is read, such as encoding=cp1251: {', '.join(p.name for p in params_of(ReadOptions))}",
    )


def source_from(path: str, given: list[str]) -> Source:
    """Give the table with the options that were given, the others as they are found by looking."""
    return Source(path, options=to_json(options_from(path, given)) if given else {})


def table_from(path: str, given: Iterable[str] = ()) -> Table:
    """Read a table and tell what was found on the way; raises UnreadableFile."""
    table, report = read_table(path, options_from(path, list(given)) if given else None)
    tell_notes(path, report.problems)
    return table


def tell_notes(path: str, notes: Iterable[str]) -> None:
    """Tell on standard error what reading a table changed, repaired and doubted."""
    name = parse_address(path).place if is_address(path) and not path.startswith("sqlite") else Path(path).name
    for note in notes:
        sys.stderr.write(f"{name}: {note}\n")


def read_json(project: Any, notes: Sequence[str]) -> dict[str, Json]:
    """Give how the table of a project was read, and what was found on the way."""
    source = next(iter(project.sources().values()), Source(""))
    return {"options": dict(source.options), "notes": list(notes)}


def options_from(path: str, given: list[str]) -> ReadOptions:
    """Give the options that were named, the others as they are found by looking; raises BadParameter."""
    return with_named(sniff(path), given)


def with_named(options: ReadOptions, given: Sequence[str]) -> ReadOptions:
    """Give options with those that were named; raises BadParameter."""
    pairs = [text.partition("=") for text in given]
    for name, equals, _ in pairs:
        if not equals:
            raise BadParameter("--read needs NAME=VALUE.", f"It was “{name}”.")
    chosen = {name.strip(): value for name, _, value in pairs}
    wanted = from_texts(ReadOptions, chosen)
    return dataclasses.replace(options, **{name: getattr(wanted, name) for name in chosen})
