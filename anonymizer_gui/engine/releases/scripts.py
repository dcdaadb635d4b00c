"""What is on screen as a command line and as a Python script; both give the very bytes of the export."""

import os
import shlex
import subprocess
from pathlib import Path

_SCRIPT = '''"""Anonymize and export a saved project."""

from dataclasses import replace
from pathlib import Path

from anonymizer_gui.engine.rooms.microdata.anonymize import anonymize
from anonymizer_gui.engine.releases.export import Safeguards, export, prepare
from anonymizer_gui.engine.releases.ledger import Ledger
from anonymizer_gui.engine.projects.project_file import load_project
from anonymizer_gui.engine.rooms.microdata.pseudonyms import read_key
from anonymizer_gui.engine.shapes.tables.io.source_tables import options_of, read_source

KEY_FILE = {key!r}  # for pseudonyms and the ledger; empty when there are none
LEDGER_FILE = {ledger!r}  # the releases this one is checked against; empty when there are none
REASON = {reason!r}  # why a failed check is overridden; empty when none is

project = load_project(Path({project!r}))
table, report, source = read_source(project.source.path, options_of(project.source))
population = None
if project.population is not None:
    population = read_source(project.population.path, options_of(project.population))[0]

release = anonymize(table, replace(project, source=source), population=population)
safeguards = Safeguards(
    key=read_key(Path(KEY_FILE)) if KEY_FILE else b"",
    ledger=Ledger(Path(LEDGER_FILE)) if LEDGER_FILE else None,
    population=population,
    reason=REASON,
)
exported = export(prepare(release, table, safeguards), Path({output!r}))
print(f"{{exported.rows}} rows in {{exported.path}}, k = {{release.measured.k}}, LM = {{release.measured.lm}}")
'''


def command_line(project: Path, output: Path, key: str = "", reason: str = "", ledger: str = "") -> str:
    """Give the call that exports a saved project, quoted for the shell of this system."""
    # What begins with a dash would be taken for an option.
    place = str(project) if not str(project).startswith("-") else os.path.join(".", project)
    words = ["anonymizer-gui", "run", place]
    for option, value in (("-o", str(output)), ("--key", key), ("--ledger", ledger), ("--reason", reason)):
        if value.startswith("-"):
            words.append(f"{option}{value}" if option == "-o" else f"{option}={value}")
        elif value:
            words += [option, value]
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def python_script(project: Path, output: Path, key: str = "", reason: str = "", ledger: str = "") -> str:
    """Give a script that exports a saved project with the engine as a library."""
    return _SCRIPT.format(project=str(project), output=str(output), key=key, reason=reason, ledger=ledger)
