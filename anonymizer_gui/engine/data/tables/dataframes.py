"""Tables from DataFrames and back: every value has one text, as if it had been read from a file."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.contract import TextEncoder, build_table, check_column_count
from anonymizer_gui.engine.data.tables.io.options import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_report import ReadReport
from anonymizer_gui.engine.data.tables.normalisation import canonical_text, repair_names
from anonymizer_gui.engine.data.tables.table import MISSING, Codes, Role, Table

if TYPE_CHECKING:
    from pandas import DataFrame


def parse_roles(roles: Mapping[str, str | Role]) -> dict[str, Role]:
    """Give the roles that columns are said to have: EI, QI, SA, other; raises BadParameter for other words."""
    if not isinstance(roles, Mapping):
        raise BadParameter("The roles are no mapping of columns.", "Write roles=dict(age='QI', illness='SA').")
    known = {role.value.lower(): role for role in Role}
    named: dict[str, Role] = {}
    for name, word in roles.items():
        role = word if isinstance(word, Role) else known.get(str(word).lower())
        if role is None:
            raise BadParameter(
                message("“{role}” is no role a column could have.", role=str(word)),
                message(
                    "There are: {known}. “{name}” must have one of them.", known=[r.value for r in Role], name=name
                ),
            )
        named[name] = role
    return named


def column_names(data: object) -> tuple[str, ...]:
    """Name the columns of a table; of anything else there are none."""
    return data.names if isinstance(data, Table) else ()


def from_dataframe(frame: "DataFrame", progress: Progress = SILENT) -> tuple[Table, ReadReport]:
    """Take the columns of a DataFrame as texts, without its index; missing is None, NaN or an empty text.

    Raises UnreadableFile when there are no columns, BadParameter when it is something else.
    """
    import pandas as pd  # takes longer to load than most files to read

    if not isinstance(frame, pd.DataFrame):
        raise BadParameter(
            message("{kind} is neither a DataFrame nor the name of a file.", kind=type(frame).__name__),
            "Make a DataFrame of it first.",
        )
    if not len(frame.columns):
        raise UnreadableFile("The DataFrame has no columns.", "Give one with at least one column.")
    check_column_count(len(frame.columns))
    names, renamed = repair_names([canonical_text(name) for name in frame.columns])
    coded: list[tuple[Codes, list[str]]] = []
    for at, name in enumerate(names):
        progress(at / len(names), message("Reading “{name}”", name=name))
        coder = TextEncoder()
        coder.add([canonical_text(value) for value in frame.iloc[:, at].tolist()])
        coded.append(coder.finish())
    return build_table(names, coded, len(frame), ReadOptions(), ReadReport(renamed=renamed))


def to_dataframe(table: Table) -> "DataFrame":
    """Give a table as a DataFrame of texts; a missing cell is None."""
    import pandas as pd  # takes longer to load than most files to read

    columns = {}
    for column in table.columns:
        labels = np.array([None if label == MISSING else label for label in column.labels] or [None], dtype=object)
        columns[column.name] = labels[column.codes]
    return pd.DataFrame(columns, index=range(table.n_rows))
