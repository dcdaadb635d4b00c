"""Files of the version before are good for this one: projects, certificates, ledgers, recipes.

All is done as users do it, by the command line and by the document behind the window, so that no test knows which
module reads what. `tests/data/earlier/README.md` tells what the files are.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.cli import main
from anonymizer_gui.ui.rooms.microdata.recipes import apply_recipe, read_recipe
from anonymizer_gui.workspace.document import Document
from tests.released_bytes import written_bytes

EARLIER = Path(__file__).resolve().parent / "data" / "earlier"
PROJECTS = sorted(path.stem for path in EARLIER.glob("*.anon") if path.stem != "recipe")
RELEASES = sorted(path.name.removesuffix(".release.json") for path in (EARLIER / "releases").glob("*.release.json"))
RELEASE_OF = {Path(name).stem: name for name in RELEASES}
TAKEN_IN_ANOTHER_ORDER = ("lecture_cluster", "study")
"""Best loss and clustering took rows as the source had them; now they sort them first, and find other classes."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a copy of the files: ledgers are written into, and projects leave a lock while they are open."""
    return Path(shutil.copytree(EARLIER, tmp_path / "earlier"))


@pytest.fixture
def document(qtbot: QtBot) -> Iterator[Document]:
    """Give an empty document whose jobs run at once."""
    made = Document(inline_jobs=True)
    yield made
    made.close()


def run(folder: Path, project: Path, release: str) -> Path:
    """Run a project by the command line; give the release."""
    out = folder / "new" / release
    out.parent.mkdir(exist_ok=True)
    assert main(["run", str(project), "-o", str(out), "--key", str(folder / "key")]) == 0
    return out


def is_same_release(one: Path, two: Path) -> bool:
    """Compare the bytes; other versions of its library write other Parquet files, so of those the cells."""
    if one.suffix == ".parquet":
        return pd.read_parquet(one).equals(pd.read_parquet(two))
    return written_bytes(one) == written_bytes(two)


def is_expected(name: str, made: Path) -> bool:
    """Tell whether a release is the earlier one, or where methods take rows in another order now, one that holds."""
    if name in TAKEN_IN_ANOTHER_ORDER:
        return main(["verify", str(made)]) == 0
    return is_same_release(made, EARLIER / "releases" / RELEASE_OF[name])


def test_the_files_are_there_and_of_the_earlier_version() -> None:
    assert len(PROJECTS) == 9
    assert set(PROJECTS) | {"first", "second", "third"} == set(RELEASE_OF)
    for path in EARLIER.glob("*.anon"):
        told = json.loads(path.read_text(encoding="utf-8"))
        assert (told["format"], told["version"]) == ("anonymizer project", 1)


@pytest.mark.parametrize("name", PROJECTS)
def test_an_earlier_project_runs_and_gives_the_release_it_gave(name: str, folder: Path) -> None:
    made = run(folder, folder / f"{name}.anon", RELEASE_OF[name])
    assert is_expected(name, made)
    assert main(["verify", str(made)]) == 0


@pytest.mark.parametrize("name", PROJECTS)
def test_an_earlier_project_opens_in_the_window_and_runs(name: str, folder: Path, document: Document) -> None:
    told = json.loads((folder / f"{name}.anon").read_text(encoding="utf-8"))
    document.open_project(folder / f"{name}.anon")
    assert [message.text for message in document.messages.open] == []
    assert document.project.name == told["name"]
    assert document.table is not None
    assert (document.population is None) is (told["population"] is None)
    assert not document.is_dirty
    document.run()
    assert len(document.releases) == 1
    assert [message.text for message in document.messages.open] == []


@pytest.mark.parametrize("name", PROJECTS)
def test_an_earlier_project_saved_by_this_version_gives_the_same(name: str, folder: Path, document: Document) -> None:
    document.open_project(folder / f"{name}.anon")
    assert document.save(folder / "saved.anon")
    made = run(folder, folder / "saved.anon", RELEASE_OF[name])
    assert is_expected(name, made)


def test_another_table_than_the_earlier_project_knew_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = folder / "lecture.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("Flu", "Heart", 1), encoding="utf-8")
    assert main(["run", str(folder / "lecture.anon"), "-o", str(folder / "out.csv")]) == 2
    assert "has changed" in capsys.readouterr().err


