"""Small encoded tables for the tests of algorithms: random ones, and ones made by hand."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, group_rows
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, QuasiIdentifier
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet, PrivacyModel, SensitiveAttribute, WholeTable
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.engine.rooms.microdata.recoding import Recoding


def encoded_table(
    rows: Sequence[Sequence[int]] | npt.NDArray[np.integer],
    trees: Sequence[Hierarchy],
    sensitive: Sequence[int] | npt.NDArray[np.integer] | None = None,
    bounds: Sequence[tuple[int, int | None]] | None = None,
) -> EncodedTable:
    """Encode rows of leaf numbers; columns are called a, b, c ... and the sensitive one `s`."""
    matrix = np.asarray(rows, dtype=np.int32).reshape(-1, len(trees))
    limits = bounds or [(0, None)] * len(trees)
    qis = tuple(
        QuasiIdentifier("abcdefghijkl"[j], tree, 1 / len(trees), low, high)
        for j, (tree, (low, high)) in enumerate(zip(trees, limits, strict=True))
    )
    classes = group_rows([matrix[:, j] for j in range(len(trees))], len(matrix))
    histograms, of_row = {}, {}
    if sensitive is not None:
        values = np.asarray(sensitive, dtype=np.int64)
        of_row["s"] = values
        histograms["s"] = Histogram.count(classes.ids, len(classes), values, int(values.max(initial=0)) + 1)
    return EncodedTable(qis, matrix[classes.first_rows], classes.sizes, classes.ids, histograms, of_row)


def goals_of(encoded: EncodedTable, *models: PrivacyModel) -> GoalSet:
    """Put goals against the whole table."""
    sensitive = {}
    for name, values in encoded.sensitive_of_row.items():
        n_values = encoded.sensitive[name].n_values
        labels = tuple(f"value {i}" for i in range(n_values))
        sensitive[name] = SensitiveAttribute(name, labels, np.bincount(values, minlength=n_values), np.arange(n_values))
    return GoalSet(models, WholeTable(encoded.n_rows, sensitive))


def fulfilled(encoded: EncodedTable, goals: GoalSet, recoding: Recoding) -> bool:
    """Say whether the published classes (equal cells) hold the goals, counted from the rows."""
    kept = recoding.class_of_row >= 0
    cells = np.concatenate([recoding.low, recoding.high], axis=1)[recoding.class_of_row[kept]]
    classes = group_rows([cells[:, j] for j in range(cells.shape[1])], len(cells))
    rows = EncodedTable(
        encoded.qis,
        encoded.tuples[encoded.tuple_of_row[kept]],
        np.ones(len(cells), dtype=np.int64),
        np.arange(len(cells)),
        {
            name: Histogram.count(np.arange(len(cells)), len(cells), values[kept], encoded.sensitive[name].n_values)
            for name, values in encoded.sensitive_of_row.items()
        },
        {name: values[kept] for name, values in encoded.sensitive_of_row.items()},
    )
    remaining = goals_of(rows, *goals.models)
    return bool(remaining.satisfied(rows.groups(classes.ids, len(classes))).all())


def covers_rows(encoded: EncodedTable, recoding: Recoding) -> bool:
    """Say whether every row lies in the cells of its class."""
    kept = recoding.class_of_row >= 0
    leaves, of_row = encoded.tuples[encoded.tuple_of_row[kept]], recoding.class_of_row[kept]
    return bool(((recoding.low[of_row] <= leaves) & (leaves <= recoding.high[of_row])).all())


@st.composite
def trees(draw: st.DrawFn) -> Hierarchy:
    """Draw a hierarchy of up to three levels with one to twelve leaves, of uneven depth."""
    groups = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    labels, depths = ["*"], [0]
    for i, size in enumerate(groups):
        if size > 1:
            labels.append(f"group {i}")
            depths.append(1)
        for leaf in range(size):
            labels.append(f"leaf {i}.{leaf}")
            depths.append(2 if size > 1 else 1)
    return Hierarchy.from_depths(labels, depths)


@st.composite
def tables(draw: st.DrawFn, max_rows: int = 60, max_columns: int = 4) -> EncodedTable:
    """Draw a table of random leaves with a sensitive column of up to four values."""
    hierarchies = draw(st.lists(trees(), min_size=1, max_size=max_columns))
    n_rows = draw(st.integers(1, max_rows))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = np.stack([random.integers(0, tree.n_leaves, n_rows) for tree in hierarchies], axis=1)
    return encoded_table(rows, hierarchies, random.integers(0, draw(st.integers(1, 4)), n_rows))


@st.composite
def models(draw: st.DrawFn) -> tuple[PrivacyModel, ...]:
    """Draw k-anonymity alone or with a goal on the sensitive column."""
    k = KAnonymity(draw(st.integers(1, 6)))
    other = draw(st.sampled_from([None, DistinctLDiversity(2), TCloseness(0.3), TCloseness(0.6)]))
    return (k,) if other is None else (k, other)


def with_population(encoded: EncodedTable, people: npt.NDArray[np.int32]) -> EncodedTable:
    """Add a population of tuples of leaves, some of which no row of the table has."""
    both = np.concatenate([encoded.tuples, people])
    classes = group_rows([both[:, j] for j in range(both.shape[1])], len(both))
    n_tuples = len(classes)
    population = np.bincount(classes.ids[len(encoded.tuples) :], minlength=n_tuples)
    counts = np.concatenate([encoded.counts, np.zeros(n_tuples - len(encoded.counts), dtype=np.int64)])
    sensitive = {name: replace(h, n_groups=n_tuples) for name, h in encoded.sensitive.items()}
    return replace(encoded, tuples=both[classes.first_rows], counts=counts, sensitive=sensitive, population=population)


def people_in_cells(encoded: EncodedTable, recoding: Recoding) -> list[int]:
    """Count by hand the people whose values lie in the cells of each class."""
    assert encoded.population is not None
    return [
        int(encoded.population[((encoded.tuples >= low) & (encoded.tuples <= high)).all(axis=1)].sum())
        for low, high in zip(recoding.low, recoding.high, strict=True)
    ]
