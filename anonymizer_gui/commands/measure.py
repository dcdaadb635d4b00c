"""The longer measurements of the measure command: utility against the original, and attacks."""

import argparse
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anonymizer_gui.commands.engine_options import add_engine_arguments, chooses_engine, counted_by_engine
from anonymizer_gui.commands.options import add_reading_arguments, read_table_from
from anonymizer_gui.commands.table_options import (
    add_goal_arguments,
    add_policy_arguments,
    goals_from,
    judge_table,
    policies_from,
    policy_json,
    print_policies,
)
from anonymizer_gui.engine.core.errors import AnonymizerError, BadHierarchy, BadParameter
from anonymizer_gui.engine.core.params import Float, Json, PerColumn
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.core.registry import try_each
from anonymizer_gui.engine.data.tables.set_valued_cells import FIRST_FORMAT, guess_set_format
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.files import read_hierarchies
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.measurement import (
    RECURSIVE_C,
    MeasurementContext,
    TableMeasurement,
    measure_table,
)
from anonymizer_gui.engine.rooms.microdata.models.reference_distribution import (
    ordered_values,
    refuse_unordered_distance,
)
from anonymizer_gui.engine.rooms.microdata.release.policy_check import PolicyJudgement
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, AttackView, RiskResult
from anonymizer_gui.engine.rooms.microdata.set_valued_attributes import ExposedRows
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison, MetricResult, measure_utility
from anonymizer_gui.engine.scale.contract import is_for_engines


def utility_json(comparison: Comparison, *, same_order: bool) -> dict[str, Json]:
    """Run every utility measure that can be run; the others say why not.

    Raises BadParameter when the published table has more rows than the original, or not as many in the same order.
    """
    rows, published = comparison.original.n_rows, comparison.published.n_rows
    if published > rows or (same_order and published != rows):
        raise BadParameter(
            f"The published table has {published:,} rows, the original {rows:,}.", "Compare a table with its original."
        )
    found = measure_utility([metric() for metric in METRICS if same_order or not metric.needs_rows], comparison, SILENT)
    return {metric.name: _metric(found.get(metric.name)) for metric in METRICS}


def risk_json(exposure: AttackView) -> dict[str, Json]:
    """Run every risk analysis that can be run; the others say why not."""
    found = try_each([risk() for risk in RISKS], lambda risk, part: risk.measure(exposure, part), SILENT)
    return {name: _risk(result) for name, result in found.items()}


def _metric(result: MetricResult | AnonymizerError | None) -> dict[str, Json]:
    if result is None:
        return {"skipped": "It must know which row is which: add --same-order if both tables agree."}
    if isinstance(result, AnonymizerError):
        return {"skipped": str(result)}
    value = float(result.value)
    return {"value": value if np.isfinite(value) else None, "details": dict(result.details)}


def _risk(result: RiskResult | AnonymizerError) -> dict[str, Json]:
    if isinstance(result, AnonymizerError):
        return {"skipped": str(result)}
    return {"value": result.value, "hit": result.hit, "people": result.people, "details": dict(result.details)}


NAME = "measure"

HELP = "Measure privacy, loss and risk of a published table; exit 1 when a goal or policy is not met."

_WIDTH = 22  # of the names before the numbers

