"""The command line shows, checks, converts and builds hierarchies."""

from pathlib import Path

import pytest

from anonymizer_gui import cli
from anonymizer_gui.engine.hierarchy.files import read_hierarchy

LEVELS = "Italy;Europe;*\nSpain;Europe;*\nMars;*\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with a table and the hierarchy of its column."""
    (tmp_path / "land.csv").write_text(LEVELS)
    (tmp_path / "table.csv").write_text("land,age\nItaly,31\nSpain,37\nSpain,44\n")
    return tmp_path


def run(*arguments: object) -> int:
    return cli.main(["hierarchy", *map(str, arguments)])


@pytest.mark.parametrize(("uneven", "line"), [("cap", "Mars     Mars     *"), ("climb", "Mars     *        *")])
def test_show_prints_the_levels_really_used(
    folder: Path, capsys: pytest.CaptureFixture[str], uneven: str, line: str
) -> None:
    assert run("show", folder / "land.csv", "--uneven", uneven) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "3 values, 2 groups, 2 levels above the values"
    assert printed[-1] == line


def test_show_stops_at_the_limit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", folder / "land.csv", "--limit", 1) == 0
    assert capsys.readouterr().out.endswith("... and 2 more values\n")


def test_check_accepts_what_fits(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", folder / "land.csv", folder / "table.csv") == 0
    assert "places without values: Mars" in capsys.readouterr().out


def test_check_says_no_to_what_does_not_fit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "land.csv").write_text("Italy;*\nspain;*\n")
    assert run("check", folder / "land.csv", folder / "table.csv") == 1
    printed = capsys.readouterr().out
    assert "without a place: Spain (2)" in printed
    assert "differ in case only: Spain / spain" in printed


def test_check_of_a_folder_lists_every_column(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", folder, folder / "table.csv") == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[1].split()[:3] == ["land", "land.csv", "matched"]
    assert printed[2].split() == ["age", "missing"]


def test_convert_writes_the_format_of_the_suffix(folder: Path) -> None:
    assert run("convert", folder / "land.csv", folder / "land.txt") == 0
    assert (folder / "land.txt").read_text() == "*\n\tEurope\n\t\tItaly\n\t\tSpain\n\tMars\n"


def test_check_lists_labels_that_stand_twice_with_their_rows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "land.csv").write_text("Italy;Europe;*\nSpain;Europe;*\nSpain;Spanish;*\nPeru;Spanish;*\n")
    assert run("check", folder / "land.csv", folder / "table.csv") == 1
    printed = capsys.readouterr()
    assert "stand twice: Spain (line 2 in * / Europe; line 3 in * / Spanish; 2 rows)" in printed.out
    assert "convert land.csv OUT --repair" in printed.err


def test_convert_mends_labels_that_stand_twice_only_when_asked(folder: Path) -> None:
    (folder / "land.csv").write_text("Italy;Europe;*\nItaly;Latin;*\nSpain;Latin;*\n")
    assert run("convert", folder / "land.csv", folder / "out.csv") == 2
    assert not (folder / "out.csv").exists()
    assert run("convert", folder / "land.csv", folder / "out.csv", "--repair") == 0
    assert (folder / "out.csv").read_text() == "Italy;Europe;*\nSpain;Latin;*\n"


def test_check_of_a_folder_reads_dates_as_a_run_would(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "born.csv").write_text("born\n31.12.1999\n01.02.2001\n13.03.2002\n")
    nodes = (
        '{"label": "20th", "interval": {"low": null, "high": 730120}}, {"label": "21st", "interval": {"low": 730120}}'
    )
    (folder / "born.json").write_text(f'{{"label": "*", "children": [{nodes}]}}')
    (folder / "trees").mkdir()
    (folder / "born.json").rename(folder / "trees" / "born.json")
    assert run("check", folder / "trees", folder / "born.csv") == 0
    assert "matched" in capsys.readouterr().out


def test_counts_of_one_are_said_in_the_singular(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "land.csv").write_text("Italy;*\nMars;*\n")
    run("check", folder / "land.csv", folder / "table.csv")
    run("show", folder / "land.csv", "--limit", 1)
    printed = capsys.readouterr().out
    assert "1 value (2 rows) has no place. 1 place has no value." in printed
    assert "2 values, 1 group, 1 level above the values" in printed
    assert "... and 1 more value\n" in printed


def test_build_writes_a_hierarchy_with_the_parameters_set(folder: Path) -> None:
    arguments = ["build", folder / "table.csv", "age", "--with", "intervals", "--set", "width=5", "--set", "fan_out=2"]
    assert run(*arguments, "-o", folder / "age.json") == 0
    assert "35-39" in read_hierarchy(folder / "age.json").labels


def test_build_without_a_file_shows_the_levels(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("build", folder / "table.csv", "land", "--with", "flat") == 0
    assert capsys.readouterr().out.splitlines()[0] == "level 0, 2 labels, LM 0.0000: Italy (1), Spain (2)"


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "nowhere.csv"],
        ["build", "table.csv", "age", "--set", "width"],
        ["build", "table.csv", "age", "--with", "magic"],
        ["build", "table.csv", "height"],
        ["convert", "land.csv", "out.csv", "--to", "magic"],
        ["dance"],
    ],
)
def test_a_bad_call_exits_with_two(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.chdir(folder)
    assert run(*arguments) == 2
    assert capsys.readouterr().err
