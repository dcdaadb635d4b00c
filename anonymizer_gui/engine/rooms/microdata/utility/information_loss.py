"""LM, MD, precision, entropy, class size, discernibility, classification metric.

Rows with nothing left are published, but with `*` or the root in every quasi-identifier.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, Text, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, classes_of
from anonymizer_gui.engine.data.tables.table import SUPPRESSED, Column, Schema, Table
from anonymizer_gui.engine.hierarchy.coverage import (
    PublishedColumn,
    covered_leaves,
    domain_of,
    node_heights,
    place_cells,
)
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.set_valued_attributes import ItemsetCounts
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison, Metric, MetricResult


@dataclass(frozen=True, slots=True)
class Loss:
    """LM per record (0 to 1), summed over records, and per column; MD; None where no domain is known.

    A suppressed record costs 1 in every cell, and as many levels as the hierarchy is high.
    """

    lm: float | None
    lm_total: float | None
    lm_columns: Mapping[str, float | None]
    md: int | None


def scaled_weights(qis: Sequence[str], weights: Mapping[str, float]) -> dict[str, float]:
    """Scale the weights of the columns to add up to 1; a column without an entry counts 1."""
    raw = {name: float(weights.get(name, 1.0)) for name in qis}
    total = sum(raw.values())
    if any(weight < 0 for weight in raw.values()) or (qis and total <= 0):
        raise BadParameter("The weights of the columns must not be negative, and one must be above 0.")
    return {name: weight / total for name, weight in raw.items()}


def measure_loss(
    table: Table,
    qis: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema | None = None,
    original: Table | None = None,
    rows: npt.NDArray[np.int64] | None = None,
    weights: Mapping[str, float] | None = None,
    suppressed: int = 0,
) -> Loss:
    """Measure the loss of a published table; `rows` gives the original row of each published one.

    MD counts from the leaf of the original row where `rows` is given, and otherwise from the deepest leaf below
    the published node. A range that no node names counts as the lowest node that covers it.
    """
    scaled = scaled_weights(qis, weights or {})
    columns: dict[str, float | None] = {}
    levels: list[int | None] = []
    for name in qis:
        entry = None if schema is None else schema.column(name)
        published, raw = table.column(name), None if original is None else original.column(name)
        domain = domain_of(published, raw, hierarchies.get(name), entry)
        cells = None if domain is None else place_cells(published, domain, entry)
        columns[name] = None if cells is None else mean_loss(published, cells, suppressed)
        if cells is None:
            levels.append(None)
        elif raw is None or rows is None:
            levels.append(_levels_without_original(published, cells, suppressed))
        else:
            leaf = encode_column(raw, cells.hierarchy, entry).codes
            climbed = levels_climbed(published, cells, leaf, rows)
            levels.append(int(climbed.sum() if raw.times is None else climbed @ raw.times))
    return _summed(columns, levels, scaled, table.n_rows + suppressed)


def with_set_loss(loss: Loss, sets: Mapping[str, float | None], weights: Mapping[str, float], records: int) -> Loss:
    """Add what columns of sets have lost, which is measured by their items; they climb no levels of MD."""
    columns = {**loss.lm_columns, **sets}
    return _summed(columns, [loss.md], scaled_weights(tuple(columns), weights), records) if sets else loss


def levels_climbed(
    published: Column, cells: PublishedColumn, leaf: npt.NDArray[np.int32], rows: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Give the levels every original row has climbed in one column; a row that is left out climbed to the root."""
    tree = cells.hierarchy
    climbed = tree.depths[tree.leaves[leaf]].astype(np.int64)
    climbed[rows] -= _published_depths(published, cells)[published.codes]
    return np.asarray(np.maximum(climbed, 0), dtype=np.int64)


def mean_loss(published: Column, cells: PublishedColumn, suppressed: int) -> float:
    """Give the LM per record of one column; a suppressed record costs 1."""
    records = published.rows + suppressed
    return float((published.counts() @ cells.loss + suppressed) / records) if records else 0.0


