"""Finds the files of resources/ from a source tree, an installed wheel and a frozen build."""

import sys
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource_path(*names: str) -> Path:
    """Return the path of a file or folder below resources/.

    Raises FileNotFoundError when there is no such resource: a fault of ours or of the package, not of the user.
    """
    path = _resources(getattr(sys, "_MEIPASS", None)).joinpath(*names)
    if not path.exists():
        raise FileNotFoundError(f"The program's own file {'/'.join(names)} is missing; install the program again.")
    return path


def changelog() -> str:
    """Return the text of the changelog; a source tree keeps it beside resources/."""
    packed = _resources(getattr(sys, "_MEIPASS", None)) / "CHANGELOG.md"
    path = packed if packed.is_file() else _PACKAGE.parent / "CHANGELOG.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@cache
def _resources(bundle: str | None) -> Path:
    """Return resources/: in the bundle when frozen, in the package when installed, beside it in a source tree."""
    places = [Path(bundle) / "anonymizer_gui", _PACKAGE] if bundle else [_PACKAGE]
    installed = [place / "resources" for place in places if (place / "resources").is_dir()]
    return installed[0] if installed else _PACKAGE.parent / "resources"
