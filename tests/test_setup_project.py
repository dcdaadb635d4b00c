"""Setting up tells in one sentence what a person has to do, and does the rest."""

import importlib.util
import sys
import types
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "packaging" / "setup_project.py"


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """Give the set-up script, working on an environment in a folder of the test's own."""
    spec = importlib.util.spec_from_file_location("setup_project", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", tmp_path)
    monkeypatch.setattr(module, "PYTHON", tmp_path / "python")
    return module


@pytest.fixture
def without_rights(setup: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    monkeypatch.setattr(setup.sys, "platform", "linux")
    monkeypatch.setattr(setup, "administrator_apt", list)
    monkeypatch.setattr(setup, "has_fonts", lambda: True)
    return setup


def test_an_old_python_is_refused_with_what_to_install(
    setup: types.ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(setup, "OLDEST", (99, 11))
    monkeypatch.setattr(setup.shutil, "which", lambda _name: None)
    with pytest.raises(SystemExit):
        setup.use_new_enough_python()
    assert "install python3.11 and python3.11-venv" in capsys.readouterr().err


def test_an_old_python_hands_over_to_a_newer_one(setup: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    monkeypatch.setattr(setup, "OLDEST", (99, 11))
    monkeypatch.setattr(setup.shutil, "which", lambda name: f"/bin/{name}" if name == "python3.12" else None)
    monkeypatch.setattr(setup.os, "execv", lambda path, _arguments: started.append(path))
    with pytest.raises(SystemExit):
        setup.use_new_enough_python()
    assert started == ["/bin/python3.12"]


def test_missing_libraries_without_rights_give_the_line_to_type(
    without_rights: types.ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(without_rights, "is_loadable", lambda library: library != "libGL.so.1")
    with pytest.raises(SystemExit):
        without_rights.install_system_packages("run")
    assert capsys.readouterr().err == ("System libraries are missing, install them with: sudo apt-get install libgl1\n")


def test_missing_tools_for_the_real_window_do_not_stop_the_tests(
    without_rights: types.ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(without_rights, "is_loadable", lambda _library: True)
    monkeypatch.setattr(without_rights.shutil, "which", lambda _name: None)
    without_rights.install_system_packages("test")
    assert (
        "are skipped until you: sudo apt-get install xvfb xdotool chromium chromium-driver" in capsys.readouterr().err
    )


def test_a_failed_download_asks_for_the_network(setup: types.ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        setup.explain_failed_install("Failed to establish a new connection: Temporary failure in name resolution")
    assert "check the network connection" in capsys.readouterr().err


@pytest.fixture
def installed(setup: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect for what packages are installed, and install none."""
    purposes: list[str] = []
    monkeypatch.setattr(setup, "install_system_packages", lambda _purpose: None)
    monkeypatch.setattr(setup, "make_environment", lambda: setup.PYTHON.touch())
    monkeypatch.setattr(setup, "install_packages", purposes.append)
    return purposes


def test_a_second_call_installs_nothing(setup: types.ModuleType, installed: list[str]) -> None:
    setup.main("run")
    setup.main("run")
    assert installed == ["run"]
    setup.main("test")
    setup.main("run")
    assert installed == ["run", "test"]


def test_what_is_ready_to_test_is_ready_to_run(setup: types.ModuleType, installed: list[str]) -> None:
    setup.main("test")
    setup.main("run")
    assert installed == ["test"]
