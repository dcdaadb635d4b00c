"""Options that all commands share: reading, export, progress on the terminal, standard streams."""

import argparse
import dataclasses
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, IncompleteExport
from anonymizer_gui.engine.core.params import Json, from_texts, params_of, to_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions, read_table, sniff
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.releases.certificate import CERTIFICATE, REPORT_PDF
from anonymizer_gui.engine.releases.export import ExportResult, Printer, check_text, export
from anonymizer_gui.engine.releases.interrupted_export import companion_names
from anonymizer_gui.engine.releases.release_candidate import Safeguards, read_safeguards
from anonymizer_gui.engine.releases.signing import SigningKey, read_signing_key
from anonymizer_gui.engine.room import Files, ReleaseCandidate, room_of
from anonymizer_gui.engine.storage.keys import make_key
from anonymizer_gui.engine.storage.sources import (
    Source,
    files_of_sources,
    is_address,
    parse_address,
    refuse_overwrite,
    refuse_same_target,
    sqlite_files,
)

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate as MicrodataCandidate


def add_reading_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare how the table is read; without a word that is found by looking at it."""
    parser.add_argument(
        "--read",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"how TABLE is read, such as encoding=cp1251: {', '.join(p.name for p in params_of(ReadOptions))}",
    )


def source_from(path: str, given: list[str]) -> Source:
    """Give the table with the options that were given, the others as they are found by looking."""
    return Source(path, options=to_json(reading_options(path, given)) if given else {})


def read_table_from(path: str, given: Iterable[str] = ()) -> Table:
    """Read a table and tell what was found on the way; raises UnreadableFile."""
    table, report = read_table(path, reading_options(path, list(given)) if given else None)
    print_notes(path, report.problems)
    return table


def print_notes(path: str, notes: Iterable[str]) -> None:
    """Tell on standard error what reading a table changed, repaired and doubted."""
    name = parse_address(path).place if is_address(path) and not path.startswith("sqlite") else Path(path).name
    for note in notes:
        sys.stderr.write(f"{name}: {note}\n")


def reading_json(project: Any, notes: Sequence[str]) -> dict[str, Json]:
    """Give how the table of a project was read, and what was found on the way."""
    source = next(iter(project.sources().values()), Source(""))
    return {"options": dict(source.options), "notes": list(notes)}


def reading_options(path: str, given: list[str]) -> ReadOptions:
    """Give the options that were named, the others as they are found by looking; raises BadParameter."""
    return with_named(sniff(path), given)


def with_named(options: ReadOptions, given: Sequence[str]) -> ReadOptions:
    """Give options with those that were named; raises BadParameter."""
    pairs = [text.partition("=") for text in given]
    for name, equals, _ in pairs:
        if not equals:
            raise BadParameter("--read needs NAME=VALUE.", f"It was “{name}”.")
    chosen = {name.strip(): value for name, _, value in pairs}
    wanted = from_texts(ReadOptions, chosen)
    return dataclasses.replace(options, **{name: getattr(wanted, name) for name in chosen})


def add_export_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare key, ledger, mappings and reason."""
    group = parser.add_argument_group("release")
    group.add_argument("--key", metavar="FILE", help="key file for pseudonyms and ledger; made when it is not there")
    group.add_argument("--ledger", metavar="FILE", help="ledger of releases to check against and to write into")
    group.add_argument("--mapping", metavar="FILE", help="write which pseudonym stands for whom; keep it apart")
    group.add_argument(
        "--before-after", metavar="FILE", help="write which value became which label, and summaries; keep it inside"
    )
    group.add_argument("--sign", metavar="FILE", help="sign the certificate with this key; `keys new` makes one")
    group.add_argument("--pdf", action="store_true", help="print the report to PDF, too")
    group.add_argument("--reason", default="", help="release although a check fails; the reason stands in the report")
    group.add_argument("--try-anyway", action="store_true", help="start although memory or time will hardly suffice")


def export_settings(
    args: argparse.Namespace, *, asks: bool = True
) -> tuple[Safeguards, dict[str, Printer] | None, SigningKey | None]:
    """Give what a release leaves with: key, ledger and reason, who prints its report, and who signs it."""
    if args.pdf and args.printer is None:
        raise BadParameter("The report cannot be printed from here.", "Call anonymizer-gui, or leave --pdf out.")
    signer = read_signing_key(Path(args.sign)) if args.sign else None
    if args.key and not Path(args.key).exists():
        make_key(Path(args.key))
    safeguards = replace(read_safeguards(args.key or "", args.ledger or "", args.reason), asks=asks)
    return safeguards, {REPORT_PDF: args.printer} if args.pdf else None, signer


