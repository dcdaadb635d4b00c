"""Writes the list of parts of the bundle (SBOM, CycloneDX 1.5): the program, what it needs, and Python.

python packaging/list_parts.py TARGET
"""

import json
import os
import platform
import re
import sys
import time
import uuid
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

NAME = "anonymizer-gui"
# The extra with what the installers bring along; what only makes them is not in them.
EXTRA = "package"
BUILD_TOOLS = {"build", "hatchling", "pyinstaller"}


def main(target: Path) -> None:
    """Write the list; the same parts give the same bytes."""
    parts = [python_part(), *(part_of(name) for name in sorted(needed_by(NAME, {EXTRA}) - {NAME}))]
    program = {**part_of(NAME), "type": "application"}
    made = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time()), UTC)
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(parts))}",
        "version": 1,
        "metadata": {"timestamp": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "component": program},
        "components": parts,
    }
    target.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def needed_by(name: str, extras: set[str]) -> set[str]:
    """Return the packages a package needs, itself among them, by their plain names."""
    found: dict[str, set[str]] = {}
    waiting = [(plain(name), frozenset(extras))]
    while waiting:
        current, wanted = waiting.pop()
        if current in found and wanted <= found[current]:
            continue
        found.setdefault(current, set()).update(wanted)
        waiting += [(plain(need.name), frozenset(need.extras)) for need in requirements(current, wanted)]
    return set(found)


def requirements(name: str, extras: frozenset[str]) -> list[Requirement]:
    """Return what a package needs on this system, the tools that make the installers left out."""
    needs = [Requirement(text) for text in metadata.requires(name) or []]
    return [
        need
        for need in needs
        if plain(need.name) not in BUILD_TOOLS
        and (need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in {"", *extras}))
    ]


def part_of(name: str) -> dict[str, object]:
    """Describe an installed package."""
    about = metadata.metadata(name)
    licence = licence_of(about)
    part: dict[str, object] = {
        "type": "library",
        "bom-ref": f"{name}@{about['Version']}",
        "name": about["Name"],
        "version": about["Version"],
        "purl": f"pkg:pypi/{plain(name)}@{about['Version']}",
    }
    return {**part, "licenses": [{"license": {"name": licence}}]} if licence else part


def licence_of(about: metadata.PackageMetadata) -> str:
    """Return the name of the licence; some packages give its whole text where the name belongs."""
    named = about.get("License-Expression") or about.get("License") or ""
    kinds = [entry.rpartition(" :: ")[2] for entry in about.get_all("Classifier") or [] if entry.startswith("License")]
    return named if named and "\n" not in named else " AND ".join(kinds)


def python_part() -> dict[str, object]:
    """Describe the interpreter in the bundle."""
    version = platform.python_version()
    licence = [{"license": {"name": "PSF-2.0"}}]
    return {
        "type": "framework",
        "bom-ref": f"python@{version}",
        "name": "Python",
        "version": version,
        "licenses": licence,
    }


def plain(name: str) -> str:
    """Return the name of a package as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
