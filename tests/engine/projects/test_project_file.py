"""Project files: what is saved comes back, and what is not a good project gets one sentence."""

import contextlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.errors import BadProject, UnwritableFile
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval
from anonymizer_gui.engine.projects import project_file
from anonymizer_gui.engine.projects.project_file import load_project, project_text, read_project, save_project
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.storage.keys import matches_mark
from anonymizer_gui.engine.storage.sources import Source
from tests.patience import WAIT_S

NAMES = st.text(min_size=1, max_size=8)


@st.composite
def projects(draw: st.DrawFn) -> Project:
    """Draw projects that use every field."""
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    columns = tuple(
        ColumnSchema(name, draw(st.sampled_from(ColumnType)), draw(st.text(max_size=3)), draw(st.sampled_from(Role)))
        for name in names
    )
    tree = Hierarchy(["*", "low", "high"], [-1, 0, 0], {1: Interval(0, 5), 2: Interval(5, 9, closed=True)})
    models = [model() for model in PRIVACY_MODELS]
    return Project(
        name=draw(st.text(max_size=10)),
        source=Source(draw(NAMES), "ab" * 32, {"delimiter": ";"}),
        schema=Schema(columns),
        hierarchies=dict.fromkeys(draw(st.lists(st.sampled_from(names), unique=True)), tree),
        goals=tuple(draw(st.lists(st.sampled_from(models), max_size=3))),
        algorithm=draw(st.sampled_from([None, *(algorithm() for algorithm in ALGORITHMS)])),
        suppression=draw(st.floats(0, 1)),
        weights={names[0]: draw(st.floats(0, 10))},
        bounds={names[0]: (0, draw(st.integers(0, 5)))},
        uneven=draw(st.sampled_from(["cap", "climb"])),
        seed=draw(st.integers(0, 2**63 - 1)),
        publishing=Publishing(draw(st.booleans()), pseudonyms=((names[0], "keyed"),)),
        acknowledged=tuple(names[:1]),
    )


@given(projects())
def test_a_project_comes_back_as_it_was(project: Project) -> None:
    assert project.source is not None
    saved = replace(project, hierarchies=project.saved_hierarchies(), source=replace(project.source, sha256=""))
    read = read_project(project_text(project).encode())
    assert read == saved
    assert matches_mark(read.source.mark, project.source.sha256)


@pytest.mark.parametrize(("role", "is_saved"), [(Role.QI, True), (Role.SA, True), (Role.OTHER, True), (Role.EI, False)])
def test_the_hierarchy_of_an_identifier_is_not_saved(role: Role, is_saved: bool) -> None:
    tree = Hierarchy.from_nested({"*": ["ZEBRA"]})
    project = Project(schema=Schema((ColumnSchema("name", role=role),)), hierarchies={"name": tree})
    assert ("ZEBRA" in project_text(project)) == is_saved


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no such modes")
def test_a_new_project_is_its_owners_alone_and_an_old_one_as_open_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "p.anon"
    save_project(Project(), path)
    modes = [path.stat().st_mode & 0o777]
    path.chmod(0o664)
    save_project(Project(name="again"), path)
    assert [*modes, path.stat().st_mode & 0o777] == [0o600, 0o664]


