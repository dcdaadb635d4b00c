"""Rows under every node of a hierarchy, and a column at every level."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.data.tables.table import MISSING, Column
from anonymizer_gui.engine.hierarchy.fit import count_usage
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

LANDS = Hierarchy.from_nested({"*": {"Europe": {"South": ["Italy", "Spain"]}, "Asia": ["Japan"]}})


def lands(*texts: str) -> Column:
    return Column.from_texts("land", texts)


def test_every_node_counts_the_rows_of_its_leaves() -> None:
    usage = count_usage(lands("Spain", "Japan", "Spain", "Italy"), LANDS)
    assert dict(zip(LANDS.labels, usage.rows.tolist(), strict=True)) == {
        "*": 4,
        "Europe": 3,
        "South": 3,
        "Italy": 1,
        "Spain": 2,
        "Asia": 1,
        "Japan": 1,
    }


def test_a_value_without_a_place_counts_nowhere_and_is_named_by_the_fit() -> None:
    usage = count_usage(lands("Spain", "Mars"), LANDS)
    assert usage.rows[0] == 1
    assert [misfit.value for misfit in usage.fit.without_place] == ["Mars"]


def test_missing_cells_count_for_the_root_when_the_hierarchy_has_no_leaf_for_them() -> None:
    usage = count_usage(lands("Spain", MISSING), LANDS)
    assert usage.rows[0] == 2
    assert usage.at_level(0).labels == ("Spain", MISSING)
    assert usage.at_level(3).rows == (2,)


@pytest.mark.parametrize(("uneven", "labels"), [("cap", ("South", "Japan")), ("climb", ("South", "Asia"))])
def test_a_level_of_an_uneven_tree_is_read_as_chosen(uneven: str, labels: tuple[str, ...]) -> None:
    usage = count_usage(lands("Spain", "Japan"), LANDS)
    assert usage.at_level(1, uneven).labels == labels  # type: ignore[arg-type]


def test_the_loss_of_a_level_is_the_mean_over_the_rows() -> None:
    usage = count_usage(lands("Spain", "Spain", "Spain", "Japan"), LANDS)
    assert usage.at_level(2).loss == pytest.approx((3 * 0.5 + 0) / 4)


@given(st.lists(st.sampled_from(["Italy", "Spain", "Japan"]), min_size=1), st.sampled_from(["cap", "climb"]))
def test_every_level_shows_every_row_once(texts: list[str], uneven: str) -> None:
    usage = count_usage(lands(*texts), LANDS)
    views = [usage.at_level(level, uneven) for level in range(LANDS.height + 1)]  # type: ignore[arg-type]
    assert [sum(view.rows) for view in views] == [len(texts)] * len(views)
    assert (np.diff([len(view.labels) for view in views]) <= 0).all()
