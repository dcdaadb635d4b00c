"""Models: learned from rows that are clipped, measured on others, written as plain JSON that a few lines apply."""

import contextlib
import io
import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadParameter, CancelledAtCost, Infeasible
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.dp.accountant import SubsampledSteps, noise_multiplier, subsampled_epsilon
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.statistics.dp_sgd import BINS, ModelShape, evaluate_scores
from anonymizer_gui.engine.rooms.statistics.independent.sensitivities import OWN_ACCOUNTING, implied_delta_of_steps
from anonymizer_gui.engine.rooms.statistics.questions.learning import SNIPPET
from anonymizer_gui.engine.rooms.statistics.release import Release
from anonymizer_gui.engine.rooms.statistics.run import run
from tests.engine.rooms.statistics.making import CHANGE, PERSON, ROW, plan, visits

ASK = "learn sick=no|yes age=0..99/10 sex=F|M"
SURE = Fraction(20)


def people(rows: int = 1500) -> Table:
    """Give rows in which old people are sick."""
    cells = [[str(age := (i * 37) % 100), "FM"[i % 2], "yes" if age >= 50 else "no"] for i in range(rows)]
    return Table.from_rows(["age", "sex", "sick"], cells)


def learned(ask: str = ASK, table: Table | None = None, **changes: Any) -> Release:
    settings = {"epsilon": SURE, "total": SURE, "delta": Fraction(1, 10**5), **changes}
    return run(plan(ask, **settings), {"table": table or people()})


def exported(release: Release, path: Path) -> Path:
    return export(room_of("statistics").leaving(release, {}, Safeguards(), SILENT), path).path


@pytest.mark.parametrize("options", ["epochs=5 rate=0.2", "epochs=8 rate=0.2 kind=hidden hidden=4"])
def test_what_is_plain_is_learned(options: str) -> None:
    told = dict(learned(f"{ASK} with {options}").answers[0].values)
    assert told["accuracy"] > 0.9
    assert told["area under the ROC curve"] > 0.9
    assert sum("after" in label for label in told) == 4


