"""What every builder keeps to, whatever the column and the parameters."""

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core import params
from anonymizer_gui.engine.core.errors import BadParameter, Cancelled
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType
from anonymizer_gui.engine.data.tables.values import parse_day_ordinals, parse_texts_as_numbers
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS, preview_levels
from anonymizer_gui.engine.hierarchy.builders.numbers import Intervals
from anonymizer_gui.engine.hierarchy.formats.delimited import LevelTable
from anonymizer_gui.engine.hierarchy.intervals import parse_interval
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import normalise_label

words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=8).map(normalise_label)
cells = st.one_of(
    words.filter(bool),
    st.integers(-(10**12), 10**12).map(str),
    st.floats(-1e9, 1e9).map(repr),
    st.from_regex(r"\A[0-9]{5}\Z"),
    st.dates().map(dt.date.isoformat),
    st.datetimes().map(lambda moment: moment.isoformat(" ", "minutes")),
    st.sampled_from(["*", "1*", "**", "Other", "Italy", "IT", "Monday", "Mon", "3", "March", "[0-5)", "2024", MISSING]),
)
schemas = st.sampled_from(list(ColumnType)).map(lambda kind: ColumnSchema("column", kind))


@st.composite
def columns(draw: st.DrawFn) -> Column:
    """Draw a column of one sort of cells, or of all mixed, with rows repeated."""
    sort = draw(st.sampled_from([cells, *cells.original_strategies]))
    return Column.from_texts("column", draw(st.lists(sort, max_size=25)))


def values_for(kind: params.Kind) -> st.SearchStrategy[Any]:
    """Draw small values that a kind of parameter allows."""
    match kind:
        case params.Int(low=low, high=high):
            return st.integers(low or 0, min(high or 20, 20))
        case params.Float(low=low, high=high):
            return st.floats(low or 0, high or 100, allow_subnormal=False)
        case params.Choice(options=options):
            return st.sampled_from(list(options))
        case params.Flag():
            return st.booleans()
        case params.ListOf(of=inner):
            return st.lists(values_for(inner), max_size=4).map(tuple)
        case _:
            return st.text("ab*#", max_size=2)


@st.composite
def built(draw: st.DrawFn, builder: type) -> Any:
    """Draw a builder with some of its parameters changed."""
    declared = params.params_of(builder)
    chosen = draw(st.lists(st.sampled_from(declared), unique_by=lambda p: p.name)) if declared else []
    return builder(**{p.name: draw(values_for(p.kind)) for p in chosen})


@pytest.mark.parametrize("name", BUILDERS.names())
@given(data=st.data(), column=columns(), schema=schemas)
def test_every_value_has_a_place(name: str, data: st.DataObject, column: Column, schema: ColumnSchema) -> None:
    builder = data.draw(built(BUILDERS.get(name)))
    try:
        hierarchy = builder.build(column, schema)
    except BadParameter:
        return
    placed = encode_column(column, hierarchy, schema)
    assert [hierarchy.leaf_labels[code] for code in placed.codes] == column.texts().tolist()


@pytest.mark.parametrize("name", ["intervals", "dates", "automatic"])
@given(data=st.data(), column=columns(), schema=schemas)
def test_a_value_lies_in_the_interval_of_every_group_above_it(
    name: str, data: st.DataObject, column: Column, schema: ColumnSchema
) -> None:
    builder = data.draw(built(BUILDERS.get(name)))
    try:
        tree = builder.build(column, schema)
    except BadParameter:
        return
    for node, interval in tree.intervals.items():
        below = tree.leaf_labels[tree.first_leaf[node] : tree.end_leaf[node]]
        both = [*parse_texts_as_numbers(below, schema), *parse_day_ordinals(below, schema)]
        assert sum(interval.holds(value) for value in both) >= len(below)


@pytest.mark.parametrize("style", ["[a-b)", "a-b"])
@given(
    st.lists(st.decimals(-1000, 1000, places=2), min_size=1, max_size=20),
    st.decimals(Decimal("0.01"), 50, places=2),
    st.lists(st.integers(2, 5), max_size=3),
    st.booleans(),
)
def test_a_number_lies_in_the_interval_its_label_spells(
    style: str, found: list[Decimal], width: Decimal, fan_out: list[int], whole: bool
) -> None:
    texts = [str(int(number)) if whole else str(number) for number in found]
    builder = Intervals(width=float(width), fan_out=tuple(fan_out), style=style)
    try:
        tree = builder.build(Column.from_texts("n", texts), ColumnSchema("n", ColumnType.DECIMAL, "."))
    except BadParameter:
        return
    for leaf in tree.leaves.tolist():
        spelt = [parse_interval(tree.labels[node]) for node in tree.path(leaf)[1:]]
        assert all(interval.holds(float(tree.labels[leaf])) for interval in spelt if interval)


@pytest.mark.parametrize("name", BUILDERS.names())
@given(column=columns(), schema=schemas)
def test_a_preview_shows_every_row_at_every_level(name: str, column: Column, schema: ColumnSchema) -> None:
    levels = preview_levels(BUILDERS.get(name)(), column, schema)
    assert {sum(level.rows) for level in levels} == {len(column)}


@pytest.mark.parametrize("name", BUILDERS.names())
@given(column=columns(), schema=schemas)
def test_what_is_built_can_be_saved_and_read(name: str, column: Column, schema: ColumnSchema) -> None:
    hierarchy = BUILDERS.get(name)().build(column, schema)
    if hierarchy.n_leaves > 1:
        assert LevelTable.read(LevelTable.write(hierarchy), "f").labels == hierarchy.labels


@pytest.mark.parametrize("name", BUILDERS.names())
@given(data=st.data())
def test_parameters_survive_being_saved(name: str, data: st.DataObject) -> None:
    builder = data.draw(built(BUILDERS.get(name)))
    assert params.from_json(type(builder), params.to_json(builder)) == builder


@pytest.mark.parametrize("name", BUILDERS.names())
@given(column=columns(), schema=schemas)
def test_suiting_a_column_is_answered_for_every_column(name: str, column: Column, schema: ColumnSchema) -> None:
    assert BUILDERS.get(name).suits(column, schema) in (True, False)


MANY = {
    "numbers": Column.from_texts("n", [str(7 * n) for n in range(9_000)]),
    "days": Column.from_texts("d", [str(dt.date(1990, 1, 1) + dt.timedelta(n)) for n in range(9_000)]),
    "words": Column.from_texts("w", [f"street{n % 90} {n}" for n in range(9_000)]),
}


@pytest.mark.parametrize("name", BUILDERS.names())
def test_a_build_is_stopped_when_asked(name: str) -> None:
    with pytest.raises(Cancelled):
        BUILDERS.get(name)().build(MANY["words"], ColumnSchema("w"), Progress(is_cancelled=lambda: True))


@pytest.mark.parametrize("sort", MANY)
@pytest.mark.parametrize("name", BUILDERS.names())
def test_a_preview_tells_how_far_it_is_and_can_be_stopped_all_along(name: str, sort: str) -> None:
    told: list[float] = []
    progress = Progress(report=lambda fraction, _text: told.append(fraction))
    preview_levels(BUILDERS.get(name)(), MANY[sort], ColumnSchema(sort), progress=progress)
    assert told == sorted(told)
    assert len([fraction for fraction in told if fraction < 0.6]) > 3
    assert told[-1] > 0.9


@pytest.mark.parametrize("name", BUILDERS.names())
def test_a_builder_introduces_itself(name: str) -> None:
    builder = BUILDERS.get(name)
    assert builder.title
    assert builder.summary.endswith(".")