@pytest.mark.parametrize("name", RELEASES)
def test_an_earlier_certificate_verifies_its_release(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(folder / "releases" / name), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["holds"] is True
    assert told["differences"] == []


@pytest.mark.parametrize("name", [name for name in RELEASES if name.endswith(".csv")])
def test_an_earlier_certificate_finds_a_changed_release(name: str, folder: Path) -> None:
    release = folder / "releases" / name
    *lines, last = release.read_text(encoding="utf-8").splitlines()
    release.write_text("\n".join([*lines, last + "x"]) + "\n", encoding="utf-8")
    assert main(["verify", str(release)]) == 1


@pytest.mark.parametrize("name", RELEASES)
def test_an_earlier_certificate_that_was_changed_is_found(name: str, folder: Path) -> None:
    certificate = folder / "releases" / f"{name}.release.json"
    told = json.loads(certificate.read_text(encoding="utf-8"))
    told["release"]["created"] = "2001-01-01T00:00:00+00:00"
    certificate.write_text(json.dumps(told), encoding="utf-8")
    assert main(["verify", str(folder / "releases" / name)]) != 0


def third_release(folder: Path, *more: str) -> int:
    """Anonymize the third table beside the earlier ledger, as the first two were."""
    levels = ["--lowest", "zip=1,age=1", "--highest", "zip=1,age=1", "--algorithm", "bottom-up", "--k", "6", "--l", "2"]
    roles = ["--qi", "zip,age", "--sa", "condition", "--ei", "name", "--hierarchies", str(folder / "third_hierarchies")]
    files = ["-o", str(folder / "out.csv"), "--key", str(folder / "key"), "--ledger", str(folder / "ledger.sqlite")]
    return main(["anonymize", str(folder / "third.csv"), *roles, *levels, *files, *more])


def test_a_new_release_that_discloses_beside_the_earlier_ledger_is_stopped(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert third_release(folder) == 1
    told = capsys.readouterr().err
    assert "12 people are also in" in told
    assert "For 1 person only one value of “condition” is left." in told
    assert not (folder / "out.csv").exists()


def test_a_new_release_is_compared_with_every_entry_of_the_earlier_ledger_and_entered(folder: Path) -> None:
    lifted = ["--lowest", "zip=1,age=2", "--highest", "zip=1,age=2"]
    assert third_release(folder, *lifted, "--reason", "Jane agreed.") == 0
    assert "12 people are also in “Bottom-up (full-domain)”" in told_by_the_certificate(folder)
    assert "an earlier version kept no counts" in told_by_the_certificate(folder)
    assert third_release(folder, "--reason", "Jane agreed.") == 0
    assert "“third (out.csv)”" in told_by_the_certificate(folder)


def told_by_the_certificate(folder: Path) -> str:
    return (folder / "out.csv.release.json").read_text(encoding="utf-8")


def test_people_of_the_earlier_ledger_are_known_by_its_key_only(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "key").write_text("ab" * 32 + "\n", encoding="ascii")
    assert third_release(folder) == 1
    assert "another key" in capsys.readouterr().err


def test_an_earlier_recipe_is_applied_by_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "out.csv"
    words = ["run", str(folder / "recipe.anon"), "--table", str(folder / "hospital.csv"), "-o", str(out), "--json"]
    assert main([*words, "--key", str(folder / "key")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["k"] >= 4
    assert told["l"]["distinct"] >= 2
    assert main(["verify", str(out)]) == 0


def test_an_earlier_recipe_is_applied_in_the_window(folder: Path, document: Document) -> None:
    document.open_table(folder / "hospital.csv")
    recipe = read_recipe(document, folder / "recipe.anon")
    assert recipe is not None
    names = [column.name for column in document.project.schema.columns]
    apply_recipe(document, recipe, {name: name for name in names}, "Apply the recipe")
    assert [goal.name for goal in document.project.goals] == ["k", "l"]
    assert document.project.publishing.pseudonyms == (("name", "keyed"),)
    document.run()
    assert len(document.releases) == 1
    assert document.releases[0].measured.k >= 4
