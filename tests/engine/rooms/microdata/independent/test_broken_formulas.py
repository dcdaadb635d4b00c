"""A formula that is broken on either side, in what makes and measures releases or in what counts them, is found out.

For every privacy model: the engine's answer is made to be “satisfied” whatever the table, and the release is refused;
the recount's answer is made to be another, and the release is refused and does not verify.
"""

import importlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.microdata.independent import formulas, privacy_checks
from anonymizer_gui.engine.rooms.microdata.independent import formulas as counted_distances
from anonymizer_gui.engine.rooms.microdata.models import distances, l_diversity, t_closeness
from anonymizer_gui.engine.rooms.microdata.models.contract import (
    PRIVACY_MODELS,
    ClassGroups,
    Measurement,
    PrivacyModel,
    WholeTable,
)
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate, prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.making import NAMES, hospital_project, hospital_rows, hospital_table

# What the raw hospital breaks: eight classes of five rows, each of one disease, where the table has four.
BROKEN_BY_RAW: dict[str, dict[str, object]] = {
    "k": {"k": 6},
    "l": {"l": 2},
    "entropy-l": {"l": 2.0},
    "recursive-l": {"l": 2, "c": 2.0},
    "t": {"t": 0.2},
    "n-t": {"t": 0.2, "n": 8},
    "alpha-k": {"alpha": 0.5, "k": 2},
    "beta": {"beta": 1.0},
    "enhanced-beta": {"beta": 1.0},
    "delta-disclosure": {"delta": 1.0},
    "delta-presence": {"delta_max": 0.4},
    "k-map": {"k": 11},
    "subset-k": {"k": 6},
    "average-risk": {"risk": 0.15},
    "records-at-risk": {"share": 0.1, "threshold": 0.19},
    "estimated-k-map": {"k": 6, "fraction": 1.0},
    "population-uniqueness": {"share": 0.0, "population": 1000},
    "k-km": {"k": 2, "rows": 6},
}
ALONE = ["Patient 0040", "20", "13053", "Flu", "W0"]
"""Somebody who looks like nobody else, for the goal that is about such people."""
ONE_CLASS = KAnonymity(40)
MODELS = pytest.mark.parametrize("model", list(PRIVACY_MODELS), ids=lambda model: model.name)


def goal_of(model: type[PrivacyModel]) -> PrivacyModel:
    return model(**BROKEN_BY_RAW[model.name])


def leaving(*goals: PrivacyModel) -> ReleaseCandidate:
    """Make a release of the hospital; everybody has a twin in the town, and the first patient many more."""
    table, project = hospital_table(), hospital_project(goals=goals)
    if any(goal.name == "population-uniqueness" for goal in goals):
        table = Table.from_rows(NAMES, [*hospital_rows(), ALONE])
    severity = Hierarchy.from_nested({"*": list(table.column("disease").labels)})
    project = replace(project, hierarchies={**project.hierarchies, "disease": severity})
    town = np.r_[np.repeat(np.arange(table.n_rows), 2), np.zeros(40, dtype=np.int64)]
    population: Table | None = table.take(town) if any(goal.needs_population for goal in goals) else None
    release = run(table, project, population=population)
    return prepare_candidate(release, table, Safeguards(), population=population)


def always_satisfied(monkeypatch: pytest.MonkeyPatch, model: type[PrivacyModel]) -> None:
    def satisfied(self: PrivacyModel, groups: ClassGroups, whole: WholeTable) -> np.ndarray:
        return np.ones(len(groups), dtype=np.bool_)

    def measure(self: PrivacyModel, groups: ClassGroups, whole: WholeTable) -> Measurement:
        return Measurement(0.0, True, np.zeros(len(groups)), np.arange(len(groups)))

    for name in ("measure", "measure_alone"):
        monkeypatch.setattr(model, name, measure, raising=False)
    monkeypatch.setattr(model, "satisfied", satisfied)
    monkeypatch.setattr(model, "least_rows", lambda self: 1)


def test_every_registered_model_has_a_judge_and_is_broken_here() -> None:
    names = {model.name for model in PRIVACY_MODELS}
    assert names == set(BROKEN_BY_RAW) == set(privacy_checks.CHECKS)