def test_three_classes_are_learned() -> None:
    cells = [[str(i % 9), "abc"[i % 9 // 3]] for i in range(900)]
    release = learned("learn kind=a|b|c n=0..8 with epochs=20 rate=0.5", Table.from_rows(["n", "kind"], cells))
    told = dict(release.answers[0].values)
    assert told["accuracy"] > 0.8
    assert "area under the ROC curve" not in told


@pytest.mark.parametrize("suffix", ["json", "csv"])
@pytest.mark.parametrize("options", ["epochs=3 rate=0.5", "epochs=3 rate=0.5 kind=hidden hidden=3"])
def test_the_snippet_in_the_file_applies_the_model(tmp_path: Path, suffix: str, options: str) -> None:
    release = learned(f"{ASK} with {options}")
    path = exported(release, tmp_path / f"m.{suffix}")
    assert verify_release(path).differences == ()
    file = path if suffix == "json" else path.with_name("m.model-1.json")
    model = json.loads(file.read_text(encoding="utf-8"))
    assert model["promise"]["epsilon"] == float(SURE)
    code = model["python"].replace('"model.json"', json.dumps(str(file)))
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, names)
    question, public = release.project.questions[0].question, release.project.public(release.project.questions[0])
    course = question.course(public)  # type: ignore[attr-defined]
    weights = np.concatenate([np.array(layer).ravel() for layer in model["layers"]])
    table = Table.from_rows(["age", "sex"], [["3", "F"], ["99", "M"], [MISSING, "X"], ["old", MISSING], ["50", "F"]])
    own = course.network.scores(weights, course.encoding.features(course.encoding.cells(table, public)))
    for at, (age, sex) in enumerate(zip(table.column("age").texts(), table.column("sex").texts(), strict=True)):
        found = names["predict"](model, {"age": None if age == MISSING else age, "sex": sex})
        assert list(found.values()) == pytest.approx(own[at], abs=1e-6)


def test_the_snippet_knows_intervals_of_a_hierarchy() -> None:
    tree = Hierarchy(
        Hierarchy.from_nested({"*": ["young", "old"]}).labels, [-1, 0, 0], {1: Interval(0, 50), 2: Interval(50, 120)}
    )
    release = learned("learn sick=no|yes age with epochs=3 rate=0.5", hierarchies={"age": tree})
    names: dict[str, Any] = {}
    exec(SNIPPET.rpartition("with open")[0], names)
    column = (release.answers[0].model or {})["features"][0]
    assert [names["cell"](column, text) for text in ("3", "50", "old", "500", None)] == [0, 1, 1, 2, 2]


def test_nothing_but_plain_json_leaves_and_a_changed_weight_is_found(tmp_path: Path) -> None:
    path = exported(learned(), tmp_path / "m.json")
    model = json.loads(path.read_text(encoding="utf-8"))
    assert {type(value) for value in model.values()} <= {str, int, float, list, dict}
    model["layers"][0][0][0] += 0.5
    path.write_text(json.dumps(model), encoding="utf-8")
    assert "“m.json” is not the model of the certificate." in verify_release(path).differences


@pytest.mark.parametrize("unit", [ROW, CHANGE, PERSON], ids=str)
def test_no_gradient_is_longer_than_told(unit: object) -> None:
    chance = np.random.default_rng(3)
    for hidden, classes in ((0, 2), (0, 4), (5, 2), (5, 3)):
        network = ModelShape(30, hidden, classes, 0.7)
        features = np.trunc(chance.normal(0, 200, (40, 30)))
        weights = chance.normal(0, 3, network.parameters)
        for row in range(40):
            one = network.gradient(weights, features[row : row + 1], np.array([row % classes]))
            assert sum(int(number) ** 2 for number in one) <= network.longest**2
        whole = network.gradient(weights, features, np.arange(40) % classes)
        each = [network.gradient(weights, features[r : r + 1], np.array([r % classes])) for r in range(40)]
        assert np.array_equal(whole, np.sum(each, axis=0))


def test_both_ways_of_accounting_agree() -> None:
    for epsilon in ("0.05", "1", "6"):
        noise = noise_multiplier(
            SubsampledSteps(Fraction(1, 20), 300, Fraction(1, 10**5)), Fraction(epsilon), Fraction(1, 10**6)
        )
        found = implied_delta_of_steps(0.05, float(noise), 300, 1e-5, float(Fraction(epsilon)))
        assert 0.7e-6 < found <= 1e-6 * (1 + 1e-6)
        assert implied_delta_of_steps(0.05, 0.97 * float(noise), 300, 1e-5, float(Fraction(epsilon))) > 1e-6


@pytest.mark.parametrize("what", ["less noise", "more epochs", "a larger rate", "a smaller epsilon", "another clip"])
def test_a_certificate_that_makes_learning_look_cheaper_is_found(tmp_path: Path, what: str) -> None:
    path = exported(learned(f"{ASK} with epochs=4 rate=0.2", epsilon=Fraction(1)), tmp_path / "m.json")
    place = path.with_name(path.name + ".release.json")
    told = json.loads(place.read_text(encoding="utf-8"))
    answer = told["answers"][0]
    assert OWN_ACCOUNTING["learn"](answer, 1, False)
    if what == "less noise":
        gradients = [step for step in answer["steps"] if step["distance"] > 1e6]
        for step in gradients:
            step["scale"] = str(Fraction(step["scale"]) / 2)
            step["spend"]["rho"] = str(Fraction(step["spend"]["rho"]) * 4)
        answer["scale"] = str(Fraction(answer["scale"]) / 2)
    elif what == "a smaller epsilon":
        answer["spend"]["epsilon"] = answer["epsilon"] = "0.5"
        told["accounting"]["cost"]["epsilon"] = told["accounting"]["spent"]["epsilon"] = "0.5"
        told["accounting"]["left"]["epsilon"] = str(Fraction(told["accounting"]["total"]["epsilon"]) - Fraction(1, 2))
    else:
        name, value = {"more epochs": ("epochs", 8), "a larger rate": ("rate", 0.4), "another clip": ("clip", 2.0)}[
            what
        ]
        answer["parameters"][name] = value
    told["sha256"] = certificate_digest(told)
    place.write_text(json.dumps(told), encoding="utf-8")
    assert verify_release(path).differences != ()


@pytest.mark.parametrize("rows", [0, 1, 5])
def test_hardly_any_rows_give_a_model_and_a_warning(rows: int) -> None:
    release = learned(table=people(rows), epsilon=Fraction(1))
    assert all(math.isfinite(value) for _, value in release.answers[0].values)
    assert any("too few rows" in note for note in release.answers[0].notes)


@pytest.mark.parametrize(
    "cells", [[["5", "F", "yes"]] * 30, [[MISSING] * 3] * 30, [[str(i), "F", "odd"] for i in range(30)]]
)
def test_constant_and_missing_columns_are_learned_from(cells: list[list[str]]) -> None:
    release = learned(table=Table.from_rows(["age", "sex", "sick"], cells), epsilon=Fraction(1))
    assert all(math.isfinite(w) for layer in (release.answers[0].model or {})["layers"] for line in layer for w in line)


def test_a_model_that_is_stopped_costs_less_the_earlier(tmp_path: Path) -> None:
    ledger = BudgetLedger(tmp_path / "x.budget")
    costs = []
    for after in (60, 400):
        asked = iter(range(10**6))
        stopping = Progress(is_cancelled=lambda asked=asked, after=after: next(asked) >= after)
        project = plan(f"{ASK} with epochs=10 rate=0.05", total=Fraction(90), delta=Fraction(1, 10**5))
        with pytest.raises(CancelledAtCost, match="stands in the ledger"):
            run(project, {"table": people(200), "ledger": ledger}, stopping)
        costs.append(ledger.accounts()[0].spends[-1].spend)
    assert 0 < costs[0].epsilon < costs[1].epsilon <= 1
    assert costs[0].delta == Fraction(1, 10**6)


def test_a_delta_is_needed_and_only_so_many_models_have_one(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="Learning needs a delta"):
        learned(delta=Fraction(0))
    files = {"table": people(50), "ledger": BudgetLedger(tmp_path / "x.budget")}
    whole = f"{ASK} with epochs=1 rate=0.5 delta=0.00001"
    settings: dict[str, Any] = {"delta": Fraction(1, 10**5), "total": Fraction(90)}
    run(plan(whole, **settings), files)
    with pytest.raises(Infeasible, match="needs delta"):
        run(plan(whole.replace("rate=0.5", "rate=0.4"), **settings), files)


def test_the_noise_of_a_changed_row_is_that_of_two() -> None:
    def noise(unit: Any) -> float:
        project = plan(ASK, unit=unit, delta=Fraction(1, 10**5), rows=1000)
        asked = project.questions[0]
        made = asked.question.calibrated(project.public(asked), asked.question.own_spend(Fraction(1), project.delta))
        return float(made[-2].scale())

    assert noise(CHANGE) > 1.9 * noise(ROW)
    assert noise(PERSON) == pytest.approx(2 * noise(ROW), rel=1e-3)


def test_the_area_under_the_curve_is_that_of_the_counts() -> None:
    no, yes = np.zeros(BINS, dtype=np.int64), np.zeros(BINS, dtype=np.int64)
    no[:3], yes[-3:] = 10, 10
    assert evaluate_scores(np.concatenate([no, yes])).area == 1.0
    assert evaluate_scores(np.concatenate([no, no])).area == 0.5
    assert evaluate_scores(np.concatenate([no, yes])).accuracy == 1.0


def test_the_accountant_and_the_plan_agree() -> None:
    project = plan(ASK, delta=Fraction(1, 10**5), rows=1000)
    asked = project.questions[0]
    public = project.public(asked)
    spend = asked.question.own_spend(Fraction(1), project.delta)
    assert spend is not None
    course, made = asked.question.course(public), asked.question.calibrated(public, spend)  # type: ignore[attr-defined]
    noise = made[1].scale() / course.network.longest
    assert subsampled_epsilon(SubsampledSteps(course.rate, course.steps, made[0].budget.rho), noise, spend.delta) <= 1
    assert len(run(plan("count"), {"table": visits()}).made) == 0