def _summed(
    columns: Mapping[str, float | None], levels: Sequence[int | None], weights: Mapping[str, float], records: int
) -> Loss:
    known = [weights[name] * value for name, value in columns.items() if value is not None]
    lm = math.fsum(known) if len(known) == len(columns) else None
    climbed = [level for level in levels if level is not None]
    md = sum(climbed) if len(climbed) == len(levels) else None
    return Loss(lm, None if lm is None else lm * records, columns, md)


def _published_depths(published: Column, cells: PublishedColumn) -> npt.NDArray[np.int64]:
    """Give the depth each label is published at; `*` stands for the root, unless it names a group below."""
    starred = np.array([label == SUPPRESSED for label in published.labels], dtype=np.bool_)
    starred &= cells.widths == cells.hierarchy.n_leaves
    return np.where(starred, 0, cells.hierarchy.depths[cells.nodes].astype(np.int64))


def _levels_without_original(published: Column, cells: PublishedColumn, suppressed: int) -> int:
    tree = cells.hierarchy
    deepest = (node_heights(tree) + tree.depths)[cells.nodes]
    climbed = deepest - _published_depths(published, cells)
    return int(published.counts() @ climbed) + suppressed * tree.height


def count_emptied_rows(
    table: Table, qis: Sequence[str], hierarchies: Mapping[str, Hierarchy], sets: ItemsetCounts | None = None
) -> int:
    """Count the rows that tell nothing in any quasi-identifier, and hold no item where there are sets."""
    if not qis:
        return 0
    empty: npt.NDArray[np.bool_] = np.ones(table.n_told, dtype=np.bool_)
    for name in qis:
        column, tops = table.column(name), fully_general_labels(hierarchies.get(name))
        empty &= np.array([label in tops for label in column.labels], dtype=np.bool_)[column.codes]
    if sets is not None:
        empty[sets.row_of] = False
    return int(np.count_nonzero(empty) if table.times is None else table.times[empty].sum())


def fully_general_labels(tree: Hierarchy | None) -> tuple[str, ...]:
    """Give the texts that leave nothing of a value: the root's, and `*` unless it names a group below."""
    if tree is None:
        return (SUPPRESSED,)
    whole = 0, tree.n_leaves - 1
    return tuple(label for label in (tree.labels[0], SUPPRESSED) if covered_leaves(label, tree) == whole)


def refuse_too_many_emptied(emptied: int, left_out: int, rows: int, limit: float) -> None:
    """Refuse a result that tells nothing of more rows than may be suppressed; raises Infeasible."""
    lost = emptied + left_out
    if lost <= limit * rows + 1e-9:
        return
    raise Infeasible(
        message(
            "{lost:,} of {rows:row|rows} would be left out or keep nothing in any quasi-identifier; "
            "the limit is {limit:.2%}.",
            lost=lost,
            rows=rows,
            limit=limit,
        ),
        message(
            "Ask for less, choose another algorithm, or let the limit be {share:.2%}.",
            share=np.ceil(lost / max(rows, 1) * 10_000) / 10_000,
        ),
    )


@METRICS.register
@dataclass(frozen=True, slots=True)
class LossMetric(Metric):
    """(values covered - 1) / (domain - 1) per cell, weighted over columns; a suppressed record costs 1."""

    name: ClassVar[str] = "lm"
    title: ClassVar[str] = "Loss metric (LM)"
    summary: ClassVar[str] = (
        "How much of its domain the average cell covers: 0 is as detailed as the original, 1 says nothing."
    )
    formula: ClassVar[str] = "LM = (1/n) Σ_records Σ_columns w (|leaves covered| - 1) / (|leaves| - 1)"
    reference: ClassVar[str] = "Iyengar, Transforming data to satisfy privacy constraints, KDD 2002"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "0 to 1"
    ends: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    needs_rows: ClassVar[bool] = False

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the loss per record; the details hold its sum and that of every column."""
        weights = scaled_weights(comparison.qis, comparison.weights)
        columns = {}
        for done, name in enumerate(comparison.qis):
            progress(done / len(comparison.qis), message("Loss of “{name}”", name=name))
            placed = comparison.columns[name]
            columns[name] = mean_loss(placed.published, placed.cells, comparison.suppressed)
        value = math.fsum(weights[name] * loss for name, loss in columns.items())
        records = comparison.published.n_rows + comparison.suppressed
        return MetricResult(value, {"total": value * records, "columns": columns})


@METRICS.register
@dataclass(frozen=True, slots=True)
class MinimalDistortion(Metric):
    """One unit per level climbed per cell; a suppressed cell climbs to the root."""

    name: ClassVar[str] = "md"
    title: ClassVar[str] = "Minimal distortion (MD)"
    summary: ClassVar[str] = "How many levels all cells together were lifted in their hierarchies."
    formula: ClassVar[str] = "MD = Σ_cells levels climbed"
    reference: ClassVar[str] = "Samarati, Protecting respondents identities in microdata release, TKDE 13(6), 2001"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "0 to records × sum of heights"
    needs_rows: ClassVar[bool] = True

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the levels climbed from the leaf of every original row; the details hold those of every column."""
        columns = {}
        for done, name in enumerate(comparison.qis):
            progress(done / len(comparison.qis), message("Levels of “{name}”", name=name))
            placed = comparison.columns[name]
            columns[name] = int(levels_climbed(placed.published, placed.cells, placed.leaf, comparison.rows).sum())
        return MetricResult(float(sum(columns.values())), {"columns": columns})


