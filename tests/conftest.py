"""What every test gets: no display, settings of its own, and a check that nothing is left behind."""

import gc
import itertools
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.order import ordered, seed_of_order
from tests.patience import PatientBot
from tests.summary import NEEDS_DATA, OUTCOMES, needing_data, summary_lines
from tests.thread_guard import still_running

if TYPE_CHECKING:
    from tests.qt_guard import QtGuard

ROOT = Path(__file__).resolve().parent.parent
QT_FIXTURES = {"qtbot", "qapp", "qtmodeltester"}
STARTED = time.monotonic()

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
    """Put the tests in order; every worker does it alike."""
    items[:] = ordered(items, seed_of_order())


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print at the end how many tests ran, for how long, and which folder those that were skipped need."""
    stats = terminalreporter.stats
    counts = {name: len(reports) for name, reports in stats.items() if name in OUTCOMES}
    data = needing_data(report.longrepr for report in stats.get("skipped", ())), data_folder()
    terminalreporter.section("how it went")
    for line in summary_lines(counts, time.monotonic() - STARTED, seed_of_order(), data):
        terminalreporter.write_line(line)


def data_folder() -> Path:
    """Give the folder in which the public data sets are looked for."""
    return Path(os.environ.get("ANONYMIZER_TEST_DATA", ROOT.parent / "shared" / "data"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Give the folder of public data sets beside the repository, or skip."""
    if not data_folder().is_dir():
        pytest.skip(f"{NEEDS_DATA}; ANONYMIZER_TEST_DATA may name their folder")
    return data_folder()


@pytest.fixture
def qtbot(qapp: object, request: pytest.FixtureRequest) -> PatientBot:
    """Give the robot of pytest-qt, with the patience of a busy machine."""
    return PatientBot(request)


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
