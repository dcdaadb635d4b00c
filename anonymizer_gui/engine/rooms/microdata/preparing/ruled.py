"""What rules alone make of a column that chance changes, too: ranges that PRAM exchanges, noise that is then rounded.

Everybody who knows a true value and the rules can work this out, so that is what they look for in a release.
"""

from collections.abc import Mapping, Sequence

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.rooms.microdata.preparing.contract import Prepared, Step
from anonymizer_gui.engine.rooms.microdata.preparing.prepared_table import as_it_was


def ruled_columns(table: Table, steps: Sequence[Step]) -> dict[str, Column]:
    """Give the columns that some steps change by the value alone and others do not, as they are read."""
    rules, others = (
        {name for step in steps if step.is_by_value is by_value for name in step.touched() or ()}
        for by_value in (True, False)
    )
    return {name: table.column(name) for name in table.names if name in rules & others}


def by_rules(ruled: Mapping[str, Column], step: Step, done: Prepared, decimal: str) -> dict[str, Column]:
    """Take the columns through a step: rules are followed, chance is not, rows are those that are left."""
    now = {name: column if done.origin is None else as_it_was(column, done.origin) for name, column in ruled.items()}
    for name in (step.touched() or ()) if step.is_by_value else ():
        if name in now:
            now[name] = _followed(now[name], step, decimal)
    return now


def _followed(column: Column, step: Step, decimal: str) -> Column:
    try:
        return step.apply(Table((column,)), decimal).table.columns[0]
    except BadParameter:  # chance made numbers or dates where there were none: the rule finds nothing to change
        return column