def test_a_table_beside_the_project_is_found_after_both_moved(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    (first / "data").mkdir(parents=True)
    save_project(Project(source=Source(str(first / "data" / "t.csv"))), first / "p.anon")
    assert str(tmp_path) not in (first / "p.anon").read_text()
    first.rename(second)
    source = load_project(second / "p.anon").source
    assert source is not None
    assert Path(source.path) == second / "data" / "t.csv"


def test_a_project_holds_no_cell_of_its_table() -> None:
    text = resource_path("samples", "hospital.anon").read_text(encoding="utf-8")
    rows = resource_path("samples", "hospital.csv").read_text(encoding="utf-8").splitlines()[1:]
    names_and_numbers = {cell for row in rows for cell in row.split(",")[:2]}
    assert [cell for cell in names_and_numbers if cell in text] == []


def good() -> dict[str, object]:
    """Give the entries of a small project that can be opened."""
    schema = Schema((ColumnSchema("age", ColumnType.INTEGER, "", Role.QI),))
    tree = Hierarchy.from_nested({"*": ["1", "2"]})
    entries: dict[str, object] = json.loads(project_text(Project(schema=schema, hierarchies={"age": tree})))
    return entries


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "something else"}, "not a project of this program"),
        ({"version": None}, "version is missing"),
        ({"version": True}, "version is missing"),
        ({"version": 999}, "newer version"),
        ({"extra": 1}, "“extra”"),
        ({"name": 7}, "“name”"),
        ({"columns": {}}, "“columns” is not a list"),
        ({"columns": [{"name": "a"}]}, "“columns”"),
        ({"columns": [{"name": "a", "type": "integer", "format": "", "role": "boss"}]}, "“columns”"),
        ({"goals": [{"name": "no such model", "parameters": {}}]}, "no privacy model"),
        ({"goals": [{"name": "k", "parameters": {"k": "many"}}]}, "“goals” is wrong"),
        ({"goals": [{"name": "k", "parameters": []}]}, "“goals”"),
        ({"goals": ["os.system"]}, "“goals”"),
        ({"algorithm": {"name": "__import__"}}, "no algorithm"),
        ({"suppression": 1.5}, "“suppression”"),
        ({"suppression": True}, "“suppression”"),
        ({"weights": {"age": -1}}, "“weights”"),
        ({"weights": {"stranger": 1}}, "“stranger”"),
        ({"bounds": {"age": [3, 1]}}, "“bounds”"),
        ({"bounds": {"age": [1]}}, "“bounds”"),
        ({"uneven": "sideways"}, "“uneven”"),
        ({"seed": 1.5}, "“seed”"),
        ({"seed": 1 << 70}, "“seed”"),
        ({"seed": -1}, "“seed”"),
        ({"source": {"path": 3}}, "“source”"),
        ({"source": {"path": "x", "run": "rm"}}, "“source”"),
        ({"publishing": {"escape_formulas": "no"}}, "“publishing”"),
        ({"publishing": {"surprise": 1}}, "“publishing”"),
        ({"acknowledged": [1]}, "“acknowledged”"),
        ({"hierarchies": {"age": {"label": "*", "children": ["1", "1"]}}}, "“hierarchies”"),
        ({"hierarchies": {"age": 5}}, "“hierarchies”"),
        ({"hierarchies": []}, "“hierarchies” is not an object"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_wrong_is_named_in_one_sentence(change: dict[str, object], words: str) -> None:
    content = json.dumps({**good(), **change}).encode()
    with pytest.raises(BadProject) as caught:
        read_project(content)
    assert words in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"PK\x03\x04",
        b"[1, 2",
        b"null",
        b'{"format": NaN}',
        b'{"format": "anonymizer project", "version": 1, "version": 1}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"format": ' + b"9" * 10_000 + b"}",
    ],
    ids=["empty", "no text", "zip", "cut off", "null", "NaN", "twice", "deep list", "deep object", "huge number"],
)
def test_what_is_no_project_gets_one_sentence(content: bytes) -> None:
    with pytest.raises(BadProject):
        read_project(content)


@given(st.data())
def test_a_damaged_byte_gives_a_project_or_a_sentence(data: st.DataObject) -> None:
    content = bytearray(json.dumps(good()).encode())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] = data.draw(st.integers(0, 255))
    with contextlib.suppress(BadProject):
        read_project(bytes(content))


def test_a_huge_file_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.anon"
    with path.open("wb") as file:
        file.truncate(project_file.LARGEST_BYTES + 1)
    with pytest.raises(BadProject, match="larger than"):
        load_project(path)


@pytest.mark.parametrize("name", ["missing.anon", "folder"])
def test_what_is_no_file_gets_a_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadProject, match=r"There is no file|is a folder"):
        load_project(tmp_path / name)


def test_a_nul_in_the_name_of_the_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.anon"
    path.write_text(json.dumps({**good(), "sources": {"table": {"path": "a\0b"}}}))
    with pytest.raises(BadProject, match="name of its table"):
        load_project(path)


def test_an_old_version_is_carried_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_file, "VERSION", 3)
    monkeypatch.setitem(project_file.MIGRATIONS, 2, lambda entries: {**entries, "name": "carried over"})
    assert read_project(json.dumps({**good(), "version": 2}).encode()).name == "carried over"


def test_a_search_that_ended_by_the_clock_is_opened_without_its_seconds() -> None:
    parameters = {"stop": "first-level", "nodes": 7, "checks": 8, "seconds": 60.0}
    old = {**good(), "version": 1, "algorithm": {"name": "bottom-up", "parameters": parameters}}
    assert read_project(json.dumps(old).encode()).algorithm == BottomUp("first-level", 7, 8)


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "p.anon"
    save_project(Project(name="old"), path)

    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UnwritableFile, match="disk is full"):
        save_project(Project(name="new"), path)
    assert load_project(path).name == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["p.anon"]


def test_a_killed_save_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "p.anon"
    save_project(Project(name="old"), path)
    program = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from anonymizer_gui.engine.rooms.microdata.project import Project\n"
        "from anonymizer_gui.engine.projects.project_file import save_project\n"
        "os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)\n"
        "save_project(Project(name='new'), Path(sys.argv[1]))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[3])}
    killed = subprocess.run([sys.executable, "-c", program, str(path)], env=environment, timeout=WAIT_S)
    assert killed.returncode != 0
    assert load_project(path).name == "old"


def test_a_hierarchy_nested_beyond_json_is_refused_when_saving(tmp_path: Path) -> None:
    deep = Hierarchy([str(depth) for depth in range(3000)], [depth - 1 for depth in range(3000)])
    schema = Schema((ColumnSchema("a", role=Role.QI),))
    with pytest.raises(UnwritableFile, match="too many levels"):
        save_project(replace(Project(schema=schema), hierarchies={"a": deep}), tmp_path / "p.anon")


@pytest.mark.parametrize("content", [b"{", b"{}", b'{"format": "anonymizer project", "version": 99}'])
def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "study.anon").write_bytes(content)
    with pytest.raises(BadProject, match=r"^“study.anon”: "):
        load_project(tmp_path / "study.anon")
