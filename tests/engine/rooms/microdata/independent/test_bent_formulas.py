"""A formula that is off by a hundredth, in the measurement or in the recount, releases nothing: both must be right."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.independent import formulas as counted_distances
from anonymizer_gui.engine.rooms.microdata.independent import privacy_checks
from anonymizer_gui.engine.rooms.microdata.independent.formulas import DISTANCES
from anonymizer_gui.engine.rooms.microdata.models.contract import (
    PRIVACY_MODELS,
    ClassGroups,
    Measurement,
    PrivacyModel,
    WholeTable,
)
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate, prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run

# Two classes whose values are spread in different ways, so that no number is 0.
ROWS = [("a", s) for s in ("flu", "flu", "flu", "acne", "acne", "cold")]
ROWS += [("b", s) for s in ("flu", "flu", "acne", "acne", "cold", "cold")]
MET: dict[str, dict[str, object]] = {
    "k": {"k": 2},
    "l": {"l": 2},
    "entropy-l": {"l": 2.0},
    "recursive-l": {"l": 1, "c": 2.0},
    "t": {"t": 0.9},
    "n-t": {"t": 0.9, "n": 8, "group": "each"},
    "alpha-k": {"alpha": 0.9, "k": 2},
    "beta": {"beta": 2.0},
    "enhanced-beta": {"beta": 1.0},
    "delta-disclosure": {"delta": 2.0},
    "delta-presence": {"delta_max": 0.9},
    "k-map": {"k": 3},
    "subset-k": {"k": 2},
    "average-risk": {"risk": 0.5},
    "records-at-risk": {"share": 1.0, "threshold": 0.1, "highest": 1.0},
    "estimated-k-map": {"k": 7, "fraction": 0.1},
    "population-uniqueness": {"share": 1.0, "population": 100},
    "k-km": {"k": 2, "rows": 2},
}
MODELS = pytest.mark.parametrize("model", list(PRIVACY_MODELS), ids=lambda model: model.name)
BENT_FUNCTIONS = {
    "distinct_l": "l",
    "entropy_l": "entropy-l",
    "recursive_l": "recursive-l",
    "largest_share": "alpha-k",
    "relative_gain": "beta",
    "least_beta": "enhanced-beta",
    "log_ratio": "delta-disclosure",
}


def leaving(*goals: PrivacyModel) -> ReleaseCandidate:
    """Make a release of two classes as they are; everybody has a twin in the town."""
    schema = Schema((ColumnSchema("q", role=Role.QI), ColumnSchema("s", role=Role.SA)))
    trees = {
        "q": Hierarchy.from_nested({"*": ["a", "b", "c"]}),
        "s": Hierarchy.from_nested({"*": ["acne", "cold", "flu"]}),
    }
    project = Project(schema=schema, hierarchies=trees, goals=goals, algorithm=BottomUp(), bounds={"q": (0, 0)})
    alone = [("c", "flu")] if any(goal.name == "population-uniqueness" for goal in goals) else []
    table = Table.from_rows(("q", "s"), ROWS + alone)
    population = Table.from_rows(("q",), [row[:1] for row in ROWS * 2])
    needs = any(goal.needs_population for goal in goals)
    release = run(table, project, population=population if needs else None)
    return prepare_candidate(release, table, Safeguards(), population=population if needs else None)


def bent(function: Callable[..., float]) -> Callable[..., float]:
    return lambda *arguments: function(*arguments) * 1.01


def test_without_a_fault_every_release_leaves(tmp_path: Path) -> None:
    for model in PRIVACY_MODELS:
        ready = leaving(model(**MET[model.name]))
        assert ready.measured.holds
        assert ready.measured.goals[0][1].value > 0
        assert export(ready, tmp_path / f"{model.name}.csv").path.exists()


@MODELS
def test_a_measurement_that_is_a_little_off_releases_nothing(
    model: type[PrivacyModel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = model.measure

    def off(self: PrivacyModel, groups: ClassGroups, whole: WholeTable) -> Measurement:
        found = measure(self, groups, whole)
        return replace(found, value=found.value * 1.01)

    monkeypatch.setattr(model, "measure", off)
    with pytest.raises(PromiseBroken, match=f"Counted again from its file.* {model.name} is"):
        export(leaving(model(**MET[model.name])), tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


@MODELS
def test_a_judge_that_is_a_little_off_releases_nothing(
    model: type[PrivacyModel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = privacy_checks.CHECKS[model.name]

    def off(evidence: object, parameters: object) -> privacy_checks.CheckedValue:
        value, holds = judge(evidence, parameters)  # type: ignore[arg-type]
        return value * 1.01, holds

    ready = leaving(model(**MET[model.name]))
    monkeypatch.setitem(privacy_checks.CHECKS, model.name, off)
    with pytest.raises(PromiseBroken, match="Counted again from its file"):
        export(ready, tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("function", BENT_FUNCTIONS)
def test_a_formula_of_the_recount_that_is_a_little_off_releases_nothing(
    function: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = PRIVACY_MODELS.get(BENT_FUNCTIONS[function])
    ready = leaving(model(**MET[model.name]))
    monkeypatch.setattr(privacy_checks, function, bent(getattr(privacy_checks, function)))
    with pytest.raises(PromiseBroken, match="Counted again from its file"):
        export(ready, tmp_path / "out.csv")


@pytest.mark.parametrize("name", list(DISTANCES))
@pytest.mark.parametrize("model", ["t", "n-t"])
def test_a_distance_of_the_recount_that_is_a_little_off_releases_nothing(
    name: str, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = leaving(PRIVACY_MODELS.get(model)(**{**MET[model], "distance": name}))
    monkeypatch.setitem(counted_distances.DISTANCES, name, bent(counted_distances.DISTANCES[name]))
    with pytest.raises(PromiseBroken, match="Counted again from its file"):
        export(ready, tmp_path / "out.csv")
