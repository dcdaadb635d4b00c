"""What is on screen as a command line and as a Python script; both give the very bytes of the export."""

import os
import shlex
import subprocess
from pathlib import Path

_SCRIPT = '''"""Run and export a saved project."""

import anonymizer_gui.engine as anonymizer

KEY_FILE = {key!r}  # for pseudonyms and the ledger; empty when there are none
LEDGER_FILE = {ledger!r}  # the releases this one is checked against; empty when there are none
SIGNING_FILE = {sign!r}  # the key that signs the certificate; empty when nobody signs
REASON = {reason!r}  # why a failed check is overridden; empty when none is

opened = anonymizer.open({project!r}{allowed})
release = anonymizer.run(opened)
exported = anonymizer.export(
    opened, release, {output!r}, key=KEY_FILE, ledger=LEDGER_FILE, reason=REASON, sign=SIGNING_FILE
)
print(f"{{exported.path}}: {{release.sentence()}}")
'''


def command_line(
    project: Path,
    output: Path,
    key: str = "",
    reason: str = "",
    ledger: str = "",
    sign: str = "",
    *,
    allow_database: bool = False,
) -> str:
    """Give the call that exports a saved project, quoted for the shell of this system."""
    # What begins with a dash would be taken for an option.
    place = str(project) if not str(project).startswith("-") else os.path.join(".", project)
    words = ["anonymizer-gui", "run", place]
    given = (("-o", str(output)), ("--key", key), ("--ledger", ledger), ("--sign", sign), ("--reason", reason))
    for option, value in given:
        if value.startswith("-"):
            words.append(f"{option}{value}" if option == "-o" else f"{option}={value}")
        elif value:
            words += [option, value]
    words += ["--allow-database"] if allow_database else []
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def python_script(
    project: Path,
    output: Path,
    key: str = "",
    reason: str = "",
    ledger: str = "",
    sign: str = "",
    *,
    allow_database: bool = False,
) -> str:
    """Give a script that exports a saved project with the engine as a library."""
    allowed = ", allow_database=True" if allow_database else ""
    files = {"key": key, "ledger": ledger, "sign": sign}
    return _SCRIPT.format(project=str(project), output=str(output), reason=reason, allowed=allowed, **files)
