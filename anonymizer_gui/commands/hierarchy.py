"""Show, check, convert and build hierarchies."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from anonymizer_gui.engine.errors import BadParameter
from anonymizer_gui.engine.hierarchy.builders.builder import Builder, preview
from anonymizer_gui.engine.hierarchy.fit import Fit, check_fit
from anonymizer_gui.engine.hierarchy.folder import read_hierarchies
from anonymizer_gui.engine.hierarchy.formats.files import read_hierarchy, write_hierarchy
from anonymizer_gui.engine.params import from_texts
from anonymizer_gui.engine.registry import BUILDERS, HIERARCHY_FORMATS
from anonymizer_gui.engine.table import ColumnSchema
from anonymizer_gui.engine.table_io import read_table
from anonymizer_gui.engine.values import guess_type

NAME = "hierarchy"
HELP = "Show, check, convert or build hierarchies; check exits 1 when values have no place."

_FITS, _DOES_NOT_FIT = 0, 1
_LISTED = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    _add_show(actions.add_parser("show", help="show the level table that is really used"))
    _add_check(actions.add_parser("check", help="compare a hierarchy, or a folder of them, with a table"))
    _add_convert(actions.add_parser("convert", help="write a hierarchy in another format"))
    _add_build(actions.add_parser("build", help="make a hierarchy from a column"))


def run(args: argparse.Namespace) -> int:
    """Do what was chosen."""
    return int(args.action(args))


def _add_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="the hierarchy")
    parser.add_argument("--uneven", choices=["cap", "climb"], default="cap", help="what levels mean for uneven depth")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="show so many values; 0 shows all")
    parser.set_defaults(action=_show)


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("hierarchy", metavar="FILE_OR_FOLDER", type=Path, help="one hierarchy, or a folder of them")
    parser.add_argument("table", metavar="TABLE", help="the table whose values need places")
    parser.add_argument(
        "--column", metavar="NAME", help="the column of a single file; its name without suffix if not said"
    )
    parser.set_defaults(action=_check)


def _add_convert(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="the hierarchy")
    parser.add_argument("output", metavar="OUT", type=Path, help="where to write it; the suffix gives the format")
    parser.add_argument("--to", default="", metavar="FORMAT", help=f"one of {', '.join(HIERARCHY_FORMATS.names())}")
    parser.set_defaults(action=_convert)


def _add_build(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", help="the table")
    parser.add_argument("column", metavar="COLUMN", help="the column")
    parser.add_argument(
        "--with", dest="builder", default="automatic", metavar="BUILDER", help=", ".join(BUILDERS.names())
    )
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the builder")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="where to write it; without, levels are shown")
    parser.add_argument("--to", default="", metavar="FORMAT", help=f"one of {', '.join(HIERARCHY_FORMATS.names())}")
    parser.set_defaults(action=_build)


def _show(args: argparse.Namespace) -> int:
    tree = read_hierarchy(args.file)
    shown = tree.n_leaves if args.limit <= 0 else min(args.limit, tree.n_leaves)
    print(f"{tree.n_leaves:,} values, {len(tree) - tree.n_leaves:,} groups, {tree.height} levels above the values")
    table = tree.level_table(args.uneven)[:, :shown]
    heads = [f"level {level}" for level in range(tree.height + 1)]
    _print_columns([heads, *([tree.labels[node] for node in row] for row in table.T.tolist())])
    if shown < tree.n_leaves:
        print(f"... and {tree.n_leaves - shown:,} more values")
    return _FITS


def _check(args: argparse.Namespace) -> int:
    table = read_table(Path(args.table))[0]
    if args.hierarchy.is_dir():
        found = read_hierarchies(args.hierarchy, table.names, table)
        _print_columns([["column", "file", "state", ""], *([m.column, m.file, m.state, m.note] for m in found.matches)])
        bad = any(match.state in ("does not fit", "refused") for match in found.matches)
        return _DOES_NOT_FIT if bad else _FITS
    column = table.column(args.column or args.hierarchy.stem)
    guess = guess_type(column)
    schema = ColumnSchema(column.name, guess.type, guess.format)
    fit = check_fit(column, read_hierarchy(args.hierarchy), schema)
    _print_fit(fit)
    return _FITS if fit.is_good else _DOES_NOT_FIT


def _convert(args: argparse.Namespace) -> int:
    write_hierarchy(read_hierarchy(args.file), args.output, args.to)
    return _FITS


def _build(args: argparse.Namespace) -> int:
    column = read_table(Path(args.table))[0].column(args.column)
    guess = guess_type(column)
    schema = ColumnSchema(column.name, guess.type, guess.format)
    builder: Builder = from_texts(BUILDERS.get(args.builder), dict(_pair(text) for text in args.set))
    if args.output is not None:
        write_hierarchy(builder.build(column, schema), args.output, args.to)
        return _FITS
    for level in preview(builder, column, schema):
        counted = [f"{label} ({rows:,})" for label, rows in zip(level.labels, level.rows, strict=True)]
        print(f"level {level.level}, {len(counted):,} labels, LM {level.loss:.4f}: {_listing(counted)}")
    return _FITS


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadParameter("A parameter is set as NAME=VALUE.", f"It was {text!r}.")
    return name.strip(), value


def _print_fit(fit: Fit) -> None:
    print(fit.summary() or "Every value has a place, and every place a value.")
    sorts = {
        "without a place": [f"{misfit.value} ({misfit.rows:,})" for misfit in fit.without_place],
        "named like a group": [misfit.value for misfit in fit.named_like_groups],
        "differ in case only": [f"{twin.value} / {twin.leaf}" for twin in fit.case_twins],
        "outside all intervals": [misfit.value for misfit in fit.outside_intervals],
        "places without values": list(fit.without_values),
    }
    for sort, values in sorts.items():
        if values:
            print(f"{sort}: {_listing(values)}")


def _listing(texts: Sequence[str]) -> str:
    more = f", ... and {len(texts) - _LISTED:,} more" if len(texts) > _LISTED else ""
    return ", ".join(texts[:_LISTED]) + more


def _print_columns(rows: Iterable[Sequence[str]]) -> None:
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for row in listed:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
