"""Hierarchy files and folders, read by looking, written by name."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError, BadHierarchy, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.core.messages import join_messages, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import preview
from anonymizer_gui.engine.data.tables.io.csv_dialect import encoding_or_refuse
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, Schema, Table
from anonymizer_gui.engine.hierarchy.fit import check_fit
from anonymizer_gui.engine.hierarchy.formats.argus import (
    RECODE_SUFFIX,
    add_values,
    code_labels,
    code_list_of,
    is_recode,
    read_recode,
)
from anonymizer_gui.engine.hierarchy.formats.contract import (
    HIERARCHY_FORMATS,
    USUAL_FORMAT,
    HierarchyFormat,
    refuse_huge,
)
from anonymizer_gui.engine.hierarchy.intervals import with_intervals
from anonymizer_gui.engine.hierarchy.parsed_tree import Duplicate, DuplicateLabels
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.storage.safe_open import read_regular
from anonymizer_gui.engine.storage.saving import write_text
from anonymizer_gui.engine.storage.sources import refuse_overwrite, refuse_same_target

LARGEST_BYTES = 256 << 20

_SEPARATOR_LINE = re.compile(r"sep=[^\w\s](?=\r?\n)")


@dataclass(frozen=True, slots=True, eq=False)
class RepairedHierarchy:
    """The hierarchy of a file, and the labels that stood twice in it before the repair."""

    hierarchy: Hierarchy
    duplicates: tuple[Duplicate, ...] = ()


def known_formats() -> list[type[HierarchyFormat]]:
    """List the formats in the order in which they look at a text."""
    return sorted(HIERARCHY_FORMATS, key=lambda kind: kind.rank)


def read_hierarchy(path: Path, column: Column | None = None, schema: ColumnSchema | None = None) -> Hierarchy:
    """Read a hierarchy file of any known format; labels such as `[35-40)` get their intervals where that is clear.

    A global recode of μ-ARGUS is one, too: its groups get the names of the code list that lies beside it and, with the
    column, the values that go to each.

    Raises UnreadableFile when the file cannot be read, BadHierarchy with line and reason when it is no tree, and of
    its sort DoubleLabels when a label stands twice, which `repair_hierarchy` would mend.
    """
    text = _text_of(path)
    if not is_recode(text, path.name):
        return read_text(text, path.name)
    tree = refuse_huge(read_recode(text, path.name, _named_beside(path, code_list_of(text))), path.name)
    return tree if column is None else add_values(tree, column, schema)


def repair_hierarchy(path: Path) -> RepairedHierarchy:
    """Read a hierarchy file in which labels may stand twice: values keep their first place, groups get other names.

    Raises what `read_hierarchy` raises for everything else: cycles, gaps and second roots are not repaired.
    """
    try:
        return RepairedHierarchy(read_hierarchy(path))
    except DuplicateLabels as error:
        return _repaired(error, path.name)


def read_text(text: str, name: str) -> Hierarchy:
    """Read a hierarchy from text of any known format; `name` says in errors where it came from."""
    text = _SEPARATOR_LINE.sub("", text, count=1) if _SEPARATOR_LINE.match(text) else text
    if not text.strip():
        raise BadHierarchy(message("{name} holds no hierarchy: it is empty.", name=name))
    if is_recode(text, name):
        return refuse_huge(read_recode(text, name), name)
    for kind in known_formats():
        if kind.recognises(text):
            return with_intervals(refuse_huge(kind.read(text, name), name))
    raise BadHierarchy(
        message("{name} is no hierarchy in a known format.", name=name),
        message("Known are: {known}.", known=HIERARCHY_FORMATS.names()),
    )


def repair_text(text: str, name: str) -> RepairedHierarchy:
    """Read a hierarchy from text in which labels may stand twice; see `DoubleLabels.repaired`.

    >>> repair_text("Paris;France;*\\nParis;Texas;*\\nWaco;Texas;*\\n", "town.csv").hierarchy.leaf_labels
    ('Paris', 'Waco')
    """
    try:
        return RepairedHierarchy(read_text(text, name))
    except DuplicateLabels as error:
        return _repaired(error, name)


def write_hierarchy(hierarchy: Hierarchy, path: Path, format_name: str = "") -> None:
    """Write a hierarchy file in the format named, or in that of the suffix (a level table when unknown).

    Its labels are values of people: a new file can be read by its owner only.
    """
    if path.suffix.lower() == RECODE_SUFFIX and not format_name:
        raise BadHierarchy("Global recodes of μ-ARGUS are read, not written.", "Write a code list of ARGUS, `.hrc`.")
    kind = HIERARCHY_FORMATS.get(format_name or format_of(path))
    write_text(path, kind.write(hierarchy), private=not path.exists())


def format_of(path: Path) -> str:
    """Name the format a suffix stands for: the most general one that has it, a level table when none does."""
    fitting = [kind.name for kind in known_formats() if path.suffix.lower() in kind.suffixes]
    return fitting[-1] if fitting else USUAL_FORMAT


def _repaired(error: DuplicateLabels, name: str) -> RepairedHierarchy:
    return RepairedHierarchy(with_intervals(refuse_huge(error.repaired(), name)), error.duplicates)


def _named_beside(path: Path, wanted: str) -> dict[str, str]:
    """Read the code list of a recode where it lies in the same folder, in any case as on the system it comes from."""
    if not wanted:
        return {}
    beside = [each for each in path.parent.iterdir() if each.name.casefold() == wanted.casefold()]
    return code_labels(_text_of(beside[0])) if beside else {}


def _text_of(path: Path) -> str:
    raw = read_regular(path, LARGEST_BYTES)
    encoding = _encoding_of(raw, path.name)
    try:
        return raw.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UnreadableFile(
            message("{name}, line {line}: the text is not {encoding}.", name=path.name, line=line, encoding=encoding),
            "Save the file as UTF-8.",
            line=line,
        ) from None


def _encoding_of(raw: bytes, name: str) -> str:
    """Guess the encoding as for tables, so that both give the same letters."""
    try:
        return encoding_or_refuse(raw, True, name)
    except UnreadableFile:
        raise UnreadableFile(
            message("{name} is not a text file.", name=name), "Choose a level table, a tree of lines or JSON."
        ) from None


_ROWS_SEEN = 50


def is_level_table(path: Path) -> bool:
    """Tell a level table by its last column: below a possible header all its rows name the root."""
    columns = preview(path, rows=_ROWS_SEEN).table.columns
    return len(columns) > 1 and len(np.unique(columns[-1].codes[1:])) == 1


State = Literal["matched", "missing", "does not fit", "refused"]

HIERARCHY_SUFFIXES = (".csv", ".txt", ".json", ".hrc", RECODE_SUFFIX)

_COUNTED = 20

_NOT_IN_FILE_NAMES = re.compile(r'[<>:"/\\|?*%\x00-\x1f]|^\.|[. ]$')


@dataclass(frozen=True, slots=True)
class FileMatch:
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

    matches: tuple[FileMatch, ...]
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
            matches.append(FileMatch(name, "", "missing"))
        elif table is None or name not in table.names:
            matches.append(match_file(path, name))
        else:
            read_as = None if schema is None else schema.column(name)
            matches.append(match_file(path, name, table.whole(name), read_as))
    used = {match.file for match in matches}
    return FolderMatch(tuple(matches), tuple(path.name for path in files if path.name not in used))


def match_file(path: Path, name: str, column: Column | None = None, schema: ColumnSchema | None = None) -> FileMatch:
    """Read a file for a column and say how that went and, with its data, how it fits; a bad file is no error here."""
    try:
        tree = read_hierarchy(path, column, schema)
        fit = check_fit(column, tree, schema) if column is not None else None
    except DuplicateLabels as error:
        repaired = with_intervals(error.repaired())
        return FileMatch(name, path.name, "refused", _doubled(error, repaired, column, schema), repaired)
    except AnonymizerError as error:
        return FileMatch(name, path.name, "refused", (error.message, *filter(None, [error.hint])))
    if fit is None:
        return FileMatch(name, path.name, "matched", (), tree)
    return FileMatch(name, path.name, "matched" if fit.is_good else "does not fit", fit.sentences(), tree)


def _doubled(
    error: DuplicateLabels, repaired: Hierarchy, column: Column | None, schema: ColumnSchema | None
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
