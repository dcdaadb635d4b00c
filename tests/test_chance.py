"""No test hangs on luck: steps that draw are given their seed, and no limit is one of the clock on the wall."""

import ast
import functools
from pathlib import Path

import pytest

from anonymizer_gui.engine.core.params import params_of
from anonymizer_gui.engine.rooms.microdata.masking.contract import STEPS

TESTS = Path(__file__).resolve().parent
DRAWING = {step.__name__ for step in STEPS if "seed" in {each.name for each in params_of(step)}}
ABOUT_SECRET_SEEDS = {
    "engine/rooms/microdata/masking/test_perturbation.py": "a step without a seed is refused",
    "ui/rooms/microdata/test_prepare_dialog.py": "no step of the dialog is without a seed",
}
"""Where seed=0, which asks for a secret one, is what is tested."""
CLOCKS = {"monotonic", "perf_counter", "time", "monotonic_ns", "perf_counter_ns", "time_ns"}
LOOKS_AT_THE_CLOCK = {
    "conftest.py": "says how long all tests took",
    "e2e/browser.py": "waits for a driver",
    "e2e/display.py": "waits for a display",
    "e2e/real_window.py": "waits for a window, and presses a key again",
    "engine/storage/test_saving.py": "makes a file look old",
    "engine/rooms/microdata/killing.py": "kills a process at any moment",
    "engine/rooms/statistics/spending.py": "kills a process at any moment",
    "engine/data/tables/io/sandboxed_readers/test_apart.py": "cancels after a moment",
    "engine/data/tables/io/databases/test_postgresql.py": "cancels after a moment",
    "engine/data/tables/io/databases/test_servers.py": "cancels after a moment",
    "spark_server.py": "waits for a server",
    "ui/heartbeat.py": "counts no more of it than processors worked meanwhile",
}
"""Where the clock is no limit that a busy machine could miss."""


@functools.cache
def trees() -> dict[str, ast.Module]:
    """Give all files of the tests, by their place."""
    paths = sorted(TESTS.rglob("*.py"))
    return {path.relative_to(TESTS).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def unseeded(tree: ast.AST, may_be_secret: bool = False) -> list[str]:
    """Name the drawing steps that a file makes without `seed=`, or with a 0 that asks for a secret one."""
    made = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and called(node) in DRAWING]
    return [f"{node.lineno}: {ast.unparse(node)}" for node in made if not is_seeded(node, may_be_secret)]


def called(node: ast.Call) -> str:
    """Give the last part of what is called."""
    return ast.unparse(node.func).rpartition(".")[2]


def is_seeded(node: ast.Call, may_be_secret: bool) -> bool:
    """Tell whether a call names a seed."""
    seeds = [given.value for given in node.keywords if given.arg == "seed"]
    return bool(seeds) and (may_be_secret or not any(isinstance(s, ast.Constant) and not s.value for s in seeds))


def test_every_drawing_step_of_a_test_has_a_seed() -> None:
    assert {"AddNoise", "Pram", "SwapRanks", "SyntheticRows", "TakeSample"} <= DRAWING
    assert set(ABOUT_SECRET_SEEDS) <= set(trees())
    found = {name: unseeded(tree, name in ABOUT_SECRET_SEEDS) for name, tree in trees().items()}
    assert {name: places for name, places in found.items() if places} == {}


@pytest.mark.parametrize(
    ("line", "is_refused"),
    [
        ("AddNoise(('cost',), 0.3)", True),
        ("pram.Pram('cost', keep=0.9)", True),
        ("TakeSample(0.5, 7)", True),
        ("SwapRanks(('x',), 0.2, seed=0)", True),
        ("SwapRanks(('x',), 0.2, seed=seed)", False),
        ("AddNoise(('cost',), 0.3, seed=3)", False),
        ("RoundNumbers('cost', 70)", False),
    ],
)
def test_a_step_without_a_seed_is_refused(line: str, is_refused: bool) -> None:
    assert bool(unseeded(ast.parse(line))) is is_refused


def clocks_in(tree: ast.AST) -> list[str]:
    """Name the places where a file looks at the clock on the wall."""
    return [
        f"{node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in CLOCKS and ast.unparse(node.value) == "time"
    ]


def test_no_test_measures_the_clock_on_the_wall() -> None:
    found = {name: clocks_in(tree) for name, tree in trees().items()}
    looking = {name: places for name, places in found.items() if places and not name.startswith("benchmarks/")}
    assert {name: places for name, places in looking.items() if name not in LOOKS_AT_THE_CLOCK} == {}
    assert set(LOOKS_AT_THE_CLOCK) <= set(looking), "a file is named that no longer looks at the clock"
    assert clocks_in(ast.parse("begun = time.monotonic()"))
    assert not clocks_in(ast.parse("begun = time.thread_time()"))
