"""Damaged files of every room: projects, what they are about, releases, certificates and inside copies.

Each is opened, or refused in one sentence, soon.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import anonymizer_gui.engine as anonymizer
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.projects.opening import open_project
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.releases.certificate import PRIVATE_COPY
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import room_names, room_of
from anonymizer_gui.engine.storage import safe_open
from anonymizer_gui.engine.storage.keys import make_key
from anonymizer_gui.engine.storage.sources import Source
from tests.contract.room_samples import sample_of
from tests.engine.data.tables.io.malformed import DAMAGES

LONGEST_SECONDS = 10.0
"""Of the processor: the clock on the wall goes on while other programs work."""
GML = 'graph [\n  node [ id 0 label "Ann" ]\n  node [ id 1 label "Bob &amp; Eve" ]\n  edge [ source 0 target 1 ]\n]\n'
GRAPHML = (
    '<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    '<key id="d0" for="node" attr.name="age" attr.type="int"/>\n<graph edgedefault="directed">\n'
    '<node id="Ann"><data key="d0">34</data></node>\n<node id="Bob"/>\n<edge source="Ann" target="Bob"/>\n'
    "</graph></graphml>\n"
)
MATRIX = "name,a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0\n"
BASKETS = '[["bread", "milk"], ["beer"], []]'
FURTHER = {
    "graphs": {"g.gml": GML, "g.graphml": GRAPHML, "m.csv": MATRIX, "snap.txt": "# nodes\n0\t1\n1\t2\n"},
    "baskets": {"b.json": BASKETS, "b.txt": "bread milk\nbeer\n", "b.csv": "id,item\n1,bread\n1,milk\n2,beer\n"},
}
"""Files of other formats that a project of the room may be about."""


@dataclass(frozen=True)
class Files:
    """Sound files of a room: their bytes, and what opens them."""

    folder: Path
    opens: dict[str, Callable[[], object]]
    sound: dict[str, bytes]


@pytest.fixture(scope="module", params=room_names())
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Take the sample of a room to its release; give all files that somebody could get from a stranger."""
    name: str = request.param
    folder = tmp_path_factory.mktemp(name)
    sample, room = sample_of(name, folder), room_of(name)
    make_key(folder / "key")
    save_project(sample.project, folder / "p.anon")
    opened = anonymizer.open(folder / "p.anon")
    out = folder / sample.output
    exported = anonymizer.export(opened, anonymizer.run(opened), out, key=str(folder / "key"))
    opens: dict[str, Callable[[], object]] = {"p.anon": partial(open_project, folder / "p.anon")}
    for role, source in opened.project.sources().items():
        if Path(source.path).is_file():  # a ledger may not be there yet
            opens[Path(source.path).name] = partial(room.read, role, source, SILENT)
    for beside in (out, exported.certificate, out.with_name(out.name + PRIVATE_COPY)):
        opens[beside.name] = partial(verify_release, out)
    for further, text in FURTHER.get(name, {}).items():
        (folder / further).write_text(text, encoding="utf-8")
        opens[further] = partial(room.read, next(iter(room.roles)), Source(str(folder / further)), SILENT)
    sound = {each: (folder / each).read_bytes() for each in opens}
    return Files(folder, opens, sound)


def told(opens: Callable[[], object]) -> str:
    """Open a file; give the sentence with which it is refused."""
    try:
        opens()
    except AnonymizerError as error:
        return error.message
    return ""


def damage(files: Files, count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    names = list(files.opens)
    try:
        for number in range(count):
            name = names[number % len(names)]
            damaged = DAMAGES[int(random.integers(len(DAMAGES)))](files.sound[name], random)
            (files.folder / name).write_bytes(damaged)
            started = time.process_time()
            sentence = told(files.opens[name])
            assert re.search(r"^$|[.?!]$", sentence), (name, seed, number, sentence)
            assert time.process_time() - started < LONGEST_SECONDS, (name, seed, number)
            (files.folder / name).write_bytes(files.sound[name])
    finally:
        for name, content in files.sound.items():
            (files.folder / name).write_bytes(content)


def test_sound_files_are_opened(files: Files) -> None:
    assert [name for name, opens in files.opens.items() if told(opens)] == []


def test_damaged_files_are_opened_or_refused(files: Files) -> None:
    damage(files, 100, seed=1)


@pytest.mark.fuzz
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(10))
def test_thousands_of_damaged_files_are_opened_or_refused(files: Files, seed: int) -> None:
    damage(files, 300, seed=1000 + seed)


def test_a_graph_with_entities_is_refused_in_any_encoding(tmp_path: Path) -> None:
    laughs = "".join(f'<!ENTITY l{at + 1} "{f"&l{at};" * 10}">' for at in range(9))
    text = f'<!DOCTYPE g [<!ENTITY l0 "ha">{laughs}]><graphml><graph><node id="&l9;"/></graph></graphml>'
    for encoding in ("utf-8", "utf-16", "utf-16-be"):
        head = f'<?xml version="1.0" encoding="{encoding.partition("-be")[0]}"?>'
        (tmp_path / "g.graphml").write_bytes((head + text).encode(encoding))
        with pytest.raises(AnonymizerError, match=r"entities|no graph"):
            room_of("graphs").read("graph", Source(str(tmp_path / "g.graphml")), SILENT)


@pytest.mark.parametrize(("room", "name"), [("graphs", "g.txt"), ("graphs", "g.gml"), ("baskets", "b.txt")])
def test_what_would_not_fit_into_memory_is_refused_before_it_is_tried(
    room: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_text({"g.gml": GML}.get(name, "1 2\n2 3 4\n1\n"), encoding="utf-8")
    main = next(iter(room_of(room).roles))
    room_of(room).read(main, Source(str(tmp_path / name)), SILENT)
    monkeypatch.setattr(safe_open, "free_memory", lambda: 100)
    with pytest.raises(AnonymizerError, match="GB of memory"):
        room_of(room).read(main, Source(str(tmp_path / name)), SILENT)


@pytest.mark.parametrize("cell", ["a\rb", "a" * 200_000, '"', "a\0b"])
def test_cells_nobody_expects_are_read_or_refused(cell: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f'id,items\n1,"{cell}"\n2,"bread, milk"\n', encoding="utf-8", newline="")
    for room in room_names():
        told(partial(room_of(room).read, next(iter(room_of(room).roles)), Source(str(tmp_path / "t.csv")), SILENT))