def write_release(args: argparse.Namespace, release: Any, files: Files, *, asks: bool = True) -> ExportResult:
    """Check and export a release, and write the mapping of its pseudonyms when it is asked for."""
    safeguards, printers, signer = export_settings(args, asks=asks)
    leaving = room_of(release.project.room).leaving(release, files, safeguards, SILENT)
    mapped = _with_pseudonyms(leaving) if args.mapping else None
    compared = _of_people(leaving) if args.before_after else None
    # Only now it is known what a room writes beside its first file: a key or ledger may have such a name.
    others = [Path(place) for place in (args.mapping, args.before_after) if place]
    own = [*_own_files(args, ()), *others]
    exported = export(leaving, Path(args.output), printers=printers, signer=signer, own=own)
    args.has_left = True
    sys.stderr.write(f"{exported.inside} stays inside: it proves the release and must never be published.\n")
    for check in leaving.checks:
        if not check.holds:
            sys.stderr.write(f"Look again: {check.title}. {check_text(check)}\n")
    try:
        if mapped is not None:
            from anonymizer_gui.engine.rooms.microdata.release.release_candidate import write_pseudonym_mapping

            write_pseudonym_mapping(mapped, Path(args.mapping))
        if compared is not None:
            from anonymizer_gui.engine.rooms.microdata.release.codebook import write_private_codebook

            write_private_codebook(compared, Path(args.before_after))
    except AnonymizerError as error:
        raise IncompleteExport(
            f"The release has left, but not what was to be written beside it. {error.message}", error.hint
        ) from None
    return exported


def _of_people(leaving: ReleaseCandidate) -> "MicrodataCandidate":
    """Refuse, before anything is written, to tell values and labels where there are none."""
    from anonymizer_gui.engine.rooms.microdata.release.release_candidate import (
        ReleaseCandidate,  # other rooms do without all of it
    )

    if isinstance(leaving, ReleaseCandidate):
        return leaving
    raise BadParameter("--before-after is for tables of people.", "Leave it out.")


def _with_pseudonyms(leaving: ReleaseCandidate) -> "MicrodataCandidate":
    """Refuse, before anything is written, to map pseudonyms where there are none."""
    from anonymizer_gui.engine.rooms.microdata.release.release_candidate import (
        ReleaseCandidate,  # other rooms do without all of it
    )

    if isinstance(leaving, ReleaseCandidate) and leaving.release.project.publishing.pseudonyms:
        return leaving
    raise BadParameter("The release has no pseudonyms to map.", "Leave --mapping out, or choose pseudonyms.")


def check_output_files(args: argparse.Namespace, sources: Iterable[Source] = (), beside: Iterable[str] = ()) -> None:
    """Refuse, before anything is done, to overwrite what is read or kept, or to write two things into one file.

    `sources` are those a project names, `beside` what is written beside the release. Raises BadParameter.
    """
    written = [Path(args.output), *companion_names(Path(args.output))]
    written += [Path(place) for place in (args.mapping, args.before_after, *beside) if place]
    refuse_same_target(written)
    refuse_overwrite(written, _own_files(args, sources))
    kept = [Path(path) for path in (args.key, args.ledger, args.sign) if path]
    refuse_same_target(kept)


def _own_files(args: argparse.Namespace, sources: Iterable[Source]) -> list[Path]:
    """List what is read and kept: tables, hierarchies, project, keys, and the ledger with what lies beside it."""
    named = [getattr(args, name, None) for name in ("table", "population")]
    own = files_of_sources([*sources, *(Source(place) for place in named if place)])
    own += [Path(path) for path in (getattr(args, "project", None), args.key, args.sign) if path]
    own += sqlite_files(Path(args.ledger)) if args.ledger else []
    return own + (_hierarchy_files(Path(args.hierarchies)) if getattr(args, "hierarchies", None) else [])


def _hierarchy_files(folder: Path) -> list[Path]:
    """List what lies in a folder of hierarchies; an earlier release there, known by its certificate, is none."""
    files = set(folder.iterdir()) if folder.is_dir() else set()
    releases = {path for path in files if path.with_name(path.name + CERTIFICATE) in files}
    return sorted(files - releases - {beside for path in releases for beside in companion_names(path)})


_SHOWN_AFTER = 2.0

_SHOWN_EVERY = 0.2

_TOLD_EVERY = 60.0

_WIDEST = 100


class _Line:
    """Writes what is going on: often over the same line of a terminal, once a minute into a file."""

    def __init__(self) -> None:
        self._started = self._written = time.monotonic()
        self._is_seen = sys.stderr is not None and sys.stderr.isatty()
        self._words = ""
        self._width = 0

    def report(self, fraction: float, text: str) -> None:
        """Take a report; most are not worth a line."""
        now = time.monotonic()
        self._words = str(text) or self._words
        wait = _SHOWN_EVERY if self._is_seen else _TOLD_EVERY
        if now - self._started < _SHOWN_AFTER or now - self._written < wait:
            return
        self._written = now
        line = f"{fraction:4.0%}  {self._words}"[:_WIDEST]
        if self._is_seen:
            sys.stderr.write(f"\r{line:<{self._width}}")
            self._width = len(line)
        else:
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()

    def clear(self) -> None:
        """Leave no half line behind."""
        if self._width:
            sys.stderr.write(f"\r{'':<{self._width}}\r")
            sys.stderr.flush()
            self._width = 0


@contextmanager
def terminal_progress() -> Iterator[Progress]:
    """Give a progress that is shown on standard error while something takes long."""
    line = _Line()
    try:
        yield Progress(report=line.report)
    finally:
        line.clear()
