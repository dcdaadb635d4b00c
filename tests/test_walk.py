"""The walk from a table to its certificate: down the layers, and up only where a contract below says so."""

import json
import sys
import tomllib
from pathlib import Path
from types import FrameType

import pytest

import anonymizer_gui
from anonymizer_gui.assets import resource_path
from anonymizer_gui.cli import main
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate

PACKAGE = Path(anonymizer_gui.__file__).parent
MOST_OF_THE_FRAME = 10
MOST_HANDED = 34
"""How many modules may be handed the data: the table, the project about it, the release, or what is about to leave.

Counted so, it were 17 before there were rooms, when nothing was counted a second time and no check looked at what
leaves; 43 were counted then by reading, in a way that was not written down. All modules in which anything runs were 77.
"""
DATA = (Table, Project, Release, ReleaseCandidate)
UPWARD = (
    ("engine.projects.", "engine.rooms.microdata.room"),  # asks the `Room`
    ("engine.projects.", "engine.rooms.microdata.project"),  # asks the `Project` for its files
    ("engine.releases.", "engine.rooms.microdata.room"),
    ("engine.releases.", "engine.rooms.microdata.project"),
    ("engine.releases.", "engine.rooms.microdata.release.release_candidate"),  # asks the candidate and its files
    ("engine.core.progress", "commands.options"),  # calls back who shows it
    ("engine.core.params", "engine.data.tables.io.options"),  # asks a `Kind` of parameter
)
"""Who may call up: what asks something by a contract that it declares itself."""


def ranks() -> dict[str, int]:
    """Give the layers of the engine as the import contract has them, the highest number above all."""
    tools = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    contract = next(c for c in tools["importlinter"]["contracts"] if c.get("exhaustive"))
    return {
        f"engine.{name.strip()}": rank
        for rank, layer in enumerate(reversed(contract["layers"]))
        for name in layer.split("|")
    }


RANKS = ranks()


def module_of(frame: FrameType | None) -> str:
    """Name the module a call is in, as `engine.releases.export`; nothing for what is not ours."""
    path = Path(frame.f_code.co_filename) if frame else Path()
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts) if path.is_relative_to(PACKAGE) else ""


def rank_of(module: str) -> int:
    """Give the layer of a module; commands stand above the engine."""
    return RANKS[".".join(module.split(".")[:2])] if module.startswith("engine.") else len(RANKS)


class Trace:
    """Notes which of our modules a piece of work passes, and the calls that go up a layer."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.upward: set[tuple[str, str]] = set()
        self.handed: set[str] = set()

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        module = module_of(frame) if event == "call" else ""
        if not module or frame.f_code.co_name == "<module>" or module == "engine.__init__":
            return
        self.modules.add(module)
        caller = module_of(frame.f_back)
        code = frame.f_code
        given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if caller != module and any(isinstance(frame.f_locals.get(name), DATA) for name in given):
            self.handed.add(module)
        # A function made by the caller above and handed down is called back, not called up.
        is_handed = "<locals>" in frame.f_code.co_qualname or "<lambda>" in frame.f_code.co_qualname
        if caller and not is_handed and rank_of(caller) < rank_of(module):
            self.upward.add((caller, module))


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    """Take a sample from its project to the certificate on the command line, looked at from the second time on."""
    folder = tmp_path_factory.mktemp("walk")
    call, trace = ["run", str(resource_path("samples", "lecture.anon")), "-o"], Trace()
    assert main([*call, str(folder / "first.csv")]) == 0
    sys.setprofile(trace)
    try:
        assert main([*call, str(folder / "second.csv")]) == 0
    finally:
        sys.setprofile(None)
    assert json.loads((folder / "second.csv.release.json").read_text(encoding="utf-8"))["room"] == "microdata"
    return trace


def is_of_the_frame(module: str) -> bool:
    return module == "engine.room" or module.startswith(("engine.projects.", "engine.releases."))


def test_the_walk_goes_up_a_layer_only_by_a_contract(trace: Trace) -> None:
    allowed = {pair for pair in trace.upward for low, high in UPWARD if pair[0].startswith(low) and pair[1] == high}
    assert trace.upward - allowed == set()
    assert allowed


def test_the_walk_passes_one_command_one_room_and_little_of_the_frame(trace: Trace) -> None:
    sys.stdout.write(f"\nThe data is handed to {len(trace.handed)} of {len(trace.modules)} modules.\n")
    assert 0 < len(trace.handed) <= MOST_HANDED, sorted(trace.handed)
    commands = {module for module in trace.modules if module.startswith("commands.")}
    assert commands == {f"commands.{name}" for name in ("engine_options", "options", "run", "table_options")}
    assert {module.split(".")[2] for module in trace.modules if module.startswith("engine.rooms.")} == {"microdata"}
    assert len([module for module in trace.modules if is_of_the_frame(module)]) <= MOST_OF_THE_FRAME
    assert not [module for module in trace.modules if module.split(".")[0] in ("ui", "workspace")]
