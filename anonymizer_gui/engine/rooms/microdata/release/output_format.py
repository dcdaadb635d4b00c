"""Cells and names as the file has them; read back and compared."""

from pathlib import Path

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, PromiseBroken
from anonymizer_gui.engine.core.messages import Message, as_message, message, quote
from anonymizer_gui.engine.core.params import from_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions, read_table
from anonymizer_gui.engine.data.tables.io.contract import PERTURBED_SUFFIX, written_labels, written_name, written_names
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Role, Table
from anonymizer_gui.engine.rooms.microdata.masking.steps import untruthful_columns
from anonymizer_gui.engine.rooms.microdata.project import Project

_TEXT_SUFFIXES = (".csv", ".txt")

_DIALECT = ("delimiter", "encoding")


def write_options(project: Project, path: Path) -> WriteOptions:
    """Write delimited text as the source was written, and everything as the project says."""
    options = project.source.options if project.source else {}
    is_text = path.suffix.lower() in _TEXT_SUFFIXES
    dialect = {name: options[name] for name in _DIALECT if is_text and name in options}
    publishing = project.publishing
    entries = {**dialect, "missing": publishing.missing_token, "escape_formulas": publishing.escape_formulas}
    return from_json(WriteOptions, {**entries, "untruthful": untruthful_output_columns(project)})


def untruthful_output_columns(project: Project) -> tuple[str, ...]:
    """Name the columns that leave with cells that are not truthful."""
    left_out, ways = project.left_out_columns(), dict(project.publishing.pseudonyms)
    leaving = [c.name for c in project.schema.columns if c.role is not Role.EI or c.name in ways]
    return untruthful_columns(project.source, [name for name in leaving if name not in left_out])


def require_marked_name(project: Project, path: Path) -> None:
    """Refuse a file name that does not say that the cells are not truthful, where they are not; raises BadParameter."""
    there = untruthful_output_columns(project)
    if there and PERTURBED_SUFFIX not in path.name.lower().replace("-", " ").replace("_", " "):
        raise BadParameter(
            message(
                "The cells of {columns} are not truthful, and the name of the file must say so.", columns=quote(there)
            ),
            message("Call it {name}.", name=mark_name(path.name)),
        )


def mark_name(name: str) -> str:
    """Say in the name of a file that its cells are not truthful.

    >>> mark_name("out.csv")
    'out.not-truthful.csv'
    """
    stem, dot, suffix = name.rpartition(".")
    mark = PERTURBED_SUFFIX.replace(" ", "-")
    return f"{stem}.{mark}.{suffix}" if dot and stem else f"{name}.{mark}"


def column_in_file(column: Column, options: WriteOptions) -> Column:
    """Give a column with the texts that a reader of the file finds in its cells."""
    texts = [
        MISSING if label == MISSING else text
        for label, text in zip(column.labels, written_labels(column, options), strict=True)
    ]
    return Column(column.name, column.codes, tuple(texts), column.times)


def name_in_file(name: str, options: WriteOptions) -> str:
    """Give the name of a column as its file has it."""
    return written_name(name, options)


def with_file_spelling(table: Table, project: Project) -> Table:
    """Spell sensitive values as a file will have them, where nothing but their texts puts them in order.

    An apostrophe before a formula changes its place among the texts, and so the ordered distance of the classes.
    """
    options = write_options(project, Path())
    spelled = {*project.schema.names(Role.SA)} - project.hierarchies.keys()
    columns = tuple(column_in_file(column, options) if column.name in spelled else column for column in table.columns)
    return Table(columns, table.n_rows)


def read_release(path: Path, options: WriteOptions, progress: Progress = SILENT) -> Table:
    """Read a release with the ordinary reader, as it was written; raises UnreadableFile."""
    missing = (options.missing,) if options.missing else ()
    is_tabbed = path.suffix.lower() in (".tsv", ".tab") and options.delimiter == ","
    delimiter = "\t" if is_tabbed else options.delimiter
    return read_table(path, ReadOptions(delimiter=delimiter, encoding=options.encoding, missing=missing), progress)[0]


def require_same_table(path: Path, table: Table, options: WriteOptions, progress: Progress = SILENT) -> Table:
    """Read a written file with the ordinary reader; raises PromiseBroken unless it holds exactly this table."""
    try:
        again = read_release(path, options, progress)
    except AnonymizerError as error:
        raise _different(message("it cannot be read back: {reason}", reason=as_message(error.message))) from None
    if again.n_rows != table.n_rows:
        raise _different(
            message("it has {rows:row|rows} instead of {wanted:,}.", rows=again.n_rows, wanted=table.n_rows)
        )
    if list(again.names) != written_names(table, options):
        raise _different(message("its columns have other names."))
    return Table(
        tuple(_same_cells(c, read, options) for c, read in zip(table.columns, again.columns, strict=True)),
        again.n_rows,
    )


def _same_cells(column: Column, read: Column, options: WriteOptions) -> Column:
    """Translate the texts of the file back into the labels they were written for, and compare all cells."""
    texts = column_in_file(column, options).labels
    label_of = {text: code for code, text in enumerate(texts)}
    if len(label_of) < len(texts):
        raise _different(message("different values of “{column}” look the same in it.", column=column.name))
    code_of = np.array([label_of.get(label, -1) for label in read.labels], dtype=np.int64)
    codes = code_of[read.codes] if len(read) else np.empty(0, dtype=np.int64)
    differing = int(np.count_nonzero(codes != column.codes))
    if differing:
        raise _different(
            message("{cells:cell|cells} of “{column}” {cells:~differs|differ}.", cells=differing, column=column.name)
        )
    return Column(column.name, codes, column.labels)


def _different(what: Message) -> PromiseBroken:
    return PromiseBroken(
        message("The written file is not the release: {what}", what=what),
        "Nothing was released. Choose another format or encoding.",
    )


def file_texts(column: Column, options: WriteOptions) -> list[str | None]:
    """Give the text of every label as a file has it; None where nothing is written for a missing cell."""
    texts: list[str | None] = [*written_labels(column, options)]
    if MISSING in column.labels and not options.missing:
        texts[column.labels.index(MISSING)] = None
    return texts
