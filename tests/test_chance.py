"""No test draws by chance that it cannot repeat: every step that draws is given its seed."""

import ast
from pathlib import Path

import pytest

from anonymizer_gui.engine.params import params_of
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS

TESTS = Path(__file__).resolve().parent
DRAWING = {step.__name__ for step in STEPS if "seed" in {each.name for each in params_of(step)}}
ABOUT_SECRET_SEEDS = {
    "engine/rooms/microdata/preparing/test_perturbation.py": "a step without a seed is refused",
    "ui/rooms/microdata/test_prepare_dialog.py": "no step of the dialog is without a seed",
}
"""Where seed=0, which asks for a secret one, is what is tested."""


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
    assert {"AddNoise", "Pram", "SwapRanks", "MadeUpRows", "TakeSample"} <= DRAWING
    files = {path.relative_to(TESTS).as_posix(): path for path in sorted(TESTS.rglob("*.py"))}
    assert set(ABOUT_SECRET_SEEDS) <= set(files)
    found = {
        name: unseeded(ast.parse(path.read_text(encoding="utf-8")), name in ABOUT_SECRET_SEEDS)
        for name, path in files.items()
    }
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
