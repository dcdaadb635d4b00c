"""The examples in the engine's docstrings show what really comes out."""

import doctest
import importlib
import pkgutil

import pytest

from anonymizer_gui import engine

MODULES = sorted(module.name for module in pkgutil.walk_packages(engine.__path__, f"{engine.__name__}."))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    failures, _attempted = doctest.testmod(importlib.import_module(name))
    assert failures == 0, f"see: python -m doctest -v for {name}"
