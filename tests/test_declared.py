"""What code needs to know of a goal, an algorithm or a room is declared in its contract, never guessed from outside."""

import ast
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

import anonymizer_gui
from anonymizer_gui.engine.room import all_rooms
from anonymizer_gui.workspace.changes import Change
from tests.spoken import files, let_go, parsed

PACKAGE = Path(anonymizer_gui.__file__).parent
NOT_OURS = {
    "sys", "os", "subprocess",  # what only some systems have
    "args", "parsed", "module",  # of the command line: not every command has every option
    "stream", "driver", "sheet", "error", "value", "then",  # of other libraries
}  # fmt: skip
"""What may be asked whether it has something: it keeps no contract that we could write it into."""

ABOUT_ONE = {
    "commands/table_options.py", "engine/rooms/microdata/sweep.py",  # ways out for (k, k^m)-anonymity
    "engine/rooms/microdata/release/independent_inputs.py",  # the group that (n,t)-closeness has found
    "engine/rooms/microdata/policies/safe_harbor.py",  # the people of postal areas
    "engine/rooms/microdata/out_of_core/engine_source.py",  # rows that an engine keeps
    "engine/rooms/statistics/benches/simulated_releases.py", "ui/rooms/statistics/models_page.py",  # k-means
    "engine/rooms/statistics/verification.py",  # the rounds of k-means, which a certificate tells
    "engine/rooms/statistics/release.py", # synthetic tables
    "engine/dp/local/estimation.py", "engine/rooms/survey/cost_preview.py",  # seeds of local hashing
    "ui/rooms/baskets/protect_page.py",  # rules that are played again
    "ui/rooms/places/attack_page.py", "ui/rooms/places/protect_page.py",  # zones on the map, costs of a method
}  # fmt: skip
"""Files that work on the parameters of one registered thing; everybody else asks for a trait."""


@pytest.fixture(scope="module", autouse=True)
def source_let_go() -> Iterator[None]:
    """Keep no source in memory."""
    yield
    let_go()


def places(kind: type[ast.AST]) -> list[tuple[str, ast.AST]]:
    """Find the nodes of a kind in all files, each with its place."""
    return [
        (f"{place}:{getattr(node, 'lineno', 0)}", node)
        for place, path in [(path.relative_to(PACKAGE), path) for path in files(PACKAGE)]
        for node in ast.walk(parsed(path))
        if isinstance(node, kind)
    ]


def is_guess(call: ast.AST) -> bool:
    """Tell whether a call asks for a trait by a name that is written there, as `getattr(goal, "several", False)`."""
    assert isinstance(call, ast.Call)
    asks = isinstance(call.func, ast.Name) and call.func.id in ("getattr", "hasattr") and len(call.args) > 1
    return asks and isinstance(call.args[1], ast.Constant) and ast.unparse(call.args[0]) not in NOT_OURS


def is_about_a_name(compared: ast.AST) -> bool:
    """Tell whether something is told by its name, as `goal.name == "k"`."""
    assert isinstance(compared, ast.Compare)
    sides = [compared.left, *compared.comparators]
    named = [side for side in sides if isinstance(side, ast.Attribute) and side.attr in ("name", "room")]
    texts = [side for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, str) and side.value]
    return bool(texts) and any(ast.unparse(side) != "os.name" for side in named)


def test_no_trait_is_asked_for_by_guessing() -> None:
    assert [place for place, node in places(ast.Call) if is_guess(node)] == []


def test_nothing_is_told_by_its_name() -> None:
    assert [place for place, node in places(ast.Compare) if is_about_a_name(node)] == []


def asked_classes(call: ast.AST) -> set[str]:
    """Give the classes that a call asks for, as `isinstance(goal, KAnonymity)` does."""
    assert isinstance(call, ast.Call)
    asks = isinstance(call.func, ast.Name) and call.func.id in ("isinstance", "issubclass")
    return {node.id for node in ast.walk(call.args[1]) if isinstance(node, ast.Name)} if asks else set()


def test_nothing_is_told_by_its_class() -> None:
    registries = [registry for room in all_rooms() for registry in room.registries().values()]
    registered = {kind.__name__ for registry in registries for kind in registry}
    asking = {place.rpartition(":")[0] for place, node in places(ast.Call) if asked_classes(node) & registered}
    assert asking == ABOUT_ONE


def test_what_all_rooms_share_names_no_room() -> None:
    rooms = {path.name for path in (PACKAGE / "engine" / "rooms").iterdir() if path.is_dir()}
    elsewhere = ("commands/", "engine/dp/", "engine/data/")
    shared = [
        (place, node.value)
        for place, node in places(ast.Constant)
        if isinstance(node, ast.Constant) and "rooms/" not in place and not place.startswith(elsewhere)
    ]
    named = [(place, text) for place, text in shared if text in rooms]
    # The first room is named once, and where people read it; the others are words that mean something else below it.
    assert [
        place for place, _ in named if not place.startswith(("engine/core/__init__.py", "engine/__init__.py"))
    ] == []


def told_names(call: ast.Call) -> list[str]:
    """Give the texts written as what a change may concern, as in `is_affected(changed, "table")`."""
    return [word.value for word in call.args if isinstance(word, ast.Constant) and isinstance(word.value, str)]


def test_what_a_document_tells_to_have_changed_is_declared() -> None:
    calls = [node for _, node in places(ast.Call) if isinstance(node, ast.Call)]
    asked = {n for call in calls if ast.unparse(call.func) == "is_affected" for n in told_names(call)}
    rooms = all_rooms()
    declared = {f.name for room in rooms for f in dataclasses.fields(room.project)} | {
        r for x in rooms for r in x.roles
    }
    assert asked
    assert asked - declared == set()
    # What the document has of its own is told by a `Change`, never by a bare text.
    assert asked & set(Change) == set()
