"""One neighbour is found in the table by what everybody on her street knows."""

from collections import Counter

from anonymizer_gui.engine.core import FIRST_ROOM
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
from anonymizer_gui.ui.shell.main_window import MainWindow

_KNOWN = ("zip", "birth_date", "sex")
_FOUND_OUT = "diagnosis"
_WOMAN = "F"


def neighbour_step() -> TourStep:
    """Show her row, and nothing else."""
    return TourStep(
        "neighbour",
        tr("A neighbour"),
        tr("Taking the names away is not enough."),
        _show_her,
        "data_table",
        tell=_tell,
        leave=_show_all,
        again=_show_her,
    )


def singled_out(table: Table) -> int:
    """Give the first woman whose postal code, birthday and sex nobody else in the table has."""
    known = list(zip(*(table.column(name).texts() for name in _KNOWN), strict=True))
    alike = Counter(known)
    return next(row for row, cells in enumerate(known) if cells[-1] == _WOMAN and alike[cells] == 1)


def _show_her(window: MainWindow) -> None:
    window.go_to("data")
    page, table = window.pages.page("data"), window.document.table
    if isinstance(page, DataPage) and table is not None:
        page.show_rows((singled_out(table),), _FOUND_OUT)


def _show_all(window: MainWindow) -> None:
    page = window.pages.page("data") if window.document.room == FIRST_ROOM else None
    if isinstance(page, DataPage):
        page.show_rows(())


def _tell(window: MainWindow) -> str:
    table = window.document.table
    if table is None:
        return ""
    row = singled_out(table)
    cells = {name: table.column(name).texts()[row] for name in (*_KNOWN, _FOUND_OUT)}
    return tr(
        "We know a neighbour’s postal code {zip}, her birthday {birth_date} and that she is a woman: one row of "
        "{rows} fits. Now we know her diagnosis, too: {diagnosis}.",
        rows=format_integer(table.n_rows),
        **cells,
    )
