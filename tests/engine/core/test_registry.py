"""Registries: add a file, get a feature."""

import sys
from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.registry import Registry

PLUGIN = "from {package} import REGISTRY\n@REGISTRY.register\nclass {name}:\n    name = title = summary = '{name}'\n"


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Registry[type]":
    """Make a package of two plugins, one of them in a folder."""
    package = f"plugins_{tmp_path.name}".replace("-", "_")
    for folder in (tmp_path / package, tmp_path / package / "deep"):
        folder.mkdir()
        (folder / "__init__.py").write_text("")
    declared = f"from anonymizer_gui.engine.core.registry import Registry\nREGISTRY = Registry('plugin', '{package}')\n"
    (tmp_path / package / "__init__.py").write_text(declared)
    (tmp_path / package / "second.py").write_text(PLUGIN.format(package=package, name="b"))
    (tmp_path / package / "deep" / "first.py").write_text(PLUGIN.format(package=package, name="a"))
    monkeypatch.syspath_prepend(tmp_path)
    yield __import__(package).REGISTRY
    for name in [name for name in sys.modules if name.startswith(package)]:
        del sys.modules[name]


def test_every_file_of_the_package_is_found(registry: "Registry[type]") -> None:
    assert registry.names() == ["a", "b"]
    assert [entry.__name__ for entry in registry] == ["a", "b"]


def test_a_thing_is_found_by_name(registry: "Registry[type]") -> None:
    assert registry.get("b").__name__ == "b"


def test_an_unknown_name_is_refused_with_those_there_are(registry: "Registry[type]") -> None:
    with pytest.raises(BadParameter) as caught:
        registry.get("c")
    assert "a, b" in caught.value.hint


def test_two_things_of_one_name_are_a_mistake_of_the_programmer(registry: "Registry[type]") -> None:
    registry.names()
    other = type("other", (), {"name": "a", "title": "", "summary": "", "__module__": "elsewhere"})
    with pytest.raises(ValueError, match="Two plugins are called a"):
        registry.register(other)
