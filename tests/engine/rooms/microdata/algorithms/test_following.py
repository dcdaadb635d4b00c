"""Objectives beyond the lattice: top-down, Mondrian and auto follow them, and results are ranked by them."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.rooms.microdata.algorithms.auto import Auto, suitable_algorithms
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.encoding import encode_table, goal_set_for
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.algorithms.objectives import OBJECTIVES, recoding_cost
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down import TopDown
from anonymizer_gui.engine.rooms.microdata.release.release import compare_release
from anonymizer_gui.engine.rooms.microdata.run import run
from anonymizer_gui.engine.rooms.microdata.sweep import best_release, sweep_algorithms
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS
from tests.engine.rooms.microdata.algorithms.test_objectives import ROWS, Row, cost_by_hand, project_of, table_of

FOLLOWING = {
    "top-down": TopDown(),
    "top-down, one level": TopDown(reading="full-domain"),
    "mondrian": Mondrian(),
    "mondrian, ranges": Mondrian(labels=(("a", "range"), ("b", "range"))),
}
# The target follows b alone, and b has fewer leaves: who counts leaves splits a first.
ALONG_B: list[Row] = [(a, b, b) for a in range(4) for b in (0, 2)] * 2


def per_record(objective: str, cost: float, records: int) -> float:
    """Scale what was counted by hand as the engine tells it: per record, both columns weighing one half."""
    return cost / {"lm": 1, "precision": 1, "entropy": 2 * records}.get(objective, records)


@pytest.mark.parametrize("objective", OBJECTIVES)
@settings(max_examples=10)
@given(
    rows=ROWS,
    k=st.integers(2, 3),
    suppression=st.sampled_from([0.0, 0.2]),
    name=st.sampled_from([*FOLLOWING, "local-suppression"]),
)
def test_a_result_costs_what_is_counted_by_hand(
    objective: str, rows: list[Row], k: int, suppression: float, name: str
) -> None:
    algorithm = (FOLLOWING.get(name) or ALGORITHMS.get(name)()).following(objective, "s")
    counting = Auto(objective=objective, target="s")  # so that the target is counted, whoever runs
    project = replace(project_of(k, suppression), algorithm=counting)
    encoded = encode_table(table_of(rows), project, None, SILENT)
    try:
        goals = goal_set_for(encoded, project, table_of(rows))
        found = algorithm.run(encoded, goals, SearchLimits(suppression), SILENT)
        release = run(table_of(rows), replace(project, algorithm=algorithm))
    except Infeasible:
        return
    by_hand = per_record(objective, cost_by_hand(objective, release, rows), len(rows))
    assert math.isclose(recoding_cost(encoded, found, objective, "s"), by_hand, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize("objective", [name for name in OBJECTIVES if name != "lm"])
@settings(max_examples=10)
@given(rows=ROWS, k=st.integers(2, 3), name=st.sampled_from(list(FOLLOWING)))
def test_whoever_follows_an_objective_is_never_worse_by_it_than_by_the_loss(
    objective: str, rows: list[Row], k: int, name: str
) -> None:
    """A step that gains most may leave nothing to gain: the steps by the loss are tried, too."""
    project = project_of(k, 0.0)
    both = FOLLOWING[name].following(objective, "s"), FOLLOWING[name]
    try:
        asked, usual = (run(table_of(rows), replace(project, algorithm=each)) for each in both)
    except Infeasible:
        return
    assert cost_by_hand(objective, asked, rows) <= cost_by_hand(objective, usual, rows) + 1e-9


@pytest.mark.parametrize("name", FOLLOWING)
def test_who_wants_to_predict_keeps_the_column_that_tells(name: str) -> None:
    project = project_of(4, 0.0)
    usual = run(table_of(ALONG_B), replace(project, algorithm=FOLLOWING[name].following("lm")))
    asked = FOLLOWING[name].following("classification", "s")
    release = run(table_of(ALONG_B), replace(project, algorithm=asked))
    assert cost_by_hand("classification", release, ALONG_B) == 0
    assert release.measured.lm >= usual.measured.lm - 1e-9


@pytest.mark.parametrize("objective", OBJECTIVES)
@settings(max_examples=8)
@given(rows=ROWS, k=st.integers(2, 3))
def test_auto_is_the_best_of_what_it_tries_by_the_objective(objective: str, rows: list[Row], k: int) -> None:
    project = project_of(k, 0.0)
    auto = Auto(objective=objective, target="s")
    try:
        release = run(table_of(rows), replace(project, algorithm=auto))
    except Infeasible:
        return
    costs = [
        cost_by_hand(objective, run(table_of(rows), replace(project, algorithm=each)), rows)
        for each in (one.following(objective, "s") for one in suitable_algorithms(len(rows), project.goals))
    ]
    assert cost_by_hand(objective, release, rows) <= min(costs) + 1e-9
    assert all((each.cost is None) == (objective == "lm") for each in release.recoding.tried)


@pytest.mark.parametrize("objective", [name for name in OBJECTIVES if name != "lm"])
def test_try_all_asks_everybody_for_the_objective_and_takes_the_best_by_it(objective: str) -> None:
    rows = [(a, b, (a + b) % 2) for a in range(4) for b in range(3)] * 2 + [(0, 0, 1), (3, 2, 0), (3, 2, 1)]
    project = replace(project_of(3, 0.1), algorithm=Auto(objective=objective, target="s"), weights={"a": 3.0, "b": 1.0})
    attempts = sweep_algorithms(project)
    assert {"local-suppression", "mondrian", "top-down", "bottom-up"} <= {
        each.project.algorithm.name for each in attempts
    }
    following = [each.project.algorithm for each in attempts if not each.project.algorithm.aims_at]
    assert {algorithm.objective_asked() for algorithm in following} == {(objective, "s")}
    releases = [run(table_of(rows), attempt.project) for attempt in attempts]
    best = best_release(objective, "s", releases, table_of(rows), SILENT)
    assert best is not None
    if objective in ("discernibility", "classification"):
        costs = [cost_by_hand(objective, release, rows) for release in releases]
        assert cost_by_hand(objective, best, rows) == min(costs)


@given(ROWS)
@settings(max_examples=10)
def test_the_classification_metric_is_counted_by_hand(rows: list[Row]) -> None:
    try:
        release = run(table_of(rows), replace(project_of(2, 0.2), algorithm=Mondrian()))
    except Infeasible:
        return
    metric = METRICS.get("classification")(target="s")  # type: ignore[call-arg]
    found = metric.measure(compare_release(release, table_of(rows)), SILENT)
    assert found.value * len(rows) == pytest.approx(cost_by_hand("classification", release, rows))


@pytest.mark.parametrize("declared", list(ALGORITHMS), ids=lambda declared: declared.name)
def test_an_algorithm_follows_or_says_what_it_makes_small(declared: type) -> None:
    asked = declared().following("entropy").objective_asked()
    assert asked == (("entropy", "") if not declared.aims_at else ("lm", ""))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--algorithm", "best-loss", "--objective", "entropy"], "has no parameter “objective”"),
        (["--algorithm", "cluster", "--objective", "entropy"], "has no parameter “objective”"),
        (["--algorithm", "mondrian", "--objective", "entropy"], "--objective counts only with --choice lm-gain"),
        (["--algorithm", "auto", "--target", "s"], "--target counts only with --objective classification"),
        (["--algorithm", "auto", "--objective", "beauty"], "must be one of"),
    ],
)
def test_an_objective_is_followed_or_refused_but_never_ignored(
    options: list[str], words: str, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path_factory.mktemp("objective")
    (folder / "t.csv").write_text("a,s\n1,x\n1,y\n", encoding="utf-8")
    call = ["anonymize", str(folder / "t.csv"), "--qi", "a", "--sa", "s", "--k", "2", "-o", str(folder / "o.csv")]
    assert main([*call, *options]) == 2
    assert words in capsys.readouterr().err
