"""The examples in the engine's docstrings show what really comes out."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

from anonymizer_gui import engine

MODULES = sorted(module.name for module in pkgutil.walk_packages(engine.__path__, f"{engine.__name__}."))
WITHOUT = doctest.TestResults(failed=0, attempted=0)


def examples_of(name: str) -> doctest.TestResults:
    """Import a module and try its examples; to look for docstrings in a module that has none takes long."""
    module = importlib.import_module(name)
    has_examples = ">>>" in Path(str(module.__file__)).read_text(encoding="utf-8")
    return doctest.testmod(module) if has_examples else WITHOUT


def test_the_examples_of_every_module_hold(capsys: pytest.CaptureFixture[str]) -> None:
    results = {name: examples_of(name) for name in MODULES}
    assert sum(result.attempted for result in results.values()) > 200
    wrong = {name: result.failed for name, result in results.items() if result.failed}
    assert wrong == {}, capsys.readouterr().out