@METRICS.register
@dataclass(frozen=True, slots=True)
class Precision(Metric):
    """1 minus the mean of levels climbed / height of the hierarchy (Sweeney 2002)."""

    name: ClassVar[str] = "precision"
    title: ClassVar[str] = "Precision"
    summary: ClassVar[str] = "How far cells are from the top of their hierarchies: 1 is untouched, 0 is all suppressed."
    formula: ClassVar[str] = "Prec = 1 - (Σ_cells levels climbed / height) / (records × columns)"
    reference: ClassVar[str] = "Sweeney, Achieving k-anonymity privacy protection, IJUFKS 10(5), 2002"
    direction: ClassVar[Literal["lower", "higher"]] = "higher"
    range: ClassVar[str] = "0 to 1"
    ends: ClassVar[tuple[float, float] | None] = (1.0, 0.0)
    needs_rows: ClassVar[bool] = True

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the precision; the details hold that of every column."""
        columns = {}
        for done, name in enumerate(comparison.qis):
            progress(done / len(comparison.qis), message("Precision of “{name}”", name=name))
            placed = comparison.columns[name]
            climbed = levels_climbed(placed.published, placed.cells, placed.leaf, comparison.rows)
            cells = max(len(climbed) * placed.hierarchy.height, 1)
            columns[name] = 1.0 - float(climbed.sum()) / cells
        return MetricResult(float(np.mean(list(columns.values()) or [1.0])), {"columns": columns})


@METRICS.register
@dataclass(frozen=True, slots=True)
class NonUniformEntropy(Metric):
    """Bits lost per cell, from how common the original value is among those its cell covers."""

    name: ClassVar[str] = "entropy"
    title: ClassVar[str] = "Non-uniform entropy"
    summary: ClassVar[str] = (
        "The share of the information in the quasi-identifiers that is lost; telling rare values apart counts more."
    )
    formula: ClassVar[str] = "Σ_cells -log₂(n(value) / n(values covered)) over the same with every cell suppressed"
    reference: ClassVar[str] = "Gionis, Tassa, k-anonymization with minimal loss of information, TKDE 21(2), 2009"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "0 to 1"
    ends: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    needs_rows: ClassVar[bool] = True

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the share of the bits lost; the details hold the bits of every column."""
        bits, most = {}, 0.0
        for done, name in enumerate(comparison.qis):
            progress(done / len(comparison.qis), message("Entropy of “{name}”", name=name))
            placed = comparison.columns[name]
            counts = np.bincount(placed.leaf, minlength=placed.hierarchy.n_leaves)
            seen = np.concatenate([[0], np.cumsum(counts)])
            covered = np.full(len(placed.leaf), len(placed.leaf), dtype=np.int64)
            covered[comparison.rows] = (seen[placed.cells.high + 1] - seen[placed.cells.low])[placed.published.codes]
            own = counts[placed.leaf]
            bits[name] = float(np.log2(np.maximum(covered, own) / own).sum()) if len(own) else 0.0
            most += float(np.log2(len(own) / own).sum()) if len(own) else 0.0
        total = sum(bits.values())
        return MetricResult(total / most if most else 0.0, {"bits": total, "columns": bits})


