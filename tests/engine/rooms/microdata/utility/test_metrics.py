"""Utility measures against numbers counted by hand."""

from collections.abc import Callable

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier

from anonymizer_gui.engine.core.errors import BadParameter, MissingExtra
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.utility.contract import Comparison, Metric
from anonymizer_gui.engine.rooms.microdata.utility.distributions import (
    ColumnDivergence,
    ContingencyChange,
    CorrelationChange,
)
from anonymizer_gui.engine.rooms.microdata.utility.information_loss import (
    AverageClassSize,
    Discernibility,
    LossMetric,
    MinimalDistortion,
    NonUniformEntropy,
    Precision,
)
from anonymizer_gui.engine.rooms.microdata.utility.learning_loss import LearningLoss
from anonymizer_gui.engine.rooms.microdata.utility.query_error import CountQuery, QueryError, answer_queries
from tests.engine.rooms.microdata.worked_tables import HOSPITAL, HOSPITAL_QIS, HOSPITAL_TREES, RELEASED

HOSPITAL_BOTH = Comparison(HOSPITAL, RELEASED, np.arange(12), HOSPITAL_QIS, ("Disease",), HOSPITAL_TREES)
PAIR = Hierarchy.from_nested({"*": {"ab": ["a", "b"], "cd": ["c", "d"]}})


def small(published: list[str], rows: list[int], original: str = "aabc") -> Comparison:
    """Publish some rows of the one column q of a small table."""
    before = Table.from_rows(["q"], [[value] for value in original])
    after = Table.from_rows(["q"], [[label] for label in published])
    return Comparison(before, after, np.array(rows), ("q",), (), {"q": PAIR})


def test_the_query_of_the_notes_estimates_4_thousandths() -> None:
    answer = answer_queries(HOSPITAL_BOTH, [CountQuery({"Zip": frozenset({"13053"}), "Age": frozenset({"37"})})])[0]
    assert answer.truth == 1
    assert answer.estimate == pytest.approx(0.004)
    assert answer.relative_error == pytest.approx(0.996)


def test_a_query_for_a_range_of_numbers_takes_the_leaves_inside() -> None:
    answer = answer_queries(HOSPITAL_BOTH, [CountQuery({"Age": (30, 34)})])[0]
    assert (answer.truth, answer.estimate) == (2, pytest.approx(2.0))


def test_a_query_may_ask_for_a_sensitive_value() -> None:
    answer = answer_queries(HOSPITAL_BOTH, [CountQuery({"Disease": frozenset({"Cancer"}), "Age": (30, 39)})])[0]
    assert (answer.truth, answer.estimate) == (4, pytest.approx(4.0))


def test_a_query_for_an_unknown_column_is_refused() -> None:
    with pytest.raises(BadParameter, match="“Name”"):
        answer_queries(HOSPITAL_BOTH, [CountQuery({"Name": frozenset({"x"})})])


def test_a_query_for_an_unknown_value_does_not_repeat_it() -> None:
    with pytest.raises(BadParameter) as caught:
        answer_queries(HOSPITAL_BOTH, [CountQuery({"Age": frozenset({"secret"})})])
    assert "secret" not in str(caught.value)


def test_queries_of_an_unchanged_table_are_answered_exactly() -> None:
    same = Comparison(HOSPITAL, HOSPITAL, np.arange(12), HOSPITAL_QIS, (), HOSPITAL_TREES)
    assert QueryError().measure(same, SILENT).details["p95"] == 0


