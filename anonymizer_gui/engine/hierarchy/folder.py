"""A folder of hierarchy files matched to columns by name: read all at once, written all at once."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from anonymizer_gui.engine.core.errors import AnonymizerError, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.core.messages import join_messages, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, Schema, Table
from anonymizer_gui.engine.hierarchy.duplicates import DoubleLabels
from anonymizer_gui.engine.hierarchy.fit import check_fit
from anonymizer_gui.engine.hierarchy.formats.contract import HIERARCHY_FORMATS, USUAL_FORMAT
from anonymizer_gui.engine.hierarchy.formats.files import read_hierarchy, write_hierarchy
from anonymizer_gui.engine.hierarchy.interval_labels import with_intervals
from anonymizer_gui.engine.hierarchy.recodes.lines import RECODE_SUFFIX
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.storage.sources import refuse_overwrite, refuse_same_target

State = Literal["matched", "missing", "does not fit", "refused"]
HIERARCHY_SUFFIXES = (".csv", ".txt", ".json", ".hrc", RECODE_SUFFIX)
_COUNTED = 20
_NOT_IN_FILE_NAMES = re.compile(r'[<>:"/\\|?*%\x00-\x1f]|^\.|[. ]$')


@dataclass(frozen=True, slots=True)
class Match:
    """What was found for one column: the file, how it went, in sentences what is wrong with it, and the hierarchy.

    A file refused because labels stand twice comes with its repaired hierarchy.
    """

    column: str
    file: str
    state: State
    notes: tuple[str, ...] = ()
    hierarchy: Hierarchy | None = None

    @property
    def note(self) -> str:
        """All sentences in one line."""
        return join_messages(*self.notes)


@dataclass(frozen=True, slots=True)
class FolderMatch:
    """The table of matches, and the files that belong to no column."""

    matches: tuple[Match, ...]
    unused: tuple[str, ...]

    @property
    def hierarchies(self) -> Mapping[str, Hierarchy]:
        """The hierarchies that can be used as they are, by column."""
        return {match.column: match.hierarchy for match in self.matches if match.hierarchy and match.state != "refused"}


def read_hierarchies(
    folder: Path,
    names: Iterable[str],
    table: Table | None = None,
    schema: Schema | None = None,
    progress: Progress = SILENT,
) -> FolderMatch:
    """Read the hierarchies of columns from `age.csv`, `age.txt`, `age.json`, `age.hrc`, `age.grc` or
    `*_hierarchy_age.csv`.

    Upper and lower case matter only when both spellings exist. With a table, hierarchies that lack values of their
    column are marked as not fitting; a schema says how to read them, as a run would. Raises UnreadableFile when there
    is no such folder; a bad file is a row of the result, not an error.
    """
    try:
        files = sorted(
            path for path in folder.iterdir() if path.suffix.lower() in HIERARCHY_SUFFIXES and path.is_file()
        )
    except OSError as error:
        raise UnreadableFile(
            message(
                "The folder {folder} cannot be read: {reason}.", folder=folder.name, reason=error.strerror or str(error)
            )
        ) from error
    matches = []
    wanted = list(names)
    for at, name in enumerate(wanted):
        progress(at / len(wanted), message("Reading “{name}”", name=name))
        path = find_file(files, name)
        if path is None:
            matches.append(Match(name, "", "missing"))
        elif table is None or name not in table.names:
            matches.append(match_file(path, name))
        else:
            read_as = None if schema is None else schema.column(name)
            matches.append(match_file(path, name, table.whole(name), read_as))
    used = {match.file for match in matches}
    return FolderMatch(tuple(matches), tuple(path.name for path in files if path.name not in used))


def match_file(path: Path, name: str, column: Column | None = None, schema: ColumnSchema | None = None) -> Match:
    """Read a file for a column and say how that went and, with its data, how it fits; a bad file is no error here."""
    try:
        tree = read_hierarchy(path, column, schema)
        fit = check_fit(column, tree, schema) if column is not None else None
    except DoubleLabels as error:
        repaired = with_intervals(error.repaired())
        return Match(name, path.name, "refused", _doubled(error, repaired, column, schema), repaired)
    except AnonymizerError as error:
        return Match(name, path.name, "refused", (error.message, *filter(None, [error.hint])))
    if fit is None:
        return Match(name, path.name, "matched", (), tree)
    return Match(name, path.name, "matched" if fit.is_good else "does not fit", fit.sentences(), tree)


def _doubled(
    error: DoubleLabels, repaired: Hierarchy, column: Column | None, schema: ColumnSchema | None
) -> tuple[str, ...]:
    """Say what stands twice, with data the rows of the first few labels, and the way out."""
    repeated = check_fit(column, repaired, schema, error.duplicates).duplicates if column is not None else ()
    return (error.message, *(each.sentence() for each in repeated[:_COUNTED]), error.hint)


def find_file(files: Iterable[Path], column: str) -> Path | None:
    """Find the file of a column: its own name first, then `*_hierarchy_<column>.csv`, then in any case."""
    stem = file_stem(column)
    wanted = [f"{stem}{suffix}" for suffix in HIERARCHY_SUFFIXES]
    listed = list(files)
    for same in (str, str.casefold):
        for file_name in wanted:
            found = [path for path in listed if same(path.name) == same(file_name)]
            if found:
                return found[0]
        found = [path for path in listed if same(path.name).endswith(same(f"_hierarchy_{stem}.csv"))]
        if found:
            return found[0]
    return None


def write_hierarchies(
    folder: Path, hierarchies: Mapping[str, Hierarchy], format_name: str = USUAL_FORMAT, own: Iterable[Path] = ()
) -> list[Path]:
    """Write one file per column into a folder, made when it is not there; give their paths.

    No file of `own` is overwritten, and nothing is written when one would be: raises BadParameter.
    """
    kind = HIERARCHY_FORMATS.get(format_name)
    paths = [folder / f"{file_stem(column)}{kind.suffixes[0]}" for column in hierarchies]
    refuse_overwrite(paths, own)
    refuse_same_target(paths)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnwritableFile(
            message(
                "The folder {folder} cannot be made: {reason}.", folder=folder.name, reason=error.strerror or str(error)
            )
        ) from error
    for path, hierarchy in zip(paths, hierarchies.values(), strict=True):
        write_hierarchy(hierarchy, path, format_name)
    return paths


def file_stem(column: str) -> str:
    """Give the file name, without suffix, for a column; what file names cannot hold is written as in addresses.

    >>> file_stem("income/year")
    'income%2Fyear'
    """
    return _NOT_IN_FILE_NAMES.sub(lambda found: f"%{ord(found[0]):02X}", column) or "%"
