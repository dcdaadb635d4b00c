"""No command of any room writes over what it reads, its key or its ledger, under whatever name."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.cli import main
from anonymizer_gui.engine.releases.signing import make_signing_key
from anonymizer_gui.engine.storage.keys import make_key
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.release.page import ScriptDialog
from anonymizer_gui.ui.rooms.baskets.output_panel import BasketsOutputPanel
from anonymizer_gui.ui.rooms.survey.collect_page import CollectPage
from anonymizer_gui.workspace.document import Document

SAMPLES = (
    "market.basket",
    "village.csv",
    "village_people.csv",
    "town.csv",
    "students.json",
    "practice.csv",
    "coins.csv",
)
BASKETS = ["baskets", "market.basket", "--k", "2"]
GRAPH = ["graph", "village.csv", "--k", "2"]
PLACES = ["places", "tracks", "town.csv", "--k", "2"]
TREES = ["trees", "students.json", "--k", "2"]
STATISTICS = ["statistics", "practice.csv", "--ask", "count", "--epsilon", "1", "--ledger", "ledger", "--budget", "5"]
SYNTHETIC = [
    "synthetic",
    "practice.csv",
    "--columns",
    "sex=F,M",
    "--epsilon",
    "1",
    "--ledger",
    "ledger",
    "--budget",
    "5",
]
LEARN = [
    "learn",
    "practice.csv",
    "--target",
    "sex=F|M",
    "--columns",
    "age=0:100",
    "--epsilon",
    "1",
    "--ledger",
    "ledger",
]
CALLS = {"baskets": BASKETS, "graph": GRAPH, "places": PLACES, "trees": TREES, "statistics": STATISTICS,
         "synthetic": SYNTHETIC, "learn": LEARN}  # fmt: skip
WRONG = [
    *([*call, "-o", place] for call in CALLS.values() for place in (call[2 if call[0] == "places" else 1], "link")),
    *([*call, "-o", "out.csv", "--sign", "out.csv.release.sig"] for call in CALLS.values()),
    *([*call, "-o", "ledger"] for call in (STATISTICS, SYNTHETIC, LEARN)),
    *([*call, "-o", "out.csv", "--key", "out.csv.release.json"] for call in (BASKETS, GRAPH, PLACES, TREES)),
    *([*call, "-o", "out.csv", "--key", "key", "--ledger", "key"] for call in (BASKETS, GRAPH, PLACES, TREES)),
    # What a room writes beside its first file counts, too.
    [*GRAPH, "-o", "out.csv", "--key", "out.nodes.csv"],
    ["places", "mix", "town.csv", "--k", "2", "-o", "out.csv", "--key", "out.mixes.csv"],
    [*BASKETS, "-o", "out.csv", "--write-rules", "market.basket"],
    [*BASKETS, "-o", "out.csv", "--write-rules", "out.csv"],
    [*GRAPH, "--nodes", "village_people.csv", "--id", "name", "-o", "village_people.csv"],
    ["ldp", "perturb", "coins.csv", "--column", "answer", "--epsilon", "1", "--values", "yes,no", "-o", "coins.csv"],
    ["ldp", "perturb", "coins.csv", "--column", "answer", "--epsilon", "1", "--values", "yes,no", "-o", "link"],
    ["hierarchy", "convert", "age.csv", "age.csv"],
    ["hierarchy", "convert", "age.csv", "link"],
    ["hierarchy", "build", "practice.csv", "age", "-o", "practice.csv"],
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder with samples, keys and a ledger, and be in it."""
    for name in SAMPLES:
        shutil.copy(resource_path("samples", name), tmp_path)
    tree = next(path for path in sorted(resource_path("samples", "hospital_hierarchies").iterdir()) if path.is_file())
    shutil.copy(tree, tmp_path / "age.csv")
    make_key(tmp_path / "key")
    make_signing_key(tmp_path / "out.csv.release.sig")
    for name in ("out.csv.release.json", "out.nodes.csv", "out.mixes.csv"):
        shutil.copy(tmp_path / "key", tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def document(qtbot: QtBot) -> Iterator[Document]:
    """Give an empty document whose jobs run at once."""
    made = Document(inline_jobs=True)
    yield made
    made.close()


def everything(folder: Path) -> dict[str, bytes]:
    """Give what lies in the folder, but for a ledger that is made by looking at it."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != "ledger"}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_call_that_would_destroy_ones_own_is_refused(
    folder: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    if "link" in words:
        read = next(word for word in words if (folder / word).is_file())
        os.link(folder / read, folder / "link")
    if words[words.index("-o") + 1 if "-o" in words else 0] == "ledger":
        assert main([*STATISTICS, "-o", "first.csv"]) == 0
    before = everything(folder)
    ledger = (folder / "ledger").read_bytes() if (folder / "ledger").exists() else b""
    assert main(words) == 2
    assert "would be" in capsys.readouterr().err
    assert everything(folder) == before
    assert not ledger or (folder / "ledger").read_bytes() == ledger


def test_a_file_of_an_earlier_release_that_is_read_by_now_stays(folder: Path) -> None:
    """What lies beside a release goes with it when another takes its place, unless somebody works with it."""
    assert main(["places", "mix", "town.csv", "--k", "2", "-o", "first.csv"]) == 0
    assert main(["baskets", "first.mixes.csv", "--read", "layout=lines", "--k", "1", "-o", "first.csv"]) == 0
    assert (folder / "first.mixes.csv").is_file()


@pytest.mark.parametrize("name", CALLS)
def test_an_ordinary_call_is_not_refused_for_its_files(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main([*CALLS[name], "-o", "fine.json" if name == "trees" else "fine.csv"])
    assert "would be overwritten" not in capsys.readouterr().err


def test_nothing_a_page_writes_replaces_the_data(folder: Path, document: Document, qtbot: QtBot) -> None:
    document.open_project(resource_path("samples", "market.anon"), as_copy=True)
    document.run()
    source = Path(document.project.source.path)
    panel = BasketsOutputPanel(document)
    for widget in (panel.what, panel.how, panel.figures, *panel.buttons):
        qtbot.addWidget(widget)
    panel.show_project(document.selected)
    before = source.read_bytes()
    panel.write_rules(source)
    assert "would be overwritten" in document.messages.open[-1].text
    page = HierarchiesPage(document)
    qtbot.addWidget(page)
    page.sources.export_file(next(iter(document.project.hierarchies)), source, "level-table")
    assert "would be overwritten" in document.messages.open[-1].text
    dialog = ScriptDialog("Script", "print()", "x.py", own=[source])
    qtbot.addWidget(dialog)
    dialog.save(str(source))
    assert "would be overwritten" in dialog.note.label.text()
    assert source.read_bytes() == before


def test_a_form_is_not_written_over_the_answers(folder: Path, document: Document, qtbot: QtBot) -> None:
    document.open_project(resource_path("samples", "coins.anon"), as_copy=True)
    page = CollectPage(document)
    qtbot.addWidget(page)
    source = Path(document.project.source.path)
    before = source.read_bytes()
    page.write(source, lambda _collection: "form")
    assert "would be overwritten" in document.messages.open[-1].text
    assert source.read_bytes() == before
