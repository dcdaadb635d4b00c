"""The engine as a library: begin or open a project, run it, export the release, verify it. These are promised to stay.

>>> import anonymizer_gui.engine as anonymizer
>>> opened = anonymizer.open("study.anon")                              # doctest: +SKIP
>>> release = anonymizer.run(opened)                                    # doctest: +SKIP
>>> anonymizer.export(opened, release, "study_release.csv")             # doctest: +SKIP
>>> anonymizer.verify("study_release.csv").holds                        # doctest: +SKIP
True

What they give and take is the same in every room. Modules are loaded when they are first used.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame

    from anonymizer_gui.engine.projects.opening import OpenedProject
    from anonymizer_gui.engine.releases.export import ExportResult
    from anonymizer_gui.engine.releases.verification import Verification

__all__ = ["begin", "export", "frame", "open", "run", "verify"]


def begin(data: "str | Path | DataFrame", *, room: str = "microdata", **decided: Any) -> "OpenedProject":
    """Start a project about a file or a DataFrame, with what is decided about it: fields of the room's project.

    `roles` may say what the columns of a table are: EI, QI, SA or other. Raises an AnonymizerError.
    """
    from dataclasses import replace

    from anonymizer_gui.engine.core.progress import SILENT
    from anonymizer_gui.engine.data.tables.dataframes import column_names, from_dataframe, parse_roles
    from anonymizer_gui.engine.hierarchy.tree import with_placeholders
    from anonymizer_gui.engine.projects.opening import OpenedProject, main_role, new_project, refuse_unknown_fields
    from anonymizer_gui.engine.projects.script_arguments import check_room, with_decisions
    from anonymizer_gui.engine.storage.sources import Source

    way = check_room(room)
    choices: dict[str, Any] = {"roles": parse_roles(decided.pop("roles"))} if "roles" in decided else {}
    refuse_unknown_fields(way.project, decided)
    if isinstance(data, str | Path):
        opened = new_project(way, Source(str(data)), **choices)
    else:
        table, report = from_dataframe(data)
        begun = way.begin(Source(""), table, SILENT, **choices)
        notes = (*report.problems, *begun.notes)
        opened = OpenedProject(begun.project.with_sources({}), {main_role(way): table}, notes)
    columns = column_names(opened.files[main_role(way)])
    return replace(opened, project=with_decisions(opened, decided, with_placeholders, columns))


def frame(opened: "OpenedProject", release: Any, *, reason: str = "") -> "DataFrame":
    """Give the table that would leave as a DataFrame of texts, after the checks an export makes, but without its proof.

    A cell that is missing is None. The reason overrides a failed check; otherwise that raises NotReady.
    """
    from anonymizer_gui.engine.core.errors import BadParameter
    from anonymizer_gui.engine.core.progress import SILENT
    from anonymizer_gui.engine.data.tables.dataframes import to_dataframe
    from anonymizer_gui.engine.projects.script_arguments import check_project, check_reason, check_release
    from anonymizer_gui.engine.releases.export import refuse_unready
    from anonymizer_gui.engine.releases.release_candidate import read_safeguards
    from anonymizer_gui.engine.room import TableCandidate

    check_release(check_project(opened), release)
    leaving = opened.room.leaving(release, opened.files, read_safeguards("", "", check_reason(reason)), SILENT)
    if not isinstance(leaving, TableCandidate):
        raise BadParameter("What this room releases is no single table.", "Export it, and read the files.")
    refuse_unready(leaving)
    return to_dataframe(leaving.table)


def open(  # noqa: A001
    project: str | Path, *, moved_to: str | Path = "", allow_changed: bool = False, allow_database: bool = False
) -> "OpenedProject":
    """Open a saved project with its files; `moved_to` names where the data is now.

    A database is called up only when that is allowed, and a file that has changed since is refused unless allowed.
    Raises an AnonymizerError with one sentence and a hint.
    """
    from anonymizer_gui.engine.projects.opening import open_project, refuse_incomplete
    from anonymizer_gui.engine.projects.script_arguments import check_file

    place = str(check_file(moved_to)) if moved_to != "" else ""
    opened = open_project(check_file(project), moved_to=place, allow_database=allow_database)
    refuse_incomplete(opened, allow_changed=allow_changed)
    return opened


def run(opened: "OpenedProject", *, try_anyway: bool = False) -> Any:
    """Make the release of a project that was opened; raises Infeasible when its goals cannot be reached."""
    from anonymizer_gui.engine.core.progress import SILENT
    from anonymizer_gui.engine.projects.script_arguments import check_project

    return check_project(opened).room.run(opened.project, opened.files, SILENT, try_anyway=try_anyway)


def export(
    opened: "OpenedProject",
    release: Any,
    path: str | Path,
    *,
    key: str | Path = "",
    ledger: str | Path = "",
    reason: str = "",
    sign: str | Path = "",
) -> "ExportResult":
    """Write the release with certificate and report; the reason overrides a failed check.

    Key, ledger and the key to sign with are files, and are never overwritten.
    """
    from anonymizer_gui.engine.core.progress import SILENT
    from anonymizer_gui.engine.projects.script_arguments import check_file, check_project, check_reason, check_release
    from anonymizer_gui.engine.releases.export import export as export_release
    from anonymizer_gui.engine.releases.release_candidate import read_safeguards
    from anonymizer_gui.engine.releases.signing import read_signing_key
    from anonymizer_gui.engine.storage.sources import sqlite_files

    check_release(check_project(opened), release)
    kept, signing = (check_file(file) for file in (key, sign))
    target, book = check_file(path), check_file(ledger)
    signer = read_signing_key(signing) if sign else None
    own = [file for file, given in ((kept, key), (signing, sign)) if given] + (sqlite_files(book) if ledger else [])
    safeguards = read_safeguards(str(key), str(ledger), check_reason(reason))
    leaving = opened.room.leaving(release, opened.files, safeguards, SILENT)
    return export_release(leaving, target, signer=signer, own=own)


def verify(path: str | Path, certificate: str | Path | None = None) -> "Verification":
    """Measure a released file again and compare it with its certificate."""
    from anonymizer_gui.engine.projects.script_arguments import check_file
    from anonymizer_gui.engine.releases.verification import verify_release

    return verify_release(check_file(path), check_file(certificate) if certificate else None)