@MODELS
def test_a_model_that_is_always_satisfied_releases_nothing(
    model: type[PrivacyModel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    always_satisfied(monkeypatch, model)
    ready = leaving(goal_of(model))
    assert not ready.failed
    with pytest.raises(PromiseBroken, match="does not hold, unlike in the certificate"):
        export(ready, tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


@MODELS
@pytest.mark.parametrize("answer", [(1e6, True), (0.0, False)], ids=["holds", "fails"])
def test_a_judge_that_is_broken_releases_nothing(
    model: type[PrivacyModel], answer: tuple[float, bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = leaving(ONE_CLASS, goal_of(model)) if model is not KAnonymity else leaving(ONE_CLASS)
    assert not ready.failed
    monkeypatch.setitem(privacy_checks.CHECKS, model.name, lambda evidence, parameters: answer)
    with pytest.raises(PromiseBroken, match="Counted again from its file"):
        export(ready, tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


@MODELS
def test_a_judge_that_breaks_later_is_told_by_verify(
    model: type[PrivacyModel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = leaving(ONE_CLASS, goal_of(model)) if model is not KAnonymity else leaving(ONE_CLASS)
    out = export(ready, tmp_path / "out.csv")
    assert verify_release(out.path).holds
    monkeypatch.setitem(privacy_checks.CHECKS, model.name, lambda evidence, parameters: (1e6, True))
    assert any(model.name in difference for difference in verify_release(out.path).differences)


ENGINE: dict[str, tuple[object, str, Callable[..., object]]] = {
    "variational": (distances, "variational", lambda histogram, reference: np.zeros(histogram.n_groups)),
    "kl": (distances, "kullback_leibler", lambda histogram, reference: np.zeros(histogram.n_groups)),
    "euclidean": (distances, "euclidean", lambda histogram, reference: np.zeros(histogram.n_groups)),
    "jensen-shannon": (distances, "jensen_shannon", lambda histogram, reference: np.zeros(histogram.n_groups)),
    "emd-ordered": (distances, "emd_ordered", lambda histogram, sensitive, reference: np.zeros(histogram.n_groups)),
}


@pytest.mark.parametrize("distance", ENGINE)
def test_a_distance_that_is_always_0_releases_nothing(
    distance: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*ENGINE[distance])
    ready = leaving(PRIVACY_MODELS.get("t")(t=0.1, distance=distance))
    with pytest.raises(PromiseBroken, match="Counted again from its file"):
        export(ready, tmp_path / "out.csv")


@pytest.mark.parametrize(
    ("module", "name", "model", "setting"),
    [(l_diversity, "distinct_values", "l", {"l": 3}), (l_diversity, "effective_values", "entropy-l", {"l": 3.0})],
    ids=["distinct", "entropy"],
)
def test_diversity_that_is_always_99_releases_nothing(
    module: object, name: str, model: str, setting: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, lambda histogram: np.full(histogram.n_groups, 99.0))
    with pytest.raises(PromiseBroken, match="Counted again from its file"):
        export(leaving(PRIVACY_MODELS.get(model)(**setting)), tmp_path / "out.csv")


def test_a_group_of_records_the_table_does_not_have_releases_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goal = PRIVACY_MODELS.get("n-t")(t=0.5, n=8)
    monkeypatch.setattr(t_closeness._Search, "worst", lambda self, group: 0.0)
    monkeypatch.setattr(
        t_closeness, "distance", lambda name, histogram, sensitive, q=None: np.zeros(histogram.n_groups)
    )
    always_satisfied(monkeypatch, type(goal))
    with pytest.raises(PromiseBroken):
        export(leaving(goal), tmp_path / "out.csv")


# The package has a function of the module's name.
recount = importlib.import_module("anonymizer_gui.engine.rooms.microdata.independent.recount")
COUNTED: dict[str, tuple[object, str]] = {
    "distinct": (recount, "distinct_l"),
    "entropy": (recount, "entropy_l"),
    "recursive": (recount, "recursive_l"),
}


@pytest.mark.parametrize("name", COUNTED)
def test_a_number_of_the_recount_that_is_broken_releases_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, function = COUNTED[name]
    monkeypatch.setattr(module, function, lambda held, c=0.0: formulas.distinct_l(held) + 5)
    with pytest.raises(PromiseBroken, match=name):
        export(leaving(ONE_CLASS), tmp_path / "out.csv")


@pytest.mark.parametrize("name", [name for name in counted_distances.DISTANCES if name != "emd-hierarchical"])
def test_a_distance_of_the_recount_that_is_broken_releases_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(counted_distances.DISTANCES, name, lambda held, other: 0.5)
    with pytest.raises(PromiseBroken, match=name.replace("-", "_")):
        export(leaving(ONE_CLASS), tmp_path / "out.csv")
