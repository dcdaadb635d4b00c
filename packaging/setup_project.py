#!/usr/bin/env python3
"""Make .venv ready to run or to test the program, and the system libraries Qt needs; plain standard library.

    python3 packaging/setup_project.py run     what the program needs
    python3 packaging/setup_project.py test    what the tests need too
    python3 packaging/setup_project.py package what the installers are made with

Written for any Python 3, so that one that is too old can say so.
"""

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
LOG = VENV / "set-up.log"
OLDEST = (3, 11)
EXTRAS = {"run": "all", "test": "test", "package": "package"}
# What is ready to test is ready to run.
READY = {"run": ("run", "test"), "test": ("test",), "package": ("package",)}

# Debian package -> a file of it that Qt loads
LIBRARIES = {
    "libgl1": "libGL.so.1",
    "libegl1": "libEGL.so.1",
    "libglib2.0-0": "libglib-2.0.so.0",
    "libdbus-1-3": "libdbus-1.so.3",
    "libfontconfig1": "libfontconfig.so.1",
    "libxkbcommon0": "libxkbcommon.so.0",
}
WINDOW_LIBRARIES = {
    "libxcb-cursor0": "libxcb-cursor.so.0",
    "libxcb-icccm4": "libxcb-icccm.so.4",
    "libxcb-keysyms1": "libxcb-keysyms.so.1",
    "libxcb-shape0": "libxcb-shape.so.0",
    "libxkbcommon-x11-0": "libxkbcommon-x11.so.0",
}
# Debian package -> a command of it that the tests of the real window call
WINDOW_TEST_TOOLS = {"xvfb": "Xvfb", "xdotool": "xdotool"}
# and one that the tests of the survey form call
BROWSER_TEST_TOOLS = {"chromium": "chromium", "chromium-driver": "chromedriver"}
# and one that the tests of the printed report call
PRINT_TEST_TOOLS = {"poppler-utils": "pdftotext"}
FONT_PACKAGE = "fonts-dejavu-core"
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
OFFLINE_SIGNS = ("NewConnectionError", "name resolution", "ConnectTimeout", "No matching distribution found")


def main(purpose):
    """Bring everything up to date for the purpose; a second call does next to nothing."""
    use_new_enough_python()
    install_system_packages(purpose)
    if not any(is_fresh(stamp_of(ready)) for ready in READY[purpose]):
        make_environment()
        install_packages(purpose)
        stamp_of(purpose).write_text(fingerprint(), encoding="utf-8")


def use_new_enough_python():
    """Go on with a newer interpreter when the one called is too old and another is installed."""
    if sys.version_info >= OLDEST:
        return
    for minor in range(20, OLDEST[1] - 1, -1):
        newer = shutil.which(f"python3.{minor}")
        if newer:
            os.execv(newer, [newer, *sys.argv])
    stop(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}: install python3.11 and python3.11-venv.")


def fingerprint():
    """Change when the wanted packages change."""
    wanted = (ROOT / "pyproject.toml").read_bytes() + CONSTRAINTS.read_bytes()
    return hashlib.sha256(wanted + str(ROOT).encode()).hexdigest()


def stamp_of(purpose):
    return VENV / f"ready-to-{purpose}"


def is_fresh(stamp):
    return PYTHON.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == fingerprint()


def make_environment():
    """Create .venv, or again when it does not work any more."""
    if PYTHON.exists() and succeeds([str(PYTHON), "-m", "pip", "--version"]):
        return
    say("Creating the virtual environment in .venv ...")
    # A half-made environment is a frequent cause of puzzling errors: start clean.
    result = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(VENV)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if result.returncode:
        shutil.rmtree(str(VENV), ignore_errors=True)
        stop(
            f"Python has no venv module: install it, on Debian with: apt-get install python3.{sys.version_info[1]}-venv"
        )


def install_packages(purpose):
    """Install the program in place with the packages it was tested with."""
    say(f"Installing the packages needed to {purpose} (once; some minutes on a slow line) ...")
    target = f"{ROOT}[{EXTRAS[purpose]}]"
    command = [str(PYTHON), "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
    with LOG.open("wb") as log:
        result = subprocess.run(
            [*command, "--constraint", str(CONSTRAINTS), "--editable", target], stdout=log, stderr=subprocess.STDOUT
        )
    if result.returncode:
        explain_failed_install(LOG.read_text(encoding="utf-8", errors="replace"))


def explain_failed_install(text):
    errors = [line for line in text.splitlines() if line.strip().startswith("ERROR")]
    say("\n".join(errors or text.splitlines()[-8:]))
    if "No space left on device" in text:
        stop("The disk is full: the packages take about 1.5 GB.")
    if any(sign in text for sign in OFFLINE_SIGNS):
        stop("The packages could not be fetched: check the network connection, then call make again.")
    stop(f"The packages could not be installed: {LOG.relative_to(ROOT)} tells why.")


def install_system_packages(purpose):
    """Install what is missing below Qt, or say what to install; tests of window and browser may be skipped."""
    if not sys.platform.startswith("linux"):
        return
    needed, wished = missing_packages(purpose)
    if not needed + wished:
        return
    apt = administrator_apt()
    if apt:
        run_apt(apt, needed + wished)
        needed, wished = missing_packages(purpose)
    if needed:
        stop(f"System libraries are missing, install them with: sudo apt-get install {' '.join(needed)}")
    if wished:
        say(f"The tests of the real window and of forms are skipped until you: sudo apt-get install {' '.join(wished)}")


def missing_packages(purpose):
    """Return the packages without which nothing works, and those without which a part is skipped."""
    basic = [package for package, library in LIBRARIES.items() if not is_loadable(library)]
    window = [package for package, library in WINDOW_LIBRARIES.items() if not is_loadable(library)]
    fonts = [] if has_fonts() else [FONT_PACKAGE]
    if purpose != "test":
        return basic + window + fonts, []
    tools = {**WINDOW_TEST_TOOLS, **BROWSER_TEST_TOOLS, **PRINT_TEST_TOOLS}
    return basic + fonts, window + [package for package, tool in tools.items() if not shutil.which(tool)]


def is_loadable(library):
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_fonts():
    folders = [Path(folder).expanduser() for folder in FONT_FOLDERS]
    return any(next(folder.rglob(kind), None) for folder in folders for kind in ("*.ttf", "*.otf", "*.ttc"))


def administrator_apt():
    """Return the start of an apt-get call that may install, or nothing."""
    if not shutil.which("apt-get"):
        return []
    if os.geteuid() == 0:
        return ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    if shutil.which("sudo") and succeeds(["sudo", "-n", "true"]):
        return ["sudo", "-n", "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    return []


def run_apt(apt, packages):
    say(f"Installing system packages: {' '.join(packages)} ...")
    install = [*apt, "install", "-y", "-q", "--no-install-recommends", *packages]
    if not succeeds(install):
        succeeds([*apt, "update", "-q"])
        succeeds(install)


def succeeds(command):
    """Tell whether a command ends well; its output is not shown."""
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def say(text):
    print(text, file=sys.stderr, flush=True)


def stop(sentence):
    say(sentence)
    raise SystemExit(1)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in EXTRAS:
        stop("Call with one word, what to set up for: run, test or package.")
    main(sys.argv[1])
