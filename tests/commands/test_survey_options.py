"""Survey mode without a window: sampling weights, households, local suppression, in release, certificate and report."""

import json
from pathlib import Path

import pytest

from anonymizer_gui.cli import main

ROWS = ["age,sex,ill,w,home"]
ROWS += [f"{20 + i % 4},{'fm'[i % 2]},{'yes' if i % 3 else 'no'},{10 + i}.5,H{i // 3}" for i in range(24)]
ROWS += ["77,f,no,5,H9"]
ROLES = ["--qi", "age,sex", "--sa", "ill", "--agree", "w", "--leave-out", "home"]
SURVEY = ["--sampling-weight", "w", "--household", "home"]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    path.write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    return path


def made(table: Path, *options: str) -> dict[str, object]:
    """Make a release by local suppression and give its certificate."""
    out = table.with_name("out.csv")
    command = ["anonymize", str(table), "-o", str(out), *ROLES, "--algorithm", "local-suppression", *options]
    assert main(command) == 0
    told: dict[str, object] = json.loads(table.with_name("out.csv.release.json").read_text(encoding="utf-8"))
    assert main(["verify", str(out)]) == 0
    return told


def test_certificate_and_report_tell_of_the_survey(table: Path) -> None:
    told = made(table, "--k", "3", *SURVEY)
    fates = {column["name"]: column["published"] for column in told["columns"]}  # type: ignore[attr-defined]
    assert fates["w"] == "unchanged; says how many people a record stands for"
    assert fates["home"] == "left out; says which records are of one household"
    attacks = {attack["title"]: attack for attack in told["attacks_run"]}  # type: ignore[attr-defined]
    assert attacks["Individual risk (survey weights)"]["is_estimate"]
    assert attacks["Household risk"]["people"] == 25
    assert any("of 50 cells" in warning for warning in told["warnings"])  # type: ignore[attr-defined]
    report = table.with_name("out.csv.report.html").read_text(encoding="utf-8")
    assert "Attacks that were run" in report
    assert "Highest risk (prosecutor)" in report


def test_without_columns_of_a_survey_the_report_says_what_was_not_run(table: Path) -> None:
    told = made(table, "--k", "3")
    attacks = {attack["title"]: attack for attack in told["attacks_run"]}  # type: ignore[attr-defined]
    assert attacks["Individual risk (survey weights)"]["not_run"] == "Individual risk needs sampling weights."


def test_importance_and_the_limit_on_cells_are_options(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(table, "--k", "3", "--importance", "age=5")
    rows = table.with_name("out.csv").read_text(encoding="utf-8")
    assert "*" in rows
    command = ["anonymize", str(table), "-o", str(table.with_name("b.csv")), *ROLES, "--k", "3"]
    assert main([*command, "--algorithm", "local-suppression", "--cells", "0.001"]) == 1
    assert "Local suppression would empty" in capsys.readouterr().err


def test_k_for_subsets_is_an_option_and_verified(table: Path) -> None:
    told = made(table, "--subset-k", "3", "--subset-k-m", "1")
    promise = told["promises"][0]  # type: ignore[index]
    assert promise["sentence"] == "whoever knows any 1 column is left with at least 3 rows"
    assert promise["value"] >= 3


def test_a_column_that_is_not_there_is_refused(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["anonymize", str(table), "-o", str(table.with_name("b.csv")), *ROLES, "--k", "3"]
    assert main([*command, "--sampling-weight", "weight"]) == 2
    assert "no column “weight”" in capsys.readouterr().err


def test_measure_tells_risk_and_scores_of_a_survey(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", str(table), "--qi", "age,sex", "--risks", "--json", *SURVEY]) == 0
    risks = json.loads(capsys.readouterr().out)["risks"]
    assert risks["individual"]["value"] == pytest.approx(0.25 * 1.6094379, rel=1e-6)  # p / (1 - p) ln(1 / p), p = 1/5
    assert risks["household"]["details"]["households"] == 9
    assert risks["special-uniques"]["details"]["scores"]["24"]["columns"] == {"age": 1.0, "sex": 0.0}


def test_estimates_are_told_as_such(table: Path) -> None:
    told = made(table, "--estimated-k-map", "5", "--estimated-k-map-fraction", "0.1")
    assert told["promises"][0]["is_estimate"] is True  # type: ignore[index]
    report = table.with_name("out.csv.report.html").read_text(encoding="utf-8")
    assert "met by estimate, not proven" in report
    sentences = [check["sentence"] for check in told["checks"]]  # type: ignore[attr-defined]
    assert "Every goal holds for the table as it leaves; by estimate only: k-map (estimated)." in sentences


def test_a_column_without_a_single_weight_is_refused(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["anonymize", str(table), "-o", str(table.with_name("out.csv")), *ROLES, "--k", "3"]
    assert main([*command, "--sampling-weight", "home"]) == 2
    assert "“home” is no sampling weight" in capsys.readouterr().err
    assert not table.with_name("out.csv").exists()


def test_importance_that_is_no_number_is_refused_as_pairs(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["anonymize", str(table), "-o", str(table.with_name("out.csv")), *ROLES, "--k", "3"]
    assert main([*command, "--algorithm", "local-suppression", "--importance", "sex=zz"]) == 2
    assert "column=value pairs" in capsys.readouterr().err
