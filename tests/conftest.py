"""What every test gets: no display, settings of its own, and a check that nothing is left behind."""

import gc
import itertools
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.thread_guard import still_running

if TYPE_CHECKING:
    from tests.qt_guard import QtGuard

ROOT = Path(__file__).resolve().parent.parent
QT_FIXTURES = {"qtbot", "qapp", "qtmodeltester"}
GUI_FOLDERS = ("workspace", "e2e", "ui")

os.environ["QT_QPA_PLATFORM"] = "offscreen"
# Its font cache takes seconds to build: one for all tests and the programs they start.
os.environ.setdefault("MPLCONFIGDIR", str(ROOT / ".pytest_cache" / "matplotlib"))

# Examples of one test may share its folder and its patches: each writes what it reads.
settings.register_profile(
    "test",
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("long", settings.get_profile("test"), max_examples=2000, derandomize=False, print_blob=True)
settings.load_profile(os.environ.get("ANONYMIZER_HYPOTHESIS", "test"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let the collector of garbage rest while tests are found, and never look through what was there before them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run what is pure first and the window last: the plainest failure shows first.

    The walks through the whole program take longest and so do not come at the very end: nobody would share the work.
    """

    def rank(item: pytest.Item) -> int:
        folder = item.path.relative_to(ROOT / "tests").parts[0] if item.path.is_relative_to(ROOT / "tests") else ""
        return GUI_FOLDERS.index(folder) + 1 if folder in GUI_FOLDERS else 0

    items.sort(key=rank)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Give the folder of public data sets beside the repository, or skip."""
    folder = Path(os.environ.get("ANONYMIZER_TEST_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("the public data sets are not on this machine; ANONYMIZER_TEST_DATA may name their folder")
    return folder


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give one folder after the other, numbered here: a factory would list all there are for every new one."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def own_settings(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what the program remembers between runs in a folder of the test's own; give that folder."""
    home = next(homes)
    home.mkdir()
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    if "PySide6.QtCore" in sys.modules:
        _move_qsettings(home / "config")
    return home


def _move_qsettings(folder: Path) -> None:
    from PySide6.QtCore import QSettings

    for kind in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
        QSettings.setPath(kind, QSettings.Scope.UserScope, str(folder))


@pytest.fixture(autouse=True)
def nothing_left_behind(
    request: pytest.FixtureRequest, own_settings: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Fail a test that leaves a thread, a running timer or a window, or that waits for a dialog."""
    threads = set(threading.enumerate())
    guard = _qt_guard(request, monkeypatch)
    yield
    leaks = guard.leaks() if guard else []
    leaks += [f"thread {thread.name}" for thread in still_running(threads)]
    if leaks:
        pytest.fail("left behind: " + "; ".join(leaks), pytrace=False)


def _qt_guard(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> "QtGuard | None":
    """Watch Qt when the test uses it or may use it; a pure test does not import Qt for this."""
    if QT_FIXTURES & set(request.fixturenames) or "PySide6.QtWidgets" in sys.modules:
        from tests.qt_guard import QtGuard

        return QtGuard(monkeypatch)
    return None
