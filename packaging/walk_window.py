"""Starts the installed program on the display of DISPLAY and drives its window by keys, as a person would.

python packaging/walk_window.py start COMMAND...     print the seconds until the window is there
python packaging/walk_window.py export TYPED_PATH FILE SCREEN PICTURE COMMAND...
    run, export to TYPED_PATH, which is FILE seen from here, and take a picture of the screen of Xvfb
"""

import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from picture_of_screen import main as take_picture

from tests.e2e.real_window import RealWindow

TITLE = "Anonymizer$"
SAMPLE_TITLE = "^lecture.*Anonymizer$"
EXPORT_TITLE = "^Export the Release$"


def start(command: list[str]) -> RealWindow:
    """Start the program; a window that answers is the sign that it is up."""
    return RealWindow(subprocess.Popen(command), dict(os.environ))


def measure(command: list[str]) -> None:
    """Print how long it takes until the window has the keys."""
    begin = time.monotonic()
    window = start(command)
    window.focus(TITLE)
    print(f"{time.monotonic() - begin:.2f}")
    close(window)


def export(typed: str, file: Path, screen: Path, picture: Path, command: list[str]) -> None:
    """Run the project that the command opens and export what comes out."""
    window = start(command)
    window.focus(SAMPLE_TITLE)
    window.press("ctrl+r")

    def asked() -> str:
        window.press("ctrl+e")
        time.sleep(1)
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", EXPORT_TITLE], capture_output=True, text=True
        )
        return found.stdout.strip()

    # The export is offered once the run is done and the checklist is green.
    window.wait_for(asked, "the question where to export to")
    window.focus(EXPORT_TITLE)
    window.press("ctrl+a")
    window.type(typed)
    window.press("Return")
    window.wait_for(lambda: "there" if file.exists() else "", "the exported release")
    window.focus(SAMPLE_TITLE)
    time.sleep(1)
    take_picture(screen, picture)
    window.press("ctrl+s")  # the project keeps the release: it would ask when the window is closed
    time.sleep(2)
    close(window)


def close(window: RealWindow) -> None:
    """Leave by the keyboard; the program must end well."""
    window.press("ctrl+q")
    if window.process.wait(20) != 0:
        raise SystemExit("The program did not end well.")


if __name__ == "__main__":
    if sys.argv[1] == "start":
        measure(sys.argv[2:])
    else:
        typed, *files = sys.argv[2:6]
        export(typed, *map(Path, files), sys.argv[6:])
