"""Hierarchy files: read with the format found by looking, written with the format asked for."""

import re
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core.errors import BadHierarchy, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.io.csv_dialect import encoding_or_refuse
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.duplicates import DoubleLabels
from anonymizer_gui.engine.hierarchy.formats.contract import HIERARCHY_FORMATS, USUAL_FORMAT, HierarchyFormat
from anonymizer_gui.engine.hierarchy.formats.paths import refuse_huge
from anonymizer_gui.engine.hierarchy.interval_labels import with_intervals
from anonymizer_gui.engine.hierarchy.recodes.lines import RECODE_SUFFIX, code_labels, code_list_of, is_recode
from anonymizer_gui.engine.hierarchy.recodes.trees import read_recode, with_values
from anonymizer_gui.engine.hierarchy.sketch import Duplicate
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.storage.safe_open import read_regular
from anonymizer_gui.engine.storage.saving import write_text

LARGEST_BYTES = 256 << 20
_SEPARATOR_LINE = re.compile(r"sep=[^\w\s](?=\r?\n)")


@dataclass(frozen=True, slots=True, eq=False)
class Repaired:
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
    return tree if column is None else with_values(tree, column, schema)


def repair_hierarchy(path: Path) -> Repaired:
    """Read a hierarchy file in which labels may stand twice: values keep their first place, groups get other names.

    Raises what `read_hierarchy` raises for everything else: cycles, gaps and second roots are not repaired.
    """
    try:
        return Repaired(read_hierarchy(path))
    except DoubleLabels as error:
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


def repair_text(text: str, name: str) -> Repaired:
    """Read a hierarchy from text in which labels may stand twice; see `DoubleLabels.repaired`.

    >>> repair_text("Paris;France;*\\nParis;Texas;*\\nWaco;Texas;*\\n", "town.csv").hierarchy.leaf_labels
    ('Paris', 'Waco')
    """
    try:
        return Repaired(read_text(text, name))
    except DoubleLabels as error:
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


def _repaired(error: DoubleLabels, name: str) -> Repaired:
    return Repaired(with_intervals(refuse_huge(error.repaired(), name)), error.duplicates)


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
