"""Show, check, convert and build hierarchies."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from anonymizer_gui.commands.options import add_reading_arguments, read_table_from
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import from_texts
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, Schema, Table
from anonymizer_gui.engine.data.tables.values import guess_type
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS, preview_levels
from anonymizer_gui.engine.hierarchy.files import read_hierarchies, read_hierarchy, repair_hierarchy, write_hierarchy
from anonymizer_gui.engine.hierarchy.fit import Fit, Repeated, check_fit
from anonymizer_gui.engine.hierarchy.formats.contract import HIERARCHY_FORMATS
from anonymizer_gui.engine.storage.sources import Source, files_of_sources, refuse_overwrite

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
    add_reading_arguments(parser)
    parser.set_defaults(action=_check)


def _add_convert(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="the hierarchy")
    parser.add_argument("output", metavar="OUT", type=Path, help="where to write it; the suffix gives the format")
    parser.add_argument("--to", default="", metavar="FORMAT", help=f"one of {', '.join(HIERARCHY_FORMATS.names())}")
    parser.add_argument(
        "--repair",
        action="store_true",
        help="mend labels that stand twice: values keep their first place, groups get names of their own",
    )
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
    add_reading_arguments(parser)
    parser.set_defaults(action=_build)


def _show(args: argparse.Namespace) -> int:
    tree = read_hierarchy(args.file)
    shown = tree.n_leaves if args.limit <= 0 else min(args.limit, tree.n_leaves)
    counts = {"values": tree.n_leaves, "groups": len(tree) - tree.n_leaves, "levels": tree.height}
    print(message("{values:value|values}, {groups:group|groups}, {levels:level|levels} above the values", **counts))
    table = tree.level_table(args.uneven)[:, :shown]
    heads = [f"level {level}" for level in range(tree.height + 1)]
    _print_columns([heads, *([tree.labels[node] for node in row] for row in table.T.tolist())])
    if shown < tree.n_leaves:
        print(message("... and {more:more value|more values}", more=tree.n_leaves - shown))
    return _FITS


def _check(args: argparse.Namespace) -> int:
    table = read_table_from(args.table, args.read)
    if args.hierarchy.is_dir():
        return _check_folder(args.hierarchy, table)
    column = table.column(args.column or args.hierarchy.stem)
    found = repair_hierarchy(args.hierarchy)
    fit = check_fit(column, found.hierarchy, _read_as(column), found.duplicates)
    _print_fit(fit)
    if fit.duplicates:
        print(f"Mend it with: hierarchy convert {args.hierarchy.name} OUT --repair", file=sys.stderr)
    return _FITS if fit.is_good else _DOES_NOT_FIT


def _check_folder(folder: Path, table: Table) -> int:
    found = read_hierarchies(folder, table.names, table, Schema(tuple(map(_read_as, table.columns))))
    _print_columns([["column", "file", "state", ""], *([m.column, m.file, m.state, m.note] for m in found.matches)])
    bad = any(match.state in ("does not fit", "refused") for match in found.matches)
    return _DOES_NOT_FIT if bad else _FITS


def _convert(args: argparse.Namespace) -> int:
    refuse_overwrite([args.output], [args.file])
    tree = repair_hierarchy(args.file).hierarchy if args.repair else read_hierarchy(args.file)
    write_hierarchy(tree, args.output, args.to)
    return _FITS


def _build(args: argparse.Namespace) -> int:
    column = read_table_from(args.table, args.read).column(args.column)
    schema = _read_as(column)
    builder = from_texts(BUILDERS.get(args.builder), dict(_pair(text) for text in args.set))
    if args.output is not None:
        refuse_overwrite([args.output], files_of_sources([Source(str(args.table))]))
        write_hierarchy(builder.build(column, schema), args.output, args.to)
        return _FITS
    for level in preview_levels(builder, column, schema):
        counted = [_with_rows(label, rows) for label, rows in zip(level.labels, level.rows, strict=True)]
        labels = message("{labels:label|labels}", labels=len(counted))
        print(f"level {level.level}, {labels}, LM {level.loss:.4f}: {_listing(counted)}")
    return _FITS


def _read_as(column: Column) -> ColumnSchema:
    guess = guess_type(column)
    return ColumnSchema(column.name, guess.type, guess.format)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadParameter("A parameter is set as NAME=VALUE.", f"It was {text!r}.")
    return name.strip(), value


def _print_fit(fit: Fit) -> None:
    print(fit.summary() or "Every value has a place, and every place a value.")
    sorts = {
        "stand twice": [_repeated(each) for each in fit.duplicates],
        "without a place": [_with_rows(misfit.value, misfit.rows) for misfit in fit.without_place],
        "named like a group": [_with_rows(misfit.value, misfit.rows) for misfit in fit.named_like_groups],
        "differ in case only": [_with_rows(f"{twin.value} / {twin.leaf}", twin.rows) for twin in fit.case_twins],
        "outside all intervals": [_with_rows(misfit.value, misfit.rows) for misfit in fit.outside_intervals],
        "places without values": list(fit.without_values),
    }
    for sort, values in sorts.items():
        if values:
            print(f"{sort}: {_listing(values)}")


def _repeated(each: Repeated) -> str:
    """Name a label with every place it stands at and the rows that concerns."""
    places = (f"line {place.line} in {' / '.join(place.groups) or 'no group'}" for place in each.places)
    return f"{each.label} ({'; '.join(places)}; {message('{rows:row|rows}', rows=each.rows)})"


def _with_rows(value: str, rows: int) -> str:
    return f"{value} ({rows:,})"


def _listing(texts: Sequence[str]) -> str:
    more = f", ... and {len(texts) - _LISTED:,} more" if len(texts) > _LISTED else ""
    return ", ".join(texts[:_LISTED]) + more


def _print_columns(rows: Iterable[Sequence[str]]) -> None:
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for row in listed:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
