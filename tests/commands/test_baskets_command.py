"""The command `baskets`: its JSON, its exit codes, layouts, trees, rules, and what `verify` says of a release."""

import json
from pathlib import Path
from typing import Any

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.cli import main
from anonymizer_gui.commands.baskets import JSON_KEYS

KEYS = (
    "baskets", "items", "k", "m", "ncp", "values_left", "deleted", "smallest_support", "exposed_before",
    "exposed_after", "seconds",
)  # fmt: skip
MARKET = str(resource_path("samples", "market.basket"))


def called(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["baskets", *map(str, words)])
    told = capsys.readouterr()
    return code, told.out, told.err


def told(capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    code, out, _ = called(capsys, *words, "--json")
    assert code == 0
    return json.loads(out)


def levels(folder: Path) -> Path:
    """Write a tree as a table of levels: every item under its first letter."""
    items = sorted({item for line in Path(MARKET).read_text("utf-8").splitlines() for item in line.split(",")})
    path = folder / "levels.csv"
    path.write_text("\n".join(f"{item};{item[0].upper()} group;*" for item in items) + "\n", encoding="utf-8")
    return path


def test_the_json_has_exactly_the_agreed_keys(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = told(capsys, MARKET, "--k", 5, "--m", 2, "-o", tmp_path / "out.csv")
    assert tuple(found) == KEYS == JSON_KEYS
    assert (found["baskets"], found["k"], found["m"], found["exposed_after"]) == (1500, 5, 2, 0)
    assert found["smallest_support"] >= 5
    assert found["exposed_before"] > 100


@pytest.mark.parametrize("algorithm", ["aa", "aa-r", "delete", "cluster"])
def test_every_algorithm_leaves_a_release_that_verifies(
    algorithm: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    budget = ("--delete", 0.5) if algorithm in ("aa-r", "delete") else ()
    found = told(capsys, MARKET, "--hierarchy", levels(tmp_path), "--algorithm", algorithm, *budget, "-o", out)
    assert found["exposed_after"] == 0
    assert main(["verify", str(out)]) == 0
    out.write_text(out.read_text("utf-8").replace("\n", "\nhay\n", 1), encoding="utf-8")
    assert main(["verify", str(out)]) != 0


@pytest.mark.parametrize(
    ("layout", "name"), [("long", "o.csv"), ("matrix", "o.csv"), ("column", "o.txt"), ("lines", "o.json")]
)
def test_every_layout_leaves_and_verifies(
    layout: str, name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert called(capsys, MARKET, "--layout", layout, "-o", tmp_path / name)[0] == 0
    assert main(["verify", str(tmp_path / name)]) == 0


def test_whole_baskets_choose_clustering(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    four = resource_path("samples", "four_customers.basket")
    for way, left in (("delete", "aspirin,milk"), ("best", "aspirin,milk")):
        assert called(capsys, four, "--whole", 2, "--way", way, "-o", tmp_path / "o.csv")[0] == 0
        assert left in (tmp_path / "o.csv").read_text("utf-8").splitlines()


def test_whole_baskets_leave_no_other_promise_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    four = resource_path("samples", "four_customers.basket")
    code, out, _ = called(capsys, four, "--whole", 2, "--k", 3, "--m", 1, "-o", tmp_path / "o.csv")
    assert code == 0
    assert "k^m-anonymity" in out
    assert "k-anonymity of whole baskets" in out
    assert called(capsys, four, "--whole", 2, "--k", 5, "-o", tmp_path / "p.csv")[0] == 1


def test_rules_are_written_and_followed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rules = tmp_path / "rules.csv"
    first = told(capsys, MARKET, "-o", tmp_path / "a.csv", "--write-rules", rules)
    again = told(capsys, MARKET, "-o", tmp_path / "b.csv", "--rules", rules)
    assert again["values_left"] <= first["values_left"]
    assert again["exposed_after"] == 0


def test_the_best_tree_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = called(capsys, MARKET, "--tree", "best", "-o", tmp_path / "o.csv")
    assert code == 0
    assert "The best tree:" in err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--delete", "0", "--k", "1400"], 1),
        (["--m", "4"], 2),
        (["--algorithm", "aa", "--delete", "0.1"], 2),
        (["--sensitive", "nothing"], 2),
        (["--sensitive", "milk", "--l", "0"], 2),
        (["--read", "layout"], 2),
        (["--tree", "nonsense"], 2),
    ],
    ids=str,
)
def test_what_cannot_be_is_told_by_the_exit_code(
    words: list[str], code: int, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    found, _, err = called(capsys, MARKET, *words, "-o", tmp_path / "o.csv")
    assert found == code
    assert err
    assert not (tmp_path / "o.csv").exists()


def test_a_saved_project_runs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["run", str(resource_path("samples", "market.anon")), "-o", str(tmp_path / "o.csv"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["exposed_after"] == 0
    assert main(["verify", str(tmp_path / "o.csv")]) == 0
