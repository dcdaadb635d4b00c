"""A real window on a display of its own, driven by key presses as a person would."""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.display import display, end
from tests.patience import WAIT_S

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("Xvfb", "xdotool")
PRESS_AGAIN_S = 15.0


def missing_tools() -> list[str]:
    """Name the programs that are needed and not installed."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


@dataclass(frozen=True, slots=True)
class RealWindow:
    """The program in a process of its own, and the display it is on."""

    process: subprocess.Popen[bytes]
    environment: dict[str, str]

    def focus(self, title: str) -> None:
        """Wait for a window with that title and give it the keys; there is no window manager to do it."""
        found = self.wait_for(lambda: self._tool("search", "--onlyvisible", "--name", title), f"a window “{title}”")
        window = found.split()[-1]
        self.wait_for(lambda: self._focused(window), f"the focus on “{title}”")

    def call(self, key: str, title: str) -> None:
        """Press a key until a window with that title is there: a busy program may lose the first press."""
        pressed = float("-inf")

        def there() -> str:
            nonlocal pressed
            found = self._tool("search", "--onlyvisible", "--name", title)
            if not found and time.monotonic() - pressed > PRESS_AGAIN_S:
                self.press(key)
                pressed = time.monotonic()
            return found

        self.wait_for(there, f"a window “{title}” called by {key}")
        self.focus(title)

    def finish(self, title: str, key: str) -> None:
        """Press a key in a window again and again until the window is gone: it may not be ready at once."""
        self.focus(title)

        def gone() -> str:
            window = self._tool("search", "--onlyvisible", "--name", title)
            if window:
                self._tool("windowfocus", window.split()[-1])
                self.press(key)
                time.sleep(0.3)
            return "" if window else "gone"

        self.wait_for(gone, f"“{title}” to close")

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        self._tool("key", "--delay", "60", *keys)

    def drag(self, places: Sequence[tuple[int, int]]) -> None:
        """Press the mouse at the first place, move over the others, let go at the last."""
        for number, (x, y) in enumerate(places):
            self._tool("mousemove", str(x), str(y))
            if number == 0:
                self._tool("mousedown", "1")
            time.sleep(0.3)
        self._tool("mouseup", "1")

    def drag_until(self, places: Sequence[tuple[int, int]], title: str) -> None:
        """Drag again and again until a window with that title is there: a busy program may miss the first drop."""
        dragged = float("-inf")

        def there() -> str:
            nonlocal dragged
            found = self._tool("search", "--onlyvisible", "--name", title)
            if not found and time.monotonic() - dragged > PRESS_AGAIN_S:
                self.drag(places)
                dragged = time.monotonic()
            return found

        self.wait_for(there, f"a window “{title}” after a drop")

    def type(self, text: str) -> None:
        """Type a text."""
        self._tool("type", "--delay", "15", text)

    def wait_for(self, look: Callable[[], str], what: str) -> str:
        """Look again and again until there is something to see."""
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline:
            assert self.process.poll() is None, f"the program ended while waiting for {what}"
            if found := look():
                return found
            time.sleep(0.1)
        raise AssertionError(f"waited in vain for {what}")

    def _focused(self, window: str) -> str:
        self._tool("windowfocus", window)
        return (self._tool("getwindowfocus") == window and window) or ""

    def _tool(self, *arguments: str) -> str:
        done = subprocess.run(
            ["xdotool", *arguments], env=self.environment, capture_output=True, text=True, timeout=WAIT_S
        )
        return done.stdout.strip()


@contextlib.contextmanager
def running(home: Path, *arguments: str) -> Iterator[RealWindow]:
    """Start a display and the program on it; end both."""
    with display() as name:
        environment = {**os.environ, "DISPLAY": name, "PYTHONPATH": str(ROOT), "HOME": str(home), "LANG": "C.UTF-8"}
        for other in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY"):
            environment.pop(other, None)
        environment |= {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE", "STATE")}
        process = subprocess.Popen([sys.executable, "-m", "anonymizer_gui", *arguments], env=environment, cwd=home)
        try:
            yield RealWindow(process, environment)
        finally:
            end(process)