_WHOLE_FROM = 100_000  # beyond, six digits would be written as powers of ten


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    parser.add_argument("table", metavar="TABLE", help="the published table")
    parser.add_argument("--qi", required=True, metavar="A,B", help="quasi-identifiers, separated by commas")
    parser.add_argument("--sa", default="", metavar="C", help="sensitive columns, separated by commas")
    parser.add_argument(
        "--set",
        default="",
        metavar="E,F",
        help="columns of sets such as {milk, butter}, of which a few items are known: the rows that a class and these "
        "give away are counted, by k and m of --k-km, otherwise by two items",
    )
    parser.add_argument("--person", metavar="D", help="column that says whom a row is about: people are counted")
    parser.add_argument(
        "--sampling-weight", metavar="W", help="with --risks: people of the population a row stands for"
    )
    parser.add_argument("--household", metavar="H", help="with --risks: column that says which rows live together")
    parser.add_argument("--hierarchies", metavar="DIR", help="folder of hierarchies, for loss and distances")
    parser.add_argument("--original", metavar="TABLE2", help="the table before; rows it has more count as suppressed")
    parser.add_argument("--population", metavar="TABLE3", help="the table the people were drawn from")
    parser.add_argument("--weights", default="", metavar="A=2,B=1", help="weights of the columns in the loss")
    parser.add_argument("--metrics", action="store_true", help="with --original: all utility measures, too")
    parser.add_argument("--same-order", action="store_true", help="row i of both tables is the same person")
    parser.add_argument("--risks", action="store_true", help="all attackers and attacks, too")
    parser.add_argument("--outside", metavar="TABLE4", help="with --risks: a second table to link with")
    parser.add_argument(
        "--other-release",
        metavar="TABLE5",
        help="with --risks: a release of another house to attack with",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_engine_arguments(parser)
    add_reading_arguments(parser)
    add_goal_arguments(parser)
    add_policy_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Measure and print; return 1 when a goal does not hold."""
    goals, policies = goals_from(args), policies_from(args)
    qis, sas, sets = _roles(args.qi, args.sa, args.set)
    table, original = _tables(args, [*qis, *sas, *sets])
    schema = _schema(table, sets)
    if goals and not table.n_rows:
        raise BadParameter("The table has no rows, so no goal can be checked.", "Choose the published table.")
    population, weights = _optional(args.population), _weights(args.weights, qis)
    hierarchies = _hierarchies(args.hierarchies, [*qis, *sas, *sets], original, schema)
    refuse_unordered_distance(
        goals, [name for name in sas if name not in hierarchies and not _has_order(table.column(name))]
    )
    person = _person(table, args.person, [*qis, *sas, *sets])
    measured = measure_table(
        table,
        qis,
        sas,
        goals=goals,
        background=MeasurementContext(
            hierarchies=hierarchies,
            schema=schema,
            original=original,
            population=population,
            rows=_rows(table, original, same_order=args.same_order),
            weights=weights,
            suppressed=0 if original is None else max(original.n_rows - table.n_rows, 0),
            person=person,
        ),
    )
    more: dict[str, Json] = {}
    if args.metrics:
        comparison = _comparison(table, original, (tuple(qis), tuple(sas)), hierarchies, weights)
        more["metrics"] = utility_json(comparison, same_order=args.same_order)
    if args.risks:
        known = AttackView(table, tuple(qis), tuple(sas), hierarchies, schema, population, person=person)
        more["risks"] = risk_json(_with_knowledge(known, args, original))
    opinion = judge_table(table, (qis, sas), hierarchies, measured, policies)
    _tell(measured, more, opinion, as_json=args.json)
    return 0 if measured.holds and all(found.passes for found in opinion[0]) else 1


def _with_knowledge(known: AttackView, args: argparse.Namespace, original: Table | None) -> AttackView:
    """Add what else an attacker knows: a second table, another release, who is in which row, a survey."""
    rows = _rows(known.table, original, same_order=args.same_order)
    return replace(
        known,
        outside=_optional(args.outside),
        other=_optional(args.other_release),
        known=None if rows is None else original,
        weight=_named(known.table, args.sampling_weight),
        household=_named(known.table, args.household),
    )


def _tables(args: argparse.Namespace, names: list[str]) -> tuple[Table, Table | None]:
    """Read the published table and the one before, or have an engine count them."""
    asked = [name for name in ("metrics", "risks", "same_order", "policy") if getattr(args, name)]
    if asked and not args.engine and not is_for_engines(args.table):
        return read_table_from(args.table, args.read), _optional(args.original)  # whatever memory that takes
    if not chooses_engine(args, args.table):
        return read_table_from(args.table, args.read), _optional(args.original)
    if asked:
        raise BadParameter(
            f"An engine does not tell rows apart, which --{asked[0].replace('_', '-')} needs.",
            "Leave that out, or measure a file that memory holds.",
        )
    before = counted_by_engine(args, args.original, names) if args.original else None
    return counted_by_engine(args, args.table, names, args.read, args.person or ""), before


def _has_order(column: Column) -> bool:
    return ordered_values(column.compact(), None) is not None


def _rows(table: Table, original: Table | None, *, same_order: bool) -> npt.NDArray[np.int64] | None:
    """Give the original row of each published one, where it is known."""
    return np.arange(table.n_rows) if same_order and original is not None and original.n_rows == table.n_rows else None


def _comparison(
    table: Table,
    original: Table | None,
    roles: tuple[tuple[str, ...], tuple[str, ...]],
    trees: dict[str, Hierarchy],
    weights: dict[str, float],
) -> Comparison:
    if original is None:
        raise BadParameter("Utility is measured against the original.", "Add --original TABLE2.")
    return Comparison(original, table, np.arange(table.n_rows), roles[0], roles[1], trees, weights)


def _tell(measured: TableMeasurement, more: dict[str, Json], opinion: PolicyJudgement, *, as_json: bool) -> None:
    if as_json:
        judged = policy_json(*opinion) if opinion[0] else {}
        sys.stdout.write(json.dumps({**measured.to_json(), **more, **judged}, ensure_ascii=False) + "\n")
        return
    sys.stdout.write(measurement_text(measured))
    for found in more.values():
        for name, result in found.items():
            told = result["skipped"] if "skipped" in result else _number(result["value"], "nothing to measure")
            sys.stdout.write(f"{name:<{_WIDTH}}{told}\n")
    print_policies(*opinion)


def split_column_names(text: str) -> list[str]:
    """Split names at commas; a comma inside a name is written twice.

    >>> split_column_names("age, city,, country")
    ['age', 'city, country']
    """
    marked = text.replace(",,", "\0")
    return [part.strip().replace("\0", ",") for part in marked.split(",") if part.strip()]


def measurement_text(measured: TableMeasurement) -> str:
    """Lay the numbers out for reading."""
    lines = [
        ("rows", f"{measured.rows:,}"),
        *([] if measured.people is None else [("people", f"{measured.people:,}")]),
        ("suppressed", f"{measured.suppressed:,}"),
        ("nothing left", f"{measured.emptied:,}"),
        *([] if measured.exposed is None else [("exposed", _exposed(measured.exposed))]),
        ("classes", f"{measured.classes:,}"),
        ("k", str(measured.k)),
        *((_l_title(name), f"{value:.6g}") for name, value in measured.l.items()),
        *((f"t, {name}", f"{value:.6g}") for name, value in measured.t.items()),
        *((f"largest share, {name}", f"{share:.1%}") for name, share in measured.largest_share.items()),
        ("LM per record", _number(measured.lm)),
        ("LM in all", _number(measured.lm_total)),
        ("MD", _number(measured.md)),
        ("highest risk", f"{measured.risk.highest:.2%}"),
        ("average risk", f"{measured.risk.average:.2%}"),
        ("unique rows" if measured.people is None else "alone in a class", f"{measured.risk.unique_rows:,}"),
    ]
    width = max(_WIDTH, *(len(name) + 1 for name, _ in lines))
    told = [f"{name:<{width}}{value}\n" for name, value in lines]
    for promise, (_, found) in zip(measured.promises, measured.goals, strict=True):
        told.append(f"{'holds' if found.holds else 'FAILS':<{width}}{promise.sentence} (measured {found.value:.6g})\n")
    return "".join(told)


def _exposed(found: ExposedRows) -> str:
    return f"{found.rows:,} rows ({found.share:.1%}): fewer than {found.k} fit their class with up to {found.m} items"


def _l_title(kind: str) -> str:
    return f"l, {kind} (c = {RECURSIVE_C:g})" if kind == "recursive" else f"l, {kind}"


def _number(value: float | None, otherwise: str = "unknown without hierarchies") -> str:
    if value is None:
        return otherwise
    return f"{value:,.0f}" if abs(value) >= _WHOLE_FROM else f"{value:.6g}"


def _roles(qi: str, sa: str, held: str) -> tuple[list[str], list[str], list[str]]:
    """Split the names of all roles; raises BadParameter when there is no QI or a column is named twice."""
    qis, sas, sets = split_column_names(qi), split_column_names(sa), split_column_names(held)
    if not qis:
        raise BadParameter("No column is a quasi-identifier.", "Name at least one with --qi.")
    twice = [name for name, times in Counter([*qis, *sas, *sets]).items() if times > 1]
    if twice:
        raise BadParameter(
            f"“{twice[0]}” is named twice.", "A column is a quasi-identifier, a set or sensitive, and named once."
        )
    return qis, sas, sets


def _schema(table: Table, sets: list[str]) -> Schema | None:
    """Say which columns hold sets, written as they seem to be; nothing without any."""
    if not sets:
        return None
    forms = {name: guess_set_format(table.column(name).labels) or FIRST_FORMAT for name in sets}
    return Schema(
        tuple(
            ColumnSchema(name, ColumnType.SET, forms[name], Role.QI) if name in forms else ColumnSchema(name)
            for name in table.names
        )
    )


def _named(table: Table, name: str | None) -> Column | None:
    """Give a column that was named."""
    return table.column(name) if name else None


def _person(table: Table, name: str | None, others: list[str]) -> Column | None:
    """Give the column that says whom a row is about; it is no quasi-identifier and not sensitive."""
    if name is None:
        return None
    if name in others:
        raise BadParameter(f"“{name}” is named twice.", "The person column has no other role.")
    return table.column(name)


def _weights(text: str, qis: list[str]) -> dict[str, float]:
    try:
        weights = dict(PerColumn(Float(low=0)).parse(text))
    except ValueError as error:
        raise BadParameter(f"The weights must be {error}.", "Write them as age=2,zip=1.") from None
    for name in weights:
        if name not in qis:
            raise BadParameter(f"“{name}” has a weight, but is no quasi-identifier.", f"There are: {', '.join(qis)}.")
    return weights


def _optional(path: str | None) -> Table | None:
    return None if path is None else read_table_from(path)


def _hierarchies(
    folder: str | None, names: list[str], original: Table | None, schema: Schema | None
) -> dict[str, Hierarchy]:
    if folder is None:
        return {}
    found = read_hierarchies(Path(folder), names, original, schema)
    for match in found.matches:
        if match.state == "refused":
            raise BadHierarchy(f"The hierarchy of “{match.column}” cannot be used: {match.note}", match.file)
    return dict(found.hierarchies)
