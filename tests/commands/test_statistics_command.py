"""The commands of differential privacy keep their contract: options, keys of JSON, exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.cli import main
from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.engine.hierarchy.files import write_hierarchies
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from tests.engine.rooms.statistics.making import SCHOOL, visits
from tests.noise import laplace_tolerance

DONE, EXHAUSTED, BAD_CALL = 0, 1, 2


@pytest.fixture
def table(tmp_path: Path) -> Path:
    write_table(visits(400), tmp_path / "visits.csv")
    return tmp_path / "visits.csv"


def asked(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, Any], str]:
    """Call a command; give its exit code, its JSON and what it says beside."""
    capsys.readouterr()
    code = main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return code, json.loads(printed.out) if printed.out.startswith("{") else {}, printed.err


def test_the_call_of_the_contract(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = table.parent / "trees"
    write_hierarchies(folder, {"school": SCHOOL})
    asks = [
        "count", "count age>=65", "histogram sex F,M", "histogram school", "mean age 0 100", "most-common school",
        "top 3 school",
    ]  # fmt: skip
    options = [part for ask in asks for part in ("--ask", ask)]
    output = table.parent / "answers.csv"
    code, told, _ = asked(
        capsys, "statistics", table, "--hierarchies", folder, *options, "--epsilon", "7", "--unit", "row",
        "--ledger", table.parent / "x.budget", "--budget", "10", "-o", output, "--json",
    )  # fmt: skip
    assert code == DONE
    assert {"unit", "epsilon", "delta", "spent", "left", "answers"} <= set(told)
    assert (told["unit"], told["epsilon"], told["delta"], told["spent"], told["left"]) == ("row", 7, 0, 7, 3)
    assert [answer["ask"] for answer in told["answers"]] == asks
    for answer in told["answers"]:
        assert {"ask", "mechanism", "sensitivity", "scale", "epsilon", "error95"} <= set(answer)
        assert ("value" in answer) or ("values" in answer)
        assert answer["epsilon"] == 1
    by_ask = {answer["ask"]: answer for answer in told["answers"]}
    assert (by_ask["count"]["mechanism"], by_ask["count"]["scale"], by_ask["count"]["error95"]) == ("laplace", 1, 3)
    assert abs(by_ask["count"]["value"] - 400) < laplace_tolerance(1)
    assert set(by_ask["histogram sex F,M"]["values"]) == {"F", "M"}
    assert set(by_ask["histogram school"]["values"]) == set(SCHOOL.leaf_labels)
    assert 0 <= by_ask["mean age 0 100"]["value"] <= 100
    assert by_ask["most-common school"]["value"] in SCHOOL.leaf_labels
    assert len(by_ask["top 3 school"]["value"]) == 3
    assert sorted(by_ask["top 3 school"]["values"].values()) == [1, 2, 3]
    assert main(["verify", str(output)]) == DONE


def test_the_same_questions_again_cost_nothing_and_more_is_refused(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["statistics", table, "--epsilon", "1", "--ledger", table.parent / "x.budget", "--json"]
    first = asked(capsys, *call, "--ask", "count", "--budget", "1.5", "-o", table.parent / "a.csv")
    again = asked(capsys, *call, "--ask", "count", "--budget", "1.5", "-o", table.parent / "b.csv")
    assert first[1]["answers"][0]["value"] == again[1]["answers"][0]["value"]
    assert (first[1]["spent"], again[1]["spent"], again[1]["left"]) == (1, 1, 0.5)
    code, _, said = asked(capsys, *call, "--ask", "mean age 0 100", "--budget", "1.5", "-o", table.parent / "c.csv")
    assert code == EXHAUSTED
    assert said.splitlines()[-2] == "This spends epsilon 1, but only epsilon 0.5 is left."
    assert not (table.parent / "c.csv").exists()


def test_without_a_budget_the_ledger_tells_the_total(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["statistics", table, "--ledger", table.parent / "x.budget", "--json", "--epsilon", "0.5"]
    asked(capsys, *call, "--ask", "count", "--budget", "2", "-o", table.parent / "a.csv")
    assert asked(capsys, *call, "--ask", "mean age 0 9", "-o", table.parent / "a.csv")[1]["left"] == 1


def test_without_a_ledger_all_of_the_budget_is_this_release(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, told, said = asked(capsys, "statistics", table, "--ask", "count", "-o", table.parent / "a.json", "--json")
    assert (told["spent"], told["left"]) == (1, 0)
    assert "nobody will remember" in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--ask", "histogram school"], "The categories of “school” are not public."),
        (["--ask", "mean age"], "The question “mean age” is not understood."),
        (["--ask", "mean age 5 5"], "The bounds of “age” are not public."),
        (["--ask", "levels school"], "“school” has no hierarchy to count along."),
        (["--ask", "count nothing>=3"], "The data has no column “nothing”."),
        (["--ask", "count age>=old"], "“old” is neither a number nor a day that could be compared."),
        (["--ask", "weather"], "The question “weather” is not understood."),
        (["--ask", "count with colour=red"], "Count has no parameter “colour”."),
        (["--ask", "count", "--unit", "family"], "“family” is no unit of protection."),
        (["--ask", "count", "--unit", "person=nobody:2"], "The data has no column “nobody”"),
        (["--ask", "count", "--epsilon", "much"], "“much” is no amount of budget."),
        (["--ask", "count", "--epsilon", "0"], "Epsilon must be above 0."),
        (["--ask", "count with noise=gaussian"], "Gaussian noise needs a delta above 0."),
        ([], "The plan asks nothing."),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_told_in_one_sentence_and_spends_nothing(
    table: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    ledger = table.parent / "x.budget"
    code, _, told = asked(capsys, "statistics", table, "-o", table.parent / "a.csv", "--ledger", ledger, *options)
    assert code == BAD_CALL
    assert said in told
    assert not (table.parent / "a.csv").exists()
    shown = asked(capsys, "budget", "show", ledger, "--json")[1] if ledger.exists() else {"data": []}
    assert shown["data"] == []


@pytest.mark.parametrize("output", ["a.docx", "nowhere/a.csv", "visits.csv"])
def test_what_cannot_be_written_is_told_before_anything_is_spent(
    table: Path, capsys: pytest.CaptureFixture[str], output: str
) -> None:
    ledger = table.parent / "x.budget"
    call = ["statistics", table, "--ask", "count", "-o", table.parent / output, "--ledger", ledger]
    assert asked(capsys, *call)[0] == BAD_CALL
    assert not ledger.exists()


def test_a_plan_is_read_and_the_call_comes_before_it(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = table.parent / "plan.json"
    plan.write_text(json.dumps({"questions": [{"name": "count"}], "epsilon": "0.25", "unit": "change", "total": "4"}))
    call = ["statistics", table, "--plan", plan, "-o", table.parent / "a.csv", "--json"]
    told = asked(capsys, *call)[1]
    assert (told["unit"], told["epsilon"], told["left"]) == ("change", 0.25, 4)
    assert told["answers"][0]["mechanism"] == "none"
    told = asked(capsys, *call, "--unit", "row", "--ask", "mean age 0 100")[1]
    assert [answer["ask"] for answer in told["answers"]] == ["count", "mean age 0 100"]
    assert (told["unit"], told["spent"]) == ("row", 0.25)
    plan.write_text("[]")
    assert asked(capsys, *call)[0] == BAD_CALL


def test_a_project_is_a_plan_and_runs_by_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample, ledger = resource_path("samples", "practice.anon"), tmp_path / "x.budget"
    code, told, _ = asked(capsys, "run", sample, "-o", tmp_path / "a.csv", "--ledger", ledger, "--json")
    assert (code, told["unit"], told["spent"], told["left"]) == (DONE, "person=patient:4", 2, 4)
    assert asked(capsys, "run", sample, "-o", tmp_path / "b.csv", "--ledger", ledger, "--json")[1]["spent"] == 2
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert main(["verify", str(tmp_path / "b.csv")]) == DONE
    call = [
        "statistics",
        resource_path("samples", "practice.csv"),
        "--plan",
        sample,
        "-o",
        tmp_path / "c.csv",
        "--json",
    ]
    assert asked(capsys, *call)[1]["spent"] == 2


def test_the_budget_is_shown_and_reset_with_a_reason(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger, output = table.parent / "x.budget", table.parent / "a.csv"
    asked(capsys, "statistics", table, "--ask", "count", "-o", output, "--ledger", ledger, "--budget", "2")
    shown = asked(capsys, "budget", "show", ledger, "--json")[1]["data"]
    assert [(entry["spent"], entry["total"], entry["left"]) for entry in shown] == [(1, 2, 1)]
    assert shown[0]["spends"][0]["ask"] == "count"
    assert main(["budget", "check", str(ledger), str(output)]) == DONE
    assert main(["budget", "reset", str(ledger)]) == BAD_CALL
    assert main(["budget", "reset", str(ledger), "--reason", "the people are others"]) == DONE
    entry = asked(capsys, "budget", "show", ledger, "--json")[1]["data"][0]
    assert (entry["spent"], entry["spends"]) == (0, [])
    assert entry["resets"][0]["reason"] == "the people are others"
    assert main(["budget", "show", str(table.parent / "no.budget")]) == BAD_CALL
    assert main(["budget", "show", str(ledger)]) == DONE


def test_a_release_that_the_ledger_does_not_know_is_found(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output, ledger, other = (table.parent / name for name in ("a.csv", "x.budget", "y.budget"))
    for place in (other, ledger):
        asked(capsys, "statistics", table, "--ask", "count", "-o", output, "--ledger", place, "--budget", "2")
    assert main(["budget", "check", str(ledger), str(output)]) == DONE
    assert main(["budget", "check", str(other), str(output)]) == 1
    ledger.write_bytes(other.read_bytes())
    assert main(["verify", str(output)]) == 1
    assert "A spend of this release is not in the ledger." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("expression", "verdict"),
    [("42", "proven"), ("count() + 10", "refuted"), ("row(1)", "refuted"), ("count() + laplace(1)", "proven")],
)
def test_the_checker_decides_the_worked_examples(
    capsys: pytest.CaptureFixture[str], expression: str, verdict: str
) -> None:
    code, told, _ = asked(capsys, "dp", "check", expression, "--json")
    assert (code, told["verdict"]) == (DONE, verdict)


def test_the_checker_knows_its_examples_and_claims(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dp", "examples"]) == DONE
    assert "randomised-response" in capsys.readouterr().out
    assert asked(capsys, "dp", "check", "randomised-response", "--json")[1]["verdict"] == "proven"
    assert asked(capsys, "dp", "check", "count() + laplace(1)", "--epsilon", "0.5", "--json")[1]["verdict"] == "refuted"
    assert main(["dp", "check", "import os"]) == BAD_CALL
    assert main(["dp", "check", "count() + laplace(1)"]) == DONE
    assert capsys.readouterr().out.startswith("proven: count() + laplace(1)")


def test_a_hierarchy_that_cannot_be_used_is_told(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = table.parent / "trees"
    write_hierarchies(folder, {"school": Hierarchy.from_nested({"*": ["none"]})})
    (folder / "school.csv").write_text("a;x\na;y\n")
    code = asked(
        capsys, "statistics", table, "--hierarchies", folder, "--ask", "histogram school", "-o", folder / "a.csv"
    )[0]
    assert code == BAD_CALL


def test_the_text_for_people_tells_answers_and_errors(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["statistics", str(table), "--ask", "histogram sex F,M", "-o", str(table.parent / "a.csv")]) == DONE
    told = capsys.readouterr().out
    assert "histogram sex F,M: laplace, epsilon 1, ± 3 rows in 95 of 100 releases" in told
    assert "1 answer for epsilon 1, epsilon 0 left." in told


def test_a_synthetic_table_and_a_model_have_commands_of_their_own(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = table.parent
    write_hierarchies(folder / "trees", {"school": SCHOOL})
    columns = ["--columns", "sex=F|M", "age=0..99/5", "school", "--hierarchies", folder / "trees", "--json"]
    code, told, _ = asked(capsys, "synthetic", table, *columns, "--rows", "30", "-o", folder / "made.csv")
    assert code == DONE
    assert (told["delta"], told["spent"]) == (1e-9, pytest.approx(1))
    assert len((folder / "made.csv").read_text(encoding="utf-8").splitlines()) == 31
    assert main(["verify", str(folder / "made.csv")]) == DONE
    pure = asked(capsys, "synthetic", table, *columns, "--noise", "laplace", "-o", folder / "pure.csv")
    assert (pure[0], pure[1]["delta"]) == (DONE, 0)
    learning = ["--target", "sex=F|M", "--columns", "age=0..99/5", "--epochs", "1", "--delta", "1e-6", "--json"]
    code, told, _ = asked(capsys, "learn", table, *learning, "-o", folder / "model.json")
    assert code == DONE
    assert told["delta"] == 1e-6
    assert set(json.loads((folder / "model.json").read_text(encoding="utf-8"))) >= {"layers", "classes", "python"}
    assert main(["verify", str(folder / "model.json")]) == DONE
    assert asked(capsys, "learn", table, "--target", "sex=F|M", "-o", folder / "x.json")[0] == BAD_CALL
    # Quotes around all of them make one column, whose values nobody has: nothing may be spent on that.
    assert asked(capsys, "synthetic", table, "--columns", "sex=F|M age=0..99/5", "-o", folder / "y.csv")[0] == BAD_CALL