@METRICS.register
@dataclass(frozen=True, slots=True)
class AverageClassSize(Metric):
    """Rows per class, divided by the k that was asked for."""

    name: ClassVar[str] = "class-size"
    title: ClassVar[str] = "Average class size"
    summary: ClassVar[str] = "How many rows a class has on average, in multiples of the smallest size allowed."
    formula: ClassVar[str] = "C_avg = rows / classes / k"
    reference: ClassVar[str] = "LeFevre, DeWitt, Ramakrishnan, Mondrian, ICDE 2006"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "1 / k and above"
    needs_rows: ClassVar[bool] = False

    k: int = param(Int(low=1), default=1, label="k", help="The smallest class allowed; 1 gives rows per class.")

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the rows per class over k; the details hold the number of classes."""
        progress(0.0, "Finding equivalence classes")
        classes = len(classes_of(comparison.published, comparison.qis))
        return MetricResult(comparison.published.n_rows / max(classes, 1) / self.k, {"classes": classes})


@METRICS.register
@dataclass(frozen=True, slots=True)
class Discernibility(Metric):
    """Every row pays the size of its class; a suppressed row pays the size of the table."""

    name: ClassVar[str] = "discernibility"
    title: ClassVar[str] = "Discernibility"
    summary: ClassVar[str] = "Large classes cost more: the sum over rows of the rows that look the same."
    formula: ClassVar[str] = "DM = Σ_classes |E|² + suppressed × records"
    reference: ClassVar[str] = "Bayardo, Agrawal, Data privacy through optimal k-anonymization, ICDE 2005"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "records to records²"
    needs_rows: ClassVar[bool] = False

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the sum of the squared class sizes; the details hold it per row."""
        progress(0.0, "Finding equivalence classes")
        sizes = classes_of(comparison.published, comparison.qis).sizes
        records = comparison.published.n_rows + comparison.suppressed
        value = float(np.square(sizes, dtype=np.float64).sum()) + float(comparison.suppressed) * records
        return MetricResult(value, {"per_row": value / max(records, 1)})


@METRICS.register
@dataclass(frozen=True, slots=True)
class ClassificationErrors(Metric):
    """The share of rows that whoever guesses the commonest target of their class gets wrong (Iyengar 2002)."""

    name: ClassVar[str] = "classification"
    title: ClassVar[str] = "Classification metric"
    summary: ClassVar[str] = (
        "How often the target is told wrongly by the commonest value of the class; a suppressed row counts as wrong."
    )
    formula: ClassVar[str] = "CM = (Σ_classes rows without the commonest target + suppressed) / records"
    reference: ClassVar[str] = "Iyengar, Transforming data to satisfy privacy constraints, KDD 2002"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "0 to 1"
    needs_rows: ClassVar[bool] = True

    target: str = param(
        Text(column=True, empty="the first sensitive column"),
        default="",
        label="Target",
        help="The column that is to be told from the quasi-identifiers; empty: the first sensitive one.",
    )

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the share of errors; the details hold the target, and the share when nothing but its commonest is known.

        Raises BadParameter without a target.
        """
        progress(0.0, "Finding equivalence classes")
        target = self.target or next(iter(comparison.sas), "")
        if target not in comparison.original.names:
            raise BadParameter(
                message("There is no column “{name}” to be told from the others.", name=target)
                if target
                else "The classification metric needs a target.",
                "Choose the column that is to be told from the others.",
            )
        column = comparison.original.column(target)
        classes = classes_of(comparison.published, comparison.qis)
        values = column.codes.astype(np.int64)
        held = Histogram.count(classes.ids, len(classes), values[comparison.rows], len(column.labels))
        right = np.zeros(len(classes))
        np.maximum.at(right, held.groups, held.counts)
        records = max(comparison.original.n_rows, 1)
        most = np.bincount(values, minlength=1).max()
        details = {"target": target, "without_the_others": 1 - float(most) / records}
        return MetricResult(1 - float(right.sum()) / records, details)
