"""The line above a table that an engine holds: it says that only some rows are shown, and that figures are of all."""

from anonymizer_gui.engine.data.tables.table import SampledTable, Table
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.widgets.message_strip import InlineMessage


class HeldLine(InlineMessage):
    """Hidden while memory holds the table."""

    def show_table(self, table: Table) -> None:
        """Say how many rows of how many are shown; nothing when all are."""
        if not isinstance(table, SampledTable):
            self.show_note("info", "")
            return
        self.show_note(
            "info",
            tr(
                "The table stays where it is ({engine}): {shown} of {rows:row|rows} are shown, drawn at random. Column "
                "figures are exact, of all rows; finding, sorting and sets of columns that identify are about the "
                "rows shown.",
                engine=_name(table.engine),
                shown=format_integer(table.n_rows),
                rows=format_integer(table.n_whole),
            ),
        )


def _name(address: str) -> str:
    return "DuckDB" if address == "duckdb" else address
