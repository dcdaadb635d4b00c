"""`anonymizer-gui measure` on files, ours or another tool's."""

import json
from collections import Counter
from pathlib import Path

import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.commands.table_options import goal_option_name
from anonymizer_gui.engine.core.params import params_of
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS
from tests.made_adult import make_adult

ROWS = ["zip,age,disease", "130**,<30,Heart", "130**,<30,Flu", "148**,>40,Cancer", "148**,>40,Cancer"]
COMMAND = ["--qi", "zip,age", "--sa", "disease"]


@pytest.fixture
def released(tmp_path: Path) -> Path:
    path = tmp_path / "released.csv"
    path.write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    return path


def test_one_json_object_is_printed(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", str(released), *COMMAND, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["rows"], printed["classes"], printed["k"], printed["l"]["distinct"]) == (4, 2, 2, 1)


def test_a_readable_table_is_printed_without_json(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", str(released), *COMMAND]) == 0
    printed = capsys.readouterr().out
    assert "l, distinct" in printed
    assert "l, recursive (c = 2)" in printed


def test_a_goal_that_does_not_hold_is_exit_1(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", str(released), *COMMAND, "--k", "2"]) == 0
    assert main(["measure", str(released), *COMMAND, "--k", "3"]) == 1
    assert "FAILS" in capsys.readouterr().out


def test_a_goal_takes_its_other_parameters(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--t", "0.9", "--t-distance", "variational", "--json"]
    assert main(["measure", str(released), *COMMAND, *options]) == 0
    goal = json.loads(capsys.readouterr().out)["goals"][0]
    assert goal["parameters"]["distance"] == "variational"


@pytest.mark.parametrize("goal", ["--t", "--n-t"])
def test_the_alphabet_is_no_order(goal: str, released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    by_order = [goal, "0.9", f"{goal}-distance", "emd-ordered"]
    assert main(["measure", str(released), *COMMAND, *by_order]) == 2
    assert "“disease” has no order" in capsys.readouterr().err
    assert main(["measure", str(released), *COMMAND, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert "emd_ordered" not in told["t"]
    assert "emd_ordered" not in told["per_sensitive"]["disease"]["t"]
    assert told["t"]["emd"] == told["t"]["emd_equal"]


def test_numbers_and_a_hierarchy_have_an_order(
    tmp_path: Path, released: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "disease.csv").write_text("Flu;*\nHeart;*\nCancer;*\n", encoding="utf-8")
    by_order = ["--t", "0.9", "--t-distance", "emd-ordered"]
    assert main(["measure", str(released), *COMMAND, *by_order, "--hierarchies", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["t"]["emd_ordered"] == pytest.approx(0.375)
    path = tmp_path / "pay.csv"
    path.write_text("zip,pay\n1,10\n1,20\n2,20\n2,30\n", encoding="utf-8")
    assert main(["measure", str(path), "--qi", "zip", "--sa", "pay", *by_order, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["t"]["emd_ordered"] == pytest.approx(0.25)


def test_a_distribution_of_ones_own_is_never_passed_over(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = ["--t", "9", "--t-distribution", "Heart=1,Flu=1,Cancer=2"]
    assert main(["measure", str(released), *COMMAND, *own]) in (0, 1)
    assert "a given distribution" in capsys.readouterr().out
    assert main(["measure", str(released), *COMMAND, *own, "--t-reference", "input"]) == 2
    assert "--t-distribution says nothing beside --t-reference input." in capsys.readouterr().err


def test_the_name_of_a_column_does_not_touch_its_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "out.csv"
    path.write_text("zip,occupation of the year\n1,a\n1,b\n", encoding="utf-8")
    assert main(["measure", str(path), "--qi", "zip", "--sa", "occupation of the year", "--k", "2"]) == 0
    assert "largest share, occupation of the year 50.0%\n" in capsys.readouterr().out


def test_loss_is_measured_with_a_folder_of_hierarchies(
    released: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "hierarchies"
    folder.mkdir()
    (folder / "zip.csv").write_text("13001;130**;*\n13002;130**;*\n14801;148**;*\n", encoding="utf-8")
    (folder / "age.csv").write_text("20;<30;*\n21;<30;*\n50;>40;*\n", encoding="utf-8")
    assert main(["measure", str(released), *COMMAND, "--hierarchies", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lm"] == pytest.approx(0.25)


def test_rows_the_original_has_more_count_as_suppressed(
    released: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    original = tmp_path / "original.csv"
    original.write_text("\n".join([*ROWS, "99999,1,Flu"]) + "\n", encoding="utf-8")
    assert main(["measure", str(released), *COMMAND, "--original", str(original), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["suppressed"], printed["lm"]) == (1, pytest.approx(1 / 5))


def test_ranges_and_masks_of_another_tool_are_measured_against_the_original(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    original, released = tmp_path / "original.csv", tmp_path / "theirs.csv"
    original.write_text("zip,age\n13053,20\n13068,25\n14850,31\n14853,40\n14853,50\n", encoding="utf-8")
    released.write_text('zip,age\n130**,"[20, 30["\n130**,20-29\n*,>=30\n*,>=30\n*,*\n', encoding="utf-8")
    command = ["measure", str(released), "--qi", "zip,age", "--original", str(original), "--json"]
    assert main(command) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["lm_columns"]["zip"] == pytest.approx((2 * (2 - 1) / 3 + 3) / 5)
    assert printed["lm_columns"]["age"] == pytest.approx((2 * (2 - 1) / 4 + 2 * (3 - 1) / 4 + 1) / 5)


def test_a_label_that_nothing_explains_is_told_in_one_sentence(
    released: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    original = tmp_path / "original.csv"
    original.write_text("zip,age,disease\n" + "13053,young,Flu\n" * 4, encoding="utf-8")
    assert main(["measure", str(released), *COMMAND, "--original", str(original)]) == 2
    assert "among the values of the original" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("roles", "told"),
    [
        (["--qi", ""], "No column is a quasi-identifier."),
        (["--qi", "zip,zip"], "“zip” is named twice."),
        (["--qi", "zip", "--sa", "zip"], "“zip” is named twice."),
        (["--qi", "zip", "--sa", "disease,disease"], "“disease” is named twice."),
        (["--qi", "zip", "--weights", "age=2"], "“age” has a weight, but is no quasi-identifier."),
        (["--qi", "zip", "--t", "0.2"], "The goal needs a sensitive column."),
        (["--qi", "zip", "--k-map", "2"], "The goal needs a population table."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_roles_that_cannot_be_meant_are_exit_2(
    roles: list[str], told: str, released: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["measure", str(released), *roles]) == 2
    assert told in capsys.readouterr().err


def test_a_table_of_a_header_only_is_measured_but_holds_no_goal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "nothing.csv"
    path.write_text(ROWS[0] + "\n", encoding="utf-8")
    assert main(["measure", str(path), *COMMAND, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["rows"], printed["k"], printed["l"]["distinct"], printed["risk"]["highest"]) == (0, 0, 0, 0)
    assert main(["measure", str(path), *COMMAND, "--k", "2"]) == 2
    assert "no rows" in capsys.readouterr().err


def test_an_unknown_column_is_exit_2_with_the_names_there_are(
    released: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["measure", str(released), "--qi", "town"]) == 2
    told = capsys.readouterr()
    assert "“town”" in told.err
    assert told.out == ""


def test_a_parameter_without_its_goal_is_exit_2(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", str(released), *COMMAND, "--t-distance", "kl"]) == 2
    assert "--t" in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--k", "0"], ["--t", "much"], ["--weights", "zip"]], ids=" ".join)
def test_a_bad_value_is_exit_2_with_the_rule(
    options: list[str], released: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["measure", str(released), *COMMAND, *options]) == 2
    assert "must be" in capsys.readouterr().err


def test_every_parameter_of_every_model_has_an_option_of_its_own() -> None:
    options = [goal_option_name(model, declared) for model in PRIVACY_MODELS for declared in params_of(model)]
    assert len(set(options)) == len(options)
    assert {"--k", "--l", "--t", "--t-distance", "--alpha-k", "--alpha-k-k", "--recursive-l-c"} <= set(options)


def test_the_adult_table_has_the_k_that_can_be_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_adult(tmp_path)
    table = folder / "adult.csv"
    people = Counter(tuple(line.split(";")[:3:2]) for line in table.read_text(encoding="utf-8").splitlines()[1:])
    command = [
        "measure",
        str(table),
        "--qi",
        "sex,race",
        "--sa",
        "salary-class",
        "--hierarchies",
        str(folder),
        "--json",
    ]
    assert main(command) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["rows"], printed["classes"], printed["lm"]) == (2000, len(people), 0.0)
    assert printed["k"] == min(people.values())


def test_utility_and_attacks_are_told_when_asked_for(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--original", str(released), "--metrics", "--risks", "--outside", str(released), "--json"]
    assert main(["measure", str(released), *COMMAND, *more]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["metrics"]["discernibility"]["value"] == 8
    assert "--same-order" in printed["metrics"]["md"]["skipped"]
    assert printed["risks"]["homogeneity"]["hit"] == 2
    assert "population" in printed["risks"]["journalist"]["skipped"]


def test_rows_in_the_same_order_are_compared_one_by_one(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--original", str(released), "--metrics", "--same-order"]
    assert main(["measure", str(released), *COMMAND, *more]) == 0
    assert "precision             1\n" in capsys.readouterr().out


def test_utility_without_the_original_is_exit_2(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", str(released), *COMMAND, "--metrics"]) == 2
    assert "--original" in capsys.readouterr().err


def test_missing_is_no_value_unless_it_is_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "released.csv"
    path.write_text("zip,disease\n" + "1,HIV\n" * 4 + '1,""\n', encoding="utf-8")
    command = ["measure", str(path), "--qi", "zip", "--sa", "disease", "--l", "2", "--json"]
    assert main(command) == 1
    assert json.loads(capsys.readouterr().out)["l"]["distinct"] == 1
    assert main([*command, "--l-missing", "yes"]) == 0


def test_metrics_heed_the_weights_and_md_the_original(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    original, released, folder = tmp_path / "original.csv", tmp_path / "released.csv", tmp_path / "trees"
    original.write_text("zip,age\n11,1\n12,2\n", encoding="utf-8")
    released.write_text("zip,age\n1*,1\n1*,2\n", encoding="utf-8")
    folder.mkdir()
    (folder / "zip.csv").write_text("11;1*;*\n12;1*;*\n21;2*;*\n", encoding="utf-8")
    (folder / "age.csv").write_text("1;*\n2;*\n", encoding="utf-8")
    command = ["measure", str(released), "--qi", "zip,age", "--original", str(original), "--hierarchies", str(folder)]
    assert main([*command, "--metrics", "--same-order", "--weights", "zip=3,age=1", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["lm"] == pytest.approx(0.75 / 2)
    assert printed["metrics"]["lm"]["value"] == pytest.approx(printed["lm"])
    assert printed["metrics"]["md"]["value"] == printed["md"] == 2


def test_classes_are_compared_with_what_the_goal_says(
    released: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    original = tmp_path / "original.csv"
    original.write_text("\n".join([*ROWS, "1,1,Cancer", "1,1,Cancer"]) + "\n", encoding="utf-8")
    command = ["measure", str(released), *COMMAND, "--t", "0.5", "--json", "--original", str(original)]

    def reached(*more: str) -> float:
        main([*command, *more])
        value: float = json.loads(capsys.readouterr().out)["goals"][0]["value"]
        return value

    assert reached() == pytest.approx(0.5)
    assert reached("--t-reference", "input") == pytest.approx(2 / 3)
    assert reached("--t-reference", "own", "--t-distribution", "Heart=1,Flu=2,Gout=1") == pytest.approx(1)
    assert main([*command[:-2], "--t-reference", "input"]) == 2
    assert "Give the original table, too." in capsys.readouterr().err
    assert main([*command, "--t-reference", "own"]) == 2
    assert main([*command, "--t-reference", "own", "--t-distribution", "Heart"]) == 2


def test_the_sentence_of_a_goal_names_what_classes_are_compared_with(
    released: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in ("--t", "--beta", "--enhanced-beta", "--delta-disclosure"):
        assert main(["measure", str(released), *COMMAND, option, "9"]) in (0, 1)
        assert "the published rows" in capsys.readouterr().out
        own = [f"{option}-reference", "own", f"{option}-distribution", "Heart=1,Flu=1,Cancer=2"]
        assert main(["measure", str(released), *COMMAND, option, "9", *own]) in (0, 1)
        assert "a given distribution" in capsys.readouterr().out


def test_exposed_rows_of_any_table_with_sets_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f'{30 + at % 2},"{{tea, milk}}"' for at in range(12)] + ['30,"{tea, rye}"', "31,{}"]
    (tmp_path / "out.csv").write_text("\n".join(["age,takes", *rows]) + "\n", encoding="utf-8")
    call = ["measure", str(tmp_path / "out.csv"), "--qi", "age", "--set", "takes"]
    assert main([*call, "--json", "--risks"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["exposed"] == {"rows": 1, "share": 1 / 14, "k": 5, "m": 2, "fewest": 1}
    assert (told["risks"]["items"]["value"], told["risks"]["items"]["hit"]) == (1.0, 1)
    assert main([*call, "--k-km", "8", "--k-km-m", "1", "--k-km-rows", "7", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["exposed"] == {"rows": 14, "share": 1.0, "k": 8, "m": 1, "fewest": 1}
    assert main([*call[:-1], "age"]) == 2
    assert "“age” is named twice." in capsys.readouterr().err


@pytest.mark.parametrize("k", [2, 3])
def test_alpha_k_asks_for_k_rows_however_large_alpha_is(
    k: int, released: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--alpha-k", "1", "--alpha-k-k", str(k), "--json"]
    assert main(["measure", str(released), *COMMAND, *asked]) == (0 if k == 2 else 1)
    goal = json.loads(capsys.readouterr().out)["goals"][0]
    assert (goal["value"], goal["holds"]) == (1.0, k == 2)
