"""Two anonymous releases that disclose together, and pseudonyms, as a user of the command line meets them."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.engine.data.tables.io import read_table
from anonymizer_gui.engine.releases.ledger.releases import ReleaseLedger

Run = Callable[..., int]

JANE = ("Jane", "13012", "28", "AIDS")
FIRST = [
    JANE,
    ("a1", "13053", "29", "Heart"),
    ("a2", "13068", "21", "Viral"),
    ("a3", "13053", "23", "Viral"),
    ("b1", "13053", "50", "Cancer"),
    ("b2", "13053", "55", "Heart"),
    ("b3", "13068", "47", "Viral"),
    ("b4", "13068", "49", "Viral"),
    ("c1", "13053", "31", "Cancer"),
    ("c2", "13053", "37", "Cancer"),
    ("c3", "13068", "36", "Cancer"),
    ("c4", "13068", "35", "Cancer"),
]
SECOND = [
    JANE,
    ("d1", "13012", "24", "Tuberculosis"),
    ("d2", "13015", "31", "Flu"),
    ("d3", "13013", "22", "Tuberculosis"),
    ("d4", "13011", "34", "Cancer"),
    ("d5", "13012", "33", "Cancer"),
    ("e1", "13013", "35", "Cancer"),
    ("e2", "13015", "41", "Viral"),
    ("e3", "13012", "38", "Heart"),
    ("e4", "13015", "52", "Viral"),
    ("e5", "13013", "36", "Heart"),
    ("e6", "13012", "47", "Cancer"),
]
AGES = {
    "first": lambda age: "<30" if age < 30 else "3*" if age < 40 else ">=40",
    "second": lambda age: "<35" if age < 35 else ">=35",
}


@pytest.fixture
def release(tmp_path: Path) -> Run:
    """Give the call that writes a table with its hierarchies and anonymizes it."""

    def run(name: str, rows: Sequence[Sequence[str]], k: int, *more: str) -> int:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        lines = ["name,zip,age,condition", *(",".join(row) for row in rows)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
        ages = [f"{age};{AGES[name](age)};*" for age in range(20, 60)]
        (folder / "age.csv").write_text("\n".join(ages) + "\n")
        zips = [f"130{number:02d};130**;*" for number in range(100)]
        (folder / "zip.csv").write_text("\n".join(zips) + "\n")
        roles = ["--qi", "zip,age", "--sa", "condition", "--ei", "name", "--hierarchies", str(folder)]
        levels = ["--lowest", "zip=1,age=1", "--highest", "zip=1,age=1", "--algorithm", "bottom-up", "--k", str(k)]
        files = ["-o", str(tmp_path / f"{name}_out.csv"), "--key", str(tmp_path / "key")]
        return main(["anonymize", str(tmp_path / f"{name}.csv"), *roles, *levels, *files, *more])

    return run


def test_two_anonymous_releases_that_disclose_together_are_blocked_until_a_reason_is_given(
    release: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = ["--ledger", str(tmp_path / "ledger.sqlite")]
    assert release("first", FIRST, 4, *ledger) == 0
    published = read_table(tmp_path / "first_out.csv")[0]
    assert set(published.column("age").labels) == {"<30", "3*", ">=40"}
    assert set(published.column("zip").labels) == {"130**"}
    capsys.readouterr()
    assert release("second", SECOND, 6, "--l", "2", *ledger) == 1
    told = capsys.readouterr().err
    assert "1 person is also in “first (first_out.csv)”." in told
    assert "For 1 person only one value of “condition” is left." in told
    assert "For 6 people k-anonymity of “second” holds no longer." in told
    assert "For 4 people k-anonymity of “first (first_out.csv)” holds no longer." in told
    assert "Whoever is worst off has 1 value of “condition” left." in told
    assert not (tmp_path / "second_out.csv").exists()
    assert len(ReleaseLedger(tmp_path / "ledger.sqlite").entries()) == 1
    assert release("second", SECOND, 6, "--l", "2", *ledger, "--reason", "Jane agreed.") == 0
    certificate = json.loads((tmp_path / "second_out.csv.release.json").read_text(encoding="utf-8"))
    assert certificate["override"]["reason"] == "Jane agreed."
    assert len(ReleaseLedger(tmp_path / "ledger.sqlite").entries()) == 2


def test_a_person_who_is_certain_is_found_whatever_the_second_release_promises(
    release: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = ["--ledger", str(tmp_path / "ledger.sqlite")]
    assert release("first", FIRST, 4, *ledger) == 0
    shouted = [("JANE ", *SECOND[0][1:]), *SECOND[1:]]
    assert release("second", shouted, 2, "--t", "0.9", *ledger) == 1
    assert "For 1 person only one value of “condition” is left." in capsys.readouterr().err


def test_the_same_release_again_in_another_format_is_no_alarm(release: Run, tmp_path: Path) -> None:
    ledger = ["--ledger", str(tmp_path / "ledger.sqlite")]
    assert release("first", FIRST, 4, *ledger) == 0
    assert release("first", FIRST, 4, *ledger, "-o", str(tmp_path / "again.xlsx")) == 0
    told = json.loads((tmp_path / "again.xlsx.release.json").read_text(encoding="utf-8"))
    assert "Taken together the releases still keep what they promise." in told["meetings"]
    assert "Whoever is worst off has one value of “condition” left, as was known before." in told["meetings"]


def test_an_older_copy_of_the_ledger_is_found_by_the_certificates_beside_the_release(
    release: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ledger.sqlite"
    assert release("first", FIRST, 4, "--ledger", str(path)) == 0
    older = path.read_bytes()
    others = [("Jo", *SECOND[0][1:]), *SECOND[1:]]
    assert release("second", others, 6, "--ledger", str(path)) == 0
    certificate = json.loads((tmp_path / "second_out.csv.release.json").read_text(encoding="utf-8"))
    assert certificate["ledger"]["entries"] == 1
    path.write_bytes(older)
    assert release("second", others, 4, "--ledger", str(path), "-o", str(tmp_path / "third.csv")) == 2
    told = capsys.readouterr().err
    assert "does not know of “second_out.csv”" in told
    assert not (tmp_path / "third.csv").exists()


def test_the_second_release_leaves_when_it_is_of_other_people(release: Run, tmp_path: Path) -> None:
    ledger = ["--ledger", str(tmp_path / "ledger.sqlite")]
    assert release("first", FIRST, 4, *ledger) == 0
    others = [("Jo", *SECOND[0][1:]), *SECOND[1:]]
    assert release("second", others, 6, "--l", "2", *ledger) == 0


def test_pseudonyms_are_in_the_release_and_their_mapping_apart(release: Run, tmp_path: Path) -> None:
    mapping = tmp_path / "apart" / "mapping.csv"
    mapping.parent.mkdir()
    assert release("first", FIRST, 4, "--pseudonym", "name=keyed", "--mapping", str(mapping)) == 0
    names = set(read_table(tmp_path / "first_out.csv")[0].column("name").labels)
    known = read_table(mapping)[0]
    assert set(known.column("name (pseudonym)").labels) == names
    assert set(known.column("name").labels) == {row[0] for row in FIRST}
    assert mapping.stat().st_mode & 0o077 == 0
    assert "Jane" not in (tmp_path / "first_out.csv").read_text()


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--pseudonym", "name"], "--pseudonym needs COLUMN=WAY"),
        (["--pseudonym", "name=magic"], "--pseudonym needs COLUMN=WAY"),
        (["--pseudonym", "age=keyed"], "“age” is not an identifier"),
        (["--mapping", "m.csv"], "no pseudonyms to map"),
        (["--mapping", "{folder}/first_out.csv"], "“first_out.csv” would be written twice"),
    ],
)
def test_a_wrong_call_is_told(
    release: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], sentence: str
) -> None:
    assert release("first", FIRST, 4, *(word.format(folder=tmp_path) for word in more)) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "first_out.csv").exists()


def test_one_illness_in_two_spellings_is_one_value_left(
    release: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = ["--ledger", str(tmp_path / "ledger.sqlite")]
    spelled = [(*row[:3], "aids") if row[0] == "a1" else row for row in FIRST]
    others = [(*row[:3], "aids") if row[0] == "d1" else row for row in SECOND]
    assert release("first", spelled, 4, *ledger) == 0
    assert release("second", others, 6, *ledger) == 1  # AIDS and aids stand in both of Jane's classes
    assert "For 1 person only one value of “condition” is left." in capsys.readouterr().err
