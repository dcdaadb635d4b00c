"""The commands of local differential privacy, called as people call them."""

import json
from pathlib import Path

import pytest

from anonymizer_gui.cli import main


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    colours = ["red"] * 500 + ["green"] * 300 + ["blue"] * 200
    rows = [f"{number},{colour},{20 + number % 40}" for number, colour in enumerate(colours)]
    path.write_text("\n".join(["id,colour,age", *rows]) + "\n", encoding="utf-8")
    return path


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_design_lists_protocols_and_the_best(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ldp", "design", "--values", "128", "--epsilon", "1", "--answers", "10000", "--json"]) == 0
    told = printed(capsys)
    assert told["best"] == "oue"
    by_name = {each["name"]: each for each in told["protocols"]}  # type: ignore[index, attr-defined]
    assert set(by_name) == {"grr", "oue", "olh", "sue"}
    assert {"name", "p", "q", "variance_per_answer", "bits"} <= set(by_name["oue"])
    assert by_name["oue"]["variance_per_answer"] == pytest.approx(3.682694, abs=1e-6)
    assert by_name["oue"]["bits"] == 128
    assert by_name["grr"]["p"] == pytest.approx(0.020955, abs=1e-6)
    assert main(["ldp", "design", "--values", "red,green,blue", "--epsilon", "1"]) == 0
    assert "smallest error" in capsys.readouterr().out
    assert main(["ldp", "design", "--number", "--epsilon", "4", "--json"]) == 0
    assert printed(capsys)["best"] == "piecewise"


@pytest.mark.parametrize("protocol", ["oue", "grr", "sue", "olh"])
def test_perturbed_answers_are_estimated(
    protocol: str, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "reports.jsonl"
    call = [
        "ldp",
        "perturb",
        str(table),
        "--column",
        "colour",
        "--protocol",
        protocol,
        "--epsilon",
        "3",
        "-o",
        str(out),
    ]
    assert main(call) == 0
    assert "read off the column" in capsys.readouterr().err
    assert main(["ldp", "estimate", str(out), "--json"]) == 0
    told = printed(capsys)
    assert told["n"] == 1000
    estimates = told["estimates"]
    assert isinstance(estimates, dict)
    assert isinstance(told["sd"], float)
    for value, true in {"red": 500, "green": 300, "blue": 200}.items():
        # At epsilon 3 the deviation of a count of 1,000 answers is at most 25: this is more than nine of them.
        assert abs(estimates[value] - true) < 240
    assert main(["ldp", "estimate", str(out)]) == 0
    assert "red" in capsys.readouterr().out


def test_a_mean_is_estimated_within_its_bounds(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "reports.jsonl"
    call = ["ldp", "perturb", str(table), "--column", "age", "--low", "0", "--high", "100", "--epsilon", "4"]
    assert main([*call, "-o", str(out)]) == 0
    assert main(["ldp", "estimate", str(out), "--json"]) == 0
    # The mean of 1,000 answers has a deviation below 1 at epsilon 4: this is more than eight of them.
    assert printed(capsys)["estimates"]["mean"] == pytest.approx(39.5, abs=8)  # type: ignore[index]


def test_two_runs_never_give_the_same_reports_and_the_table_is_not_overwritten(table: Path, tmp_path: Path) -> None:
    call = ["ldp", "perturb", str(table), "--column", "colour", "--values", "red,green,blue", "-o"]
    for name in ("a.jsonl", "b.jsonl"):
        assert main([*call, str(tmp_path / name)]) == 0
    assert (tmp_path / "a.jsonl").read_bytes() != (tmp_path / "b.jsonl").read_bytes()
    before = table.read_bytes()
    assert main([*call, str(table)]) == 2
    assert table.read_bytes() == before


def test_bad_calls_end_with_2_and_reports_that_never_count_with_1(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "r.jsonl")
    for call in (
        ["design"],
        ["design", "--values", "1"],
        ["design", "--values", "3", "--epsilon", "99"],
        ["perturb", str(table), "--column", "nothing", "-o", out],
        ["perturb", str(table), "--column", "colour", "--values", "red,green", "-o", out],
        ["perturb", str(table), "--column", "colour", "--protocol", "duchi", "-o", out],
        ["form", "Why?", "-o", out],
        ["estimate", str(table)],
    ):
        assert main(["ldp", *call]) == 2, call
    assert main(["ldp", "perturb", str(table), "--column", "colour", "-o", out]) == 0
    first = Path(out).read_text(encoding="utf-8").splitlines()[0]
    (tmp_path / "only.jsonl").write_text(first + "\nnonsense\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["ldp", "estimate", str(tmp_path / "only.jsonl")]) == 1
    assert "only.jsonl:2" in capsys.readouterr().err


def test_a_form_is_made_of_words_a_survey_a_project_or_one_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    form, survey, written = tmp_path / "form.html", tmp_path / "survey.json", tmp_path / "protocol.md"
    words = ["ldp", "form", "Do you <smoke>?", "--values", "yes,no", "--epsilon", "1", "-o", str(form)]
    assert main([*words, "--survey", str(survey), "--written", str(written)]) == 0
    page = form.read_text(encoding="utf-8")
    assert "Do you <smoke>" not in page
    assert "crypto.getRandomValues" in page
    assert all(word not in page for word in ("http://", "https://", "src=", "fetch(", "XMLHttpRequest"))
    assert "Client:" in written.read_text(encoding="utf-8")
    again = tmp_path / "again.html"
    assert main(["ldp", "form", str(survey), "-o", str(again)]) == 0
    assert again.read_bytes() == form.read_bytes()
    single = tmp_path / "one.json"
    single.write_text(json.dumps({"question": "Colour?", "values": ["red", "blue"], "protocol": "oue", "epsilon": 1}))
    assert main(["ldp", "form", str(single), "-o", str(again)]) == 0
    assert '"protocol": "oue"' in again.read_text(encoding="utf-8")
    single.write_text(json.dumps({"name": "colour", "text": "Which colour?", "values": ["red", "blue"]}))
    assert main(["ldp", "form", str(single), "-o", str(again)]) == 0
    assert "Which colour?" in again.read_text(encoding="utf-8")
    assert main(["ldp", "form", str(form), "-o", str(again)]) == 2
    capsys.readouterr()