@pytest.mark.parametrize(
    ("metric", "published", "rows", "value"),
    [
        (LossMetric(), ["ab", "ab", "ab", "cd"], [0, 1, 2, 3], 1 / 3),
        (LossMetric(), ["ab", "ab", "ab"], [0, 1, 2], (3 * 1 / 3 + 1) / 4),
        (MinimalDistortion(), ["ab", "ab", "b", "*"], [0, 1, 2, 3], 1 + 1 + 0 + 2),
        (MinimalDistortion(), ["ab", "ab", "b"], [0, 1, 2], 1 + 1 + 0 + 2),
        (Precision(), ["ab", "ab", "b"], [0, 1, 2], 1 - 4 / 8),
        (Discernibility(), ["ab", "ab", "ab", "cd"], [0, 1, 2, 3], 10),
        (Discernibility(), ["ab", "ab", "ab"], [0, 1, 2], 9 + 4),
        (AverageClassSize(k=2), ["ab", "ab", "ab", "cd"], [0, 1, 2, 3], 1.0),
        (NonUniformEntropy(), ["ab", "ab", "b", "c"], [0, 1, 2, 3], 2 * np.log2(3 / 2) / 6),
        (ColumnDivergence(), ["ab", "ab", "ab", "c"], [0, 1, 2, 3], 0.5 * np.log2(4 / 3) + 0.25 * np.log2(2 / 3)),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_measure_gives_the_number_counted_by_hand(
    metric: Metric, published: list[str], rows: list[int], value: float
) -> None:
    assert metric.measure(small(published, rows), SILENT).value == pytest.approx(value)


def test_rows_published_in_another_order_lose_the_same() -> None:
    values = {
        MinimalDistortion().measure(small(labels, rows), SILENT).value
        for labels, rows in ((["ab", "cd"], [0, 3]), (["cd", "ab"], [3, 0]))
    }
    assert values == {1 + 2 + 2 + 1}


def test_correlation_of_numbers_that_move_together_is_lost_by_suppression() -> None:
    before = Table.from_rows(["x", "y"], [[str(n), str(2 * n)] for n in range(10)])
    after = Table.from_rows(["x", "y"], [["*", str(2 * n)] for n in range(10)])
    result = CorrelationChange().measure(Comparison(before, after, np.arange(10), ("x", "y")), SILENT)
    assert result.value == pytest.approx(1.0)
    assert result.details["pairs"]["x × y"][0] == pytest.approx(1.0)


def test_a_two_way_table_is_compared_cell_by_cell() -> None:
    before = Table.from_rows(["x", "y"], [["a", "u"], ["b", "v"]])
    after = Table.from_rows(["x", "y"], [["*", "u"], ["*", "v"]])
    result = ContingencyChange().measure(Comparison(before, after, np.arange(2), ("x", "y")), SILENT)
    assert result.value == pytest.approx(0.5)


def learnable(n_rows: int = 400) -> Comparison:
    rows = [[str(n % 10), "yes" if n % 10 > 4 else "no"] for n in range(n_rows)]
    before = Table.from_rows(["x", "y"], rows)
    after = Table.from_rows(["x", "y"], [["*", y] for _, y in rows])
    return Comparison(before, after, np.arange(n_rows), ("x",), ("y",))


@pytest.mark.parametrize("method", ["logistic", "tree", "forest"])
def test_a_classifier_learns_nothing_from_stars(method: str) -> None:
    result = LearningLoss(method=method).measure(learnable(), SILENT)
    assert result.details["original"] == {"accuracy": 1.0, "error": 0.0, "auc": 1.0}
    assert result.details["release"]["auc"] == pytest.approx(0.5)
    assert result.value == pytest.approx(1 - result.details["release"]["accuracy"])


def in_decades(label: Callable[[int], str]) -> Comparison:
    """People of 20 to 59, those from 40 on with a yes more often than not, published under labels of their decade."""
    rng = np.random.default_rng(5)
    ages = rng.integers(20, 60, 2000).tolist()
    rows = [[str(age), "yes" if (age >= 40) != (rng.random() < 0.1) else "no"] for age in ages]
    tree = Hierarchy.from_nested({"*": {f"{d}s": [str(10 * d + n) for n in range(10)] for d in range(2, 6)}})
    published = [[label(int(age)), y] for age, y in rows]
    tables = (Table.from_rows(["x", "y"], table) for table in (rows, published))
    return Comparison(*tables, np.arange(2000), ("x",), ("y",), {"x": tree})


@pytest.mark.parametrize("method", ["logistic", "tree", "forest"])
def test_a_classifier_learns_from_decades_what_there_is_to_know(method: str) -> None:
    result = LearningLoss(method=method).measure(in_decades(lambda age: f"{age // 10}s"), SILENT)
    assert result.details["release"]["accuracy"] > 0.85
    assert abs(result.value) < 0.03


@pytest.mark.parametrize("method", ["logistic", "tree"])
def test_rounding_alone_is_no_knowledge(method: str) -> None:
    result = LearningLoss(method=method).measure(in_decades(lambda age: "*"), SILENT)
    assert result.details["release"]["auc"] == 0.5
    assert result.details["release"]["accuracy"] == result.details["majority"]


@pytest.mark.parametrize("method", ["logistic", "tree"])
def test_accuracy_and_area_are_those_of_scikit_learn(method: str) -> None:
    """A target of three values: the areas of each against the rest are averaged."""
    rng = np.random.default_rng(8)
    rows = [
        [str(x), "abc"[min(max((x + int(rng.integers(-2, 3))) // 4, 0), 2)]] for x in rng.integers(0, 12, 900).tolist()
    ]
    table = Table.from_rows(["x", "y"], rows)
    both = Comparison(table, table, np.arange(900), ("x",), ("y",))
    found = LearningLoss(method=method, folds=1, held_out=0.5).measure(both, SILENT)
    kept = np.random.default_rng(0).permutation(900)
    test, train = np.sort(kept[:450]), np.sort(kept[450:])
    x, y = np.array([int(x) for x, _ in rows]), np.array([y for _, y in rows])
    features = x[:, None] if method == "tree" else np.eye(12)[x]
    model = (
        DecisionTreeClassifier(min_samples_leaf=20, random_state=0)
        if method == "tree"
        else LogisticRegression(max_iter=100, tol=1e-3)
    ).fit(features[train], y[train])
    area = roc_auc_score(y[test], model.predict_proba(features[test]).round(9), multi_class="ovr")
    assert found.details["original"]["accuracy"] == pytest.approx(model.score(features[test], y[test]))
    assert found.details["original"]["auc"] == pytest.approx(area, abs=1e-3)


def test_every_row_is_held_out_once_and_the_error_is_that_of_the_folds() -> None:
    """Five folds dealt by hand, a model of scikit-learn trained on each: the same mean, the same standard error."""
    rng = np.random.default_rng(8)
    rows = [[str(x), "yes" if x + int(rng.integers(-3, 4)) > 5 else "no"] for x in rng.integers(0, 12, 403).tolist()]
    table = Table.from_rows(["x", "y"], rows)
    found = LearningLoss(method="tree").measure(Comparison(table, table, np.arange(403), ("x",), ("y",)), SILENT)
    x, y = np.array([int(x) for x, _ in rows])[:, None], np.array([y for _, y in rows])
    parts = np.array_split(np.random.default_rng(0).permutation(403), 5)
    scores = []
    for test in parts:
        train = np.sort(np.setdiff1d(np.arange(403), test))
        model = DecisionTreeClassifier(min_samples_leaf=20, random_state=0).fit(x[train], y[train])
        scores.append(model.score(x[test], y[test]))
    told = found.details["original"]
    assert told["accuracy"] == pytest.approx(np.mean(scores))
    assert told["error"] == pytest.approx(np.std(scores, ddof=1) / np.sqrt(5))
    assert (found.details["tested_rows"], found.details["folds"]) == (403, 5)
    assert (found.value, found.details["error"]) == (0.0, 0.0)


def test_one_fold_has_no_error() -> None:
    found = LearningLoss(folds=1).measure(learnable(), SILENT)
    assert found.details["error"] is None
    assert found.details["tested_rows"] == 120


def test_a_quasi_identifier_cannot_be_predicted() -> None:
    with pytest.raises(BadParameter, match="quasi-identifier"):
        LearningLoss(target="x").measure(learnable(), SILENT)


def test_learning_without_scikit_learn_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(MissingExtra, match=r"anonymizer-gui\[learning\]"):
        LearningLoss().measure(learnable(), SILENT)
