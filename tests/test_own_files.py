"""Nothing of one's own is overwritten: no output is an input, key or ledger, under whatever name."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import BadParameter, UnwritableFile
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.signing import make_signing_key
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.storage.keys import make_key
from anonymizer_gui.engine.storage.saving import write_text
from anonymizer_gui.engine.storage.sources import refuse_overwrite
from anonymizer_gui.workspace.document import Document
from tests.engine.rooms.microdata.making import hospital_release

ANONYMIZE = ["--ei", "name", "--qi", "zip,age", "--sa", "disease", "--k", "2"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with the lecture sample, keys, a ledger, and further names of the table."""
    for name in ("lecture.anon", "lecture.csv"):
        shutil.copy(resource_path("samples", name), tmp_path)
    shutil.copytree(resource_path("samples", "lecture_hierarchies"), tmp_path / "lecture_hierarchies")
    make_key(tmp_path / "key")
    make_signing_key(tmp_path / "sign.pem")
    (tmp_path / "symlink.csv").symlink_to("lecture.csv")
    os.link(tmp_path / "lecture.csv", tmp_path / "hardlink.csv")
    os.link(tmp_path / "key", tmp_path / "out2.csv.report.html")
    shutil.copy(tmp_path / "sign.pem", tmp_path / "out3.csv.inside.json")
    (tmp_path / "ledger-journal").write_text("journal")
    return tmp_path


@pytest.fixture
def document(qtbot: QtBot) -> Iterator[Document]:
    made = Document(inline_jobs=True)
    yield made
    made.close()


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def anonymize(*more: str) -> list[str]:
    return ["anonymize", "lecture.csv", *ANONYMIZE, *more]


def run(*more: str) -> list[str]:
    return ["run", "lecture.anon", *more]


@pytest.mark.parametrize(
    "words",
    [
        anonymize("-o", "lecture.csv"),
        anonymize("-o", "./lecture_hierarchies/../lecture.csv"),
        anonymize("-o", "symlink.csv"),
        anonymize("-o", "hardlink.csv"),
        anonymize("-o", "out.csv", "--population", "out.csv"),
        anonymize("-o", "lecture_hierarchies/age.csv", "--hierarchies", "lecture_hierarchies"),
        anonymize("-o", "out.csv", "--mapping", "symlink.csv"),
        anonymize("-o", "out.csv", "--mapping", "out.csv.release.json"),
        anonymize("-o", "out.csv", "--key", "out.csv.release.json"),
        anonymize("-o", "out.csv", "--key", "out.csv.release.json.new"),
        anonymize("-o", "out2.csv", "--key", "key"),
        anonymize("-o", "out3.csv", "--sign", "out3.csv.inside.json"),
        anonymize("-o", "key", "--key", "key"),
        anonymize("-o", "out.csv", "--ledger", "out.csv.report.html", "--key", "key"),
        anonymize("-o", "ledger-journal", "--ledger", "ledger", "--key", "key"),
        anonymize("-o", "out.csv", "--ledger", "key", "--key", "key"),
        run("-o", "lecture.csv"),
        run("-o", "symlink.csv"),
        run("-o", "hardlink.csv"),
        run("-o", "lecture.anon"),
        run("-o", "out.csv", "--mapping", "lecture.csv"),
        run("-o", "out.csv", "--sign", "out.csv.release.sig"),
    ],
    ids=" ".join,
)
def test_a_call_that_would_destroy_ones_own_is_refused_before_anything_happens(
    folder: Path, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    if "lecture_hierarchies/age.csv" in words:
        words[words.index("lecture_hierarchies/age.csv")] = str(next((folder / "lecture_hierarchies").iterdir()))
    before = everything(folder)
    assert main(words) == 2
    told = capsys.readouterr().err
    assert "would be" in told
    assert everything(folder) == before


def test_an_ordinary_call_is_not_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert main(run("-o", "out.csv", "--sign", "sign.pem")) == 0
    assert main(run("-o", "out.csv", "--sign", "sign.pem")) == 0  # a release may replace a release


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/null")


@pytest.mark.parametrize("make", [fifo, device])
@pytest.mark.parametrize("suffix", ["", ".report.html", ".release.json"])
def test_devices_and_pipes_are_left_alone(tmp_path: Path, make: Callable[[Path], None], suffix: str) -> None:
    place = tmp_path / f"out.csv{suffix}"
    make(place)
    release, original = hospital_release()
    with pytest.raises(UnwritableFile, match="not an ordinary file"):
        export(prepare_candidate(release, original, Safeguards()), tmp_path / "out.csv")
    assert not place.is_file()
    with pytest.raises(UnwritableFile, match="not an ordinary file"):
        write_text(place, "text")


def test_files_are_compared_by_themselves(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("1")
    os.link(tmp_path / "one", tmp_path / "two")
    refuse_overwrite([tmp_path / "three"], [tmp_path / "one"])
    for name in ("one", "two"):
        with pytest.raises(BadParameter, match="would be overwritten"):
            refuse_overwrite([tmp_path / name], [tmp_path / "one"])
    with pytest.raises(BadParameter):
        refuse_overwrite([tmp_path / "x" / ".." / "new"], [tmp_path / "new"])


def test_a_project_is_saved_over_neither_table_nor_key(document: Document, folder: Path) -> None:
    document.open_project(folder / "lecture.anon")
    document.set_safeguards(key_file=str(folder / "key"))
    before = everything(folder)
    for name in ("lecture.csv", "symlink.csv", "key"):
        assert not document.save(folder / name)
    assert everything(folder) == before
    assert "would be overwritten" in document.messages.open[-1].text


def test_a_project_that_another_has_saved_meanwhile_is_overwritten_only_after_a_question(
    folder: Path, document: Document
) -> None:
    path = folder / "lecture.anon"
    document.open_project(path)
    other = path.read_text(encoding="utf-8").replace('"seed": ', '"seed": 1')
    path.write_text(other, encoding="utf-8")
    document.edit("Name it", name="mine")
    assert not document.save(path)
    assert document.is_dirty
    assert path.read_text(encoding="utf-8") == other
    (message,) = [m for m in document.messages.open if m.key == "changed elsewhere"]
    message.actions[0][1]()
    assert not document.is_dirty
    assert '"mine"' in path.read_text(encoding="utf-8")
    document.edit("Name it again", name="mine again")
    assert document.save(path)
