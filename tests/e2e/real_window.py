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

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("Xvfb", "xdotool")
PATIENCE_S = 60.0
PRESS_AGAIN_S = 5.0


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
        pressed = 0.0

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

    def type(self, text: str) -> None:
        """Type a text."""
        self._tool("type", "--delay", "15", text)

    def wait_for(self, look: Callable[[], str], what: str) -> str:
        """Look again and again until there is something to see."""
        deadline = time.monotonic() + PATIENCE_S
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
        done = subprocess.run(["xdotool", *arguments], env=self.environment, capture_output=True, text=True, timeout=20)
        return done.stdout.strip()


@contextlib.contextmanager
def running(home: Path, *arguments: str) -> Iterator[RealWindow]:
    """Start a display and the program on it; end both."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp"]
    display = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        number = pipe.readline().strip()
    environment = {**os.environ, "DISPLAY": f":{number}", "PYTHONPATH": str(ROOT), "HOME": str(home), "LANG": "C.UTF-8"}
    for name in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY"):
        environment.pop(name, None)
    environment.update({f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")})
    process = subprocess.Popen([sys.executable, "-m", "anonymizer_gui", *arguments], env=environment, cwd=home)
    try:
        yield RealWindow(process, environment)
    finally:
        for started in (process, display):
            started.terminate()
            try:
                started.wait(10)
            except subprocess.TimeoutExpired:
                started.kill()
                started.wait()
