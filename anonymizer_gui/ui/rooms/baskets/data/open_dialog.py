"""Opening baskets: the first ones are shown as they will be read, while one changes how they are read."""

from pathlib import Path
from typing import ClassVar

from PySide6.QtWidgets import QWidget

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.baskets.baskets import BasketOptions, Baskets
from anonymizer_gui.engine.data.baskets.reading import BasketsReadReport, read_baskets, sniff_options, table_columns
from anonymizer_gui.ui.dialogs.open_data import OpenDataDialog
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view

SHOWN = 200


class OpenBaskets(OpenDataDialog):
    """How the file is read at the left, its first baskets at the right."""

    room: ClassVar[str] = "baskets"
    title: ClassVar[str] = "Open Baskets"
    options: ClassVar[type] = BasketOptions

    def preview(self) -> QWidget:
        """List the first baskets."""
        self.model = TextTableModel((tr("Basket"), tr("Items")), (0,))
        self.view = text_table_view(self.model, "basket_preview", tr("The first baskets"), 1)
        return self.view

    @staticmethod
    def sniff(path: Path, progress: Progress) -> tuple[BasketOptions, tuple[str, ...]]:
        """Look at the beginning of the file."""
        progress(0.0)
        return sniff_options(path), table_columns(path)

    @staticmethod
    def look(path: Path, options: BasketOptions, progress: Progress) -> tuple[Baskets, BasketsReadReport]:
        """Read the first baskets."""
        return read_baskets(path, options, progress, limit=SHOWN)

    def show_data(self, data: Baskets | None, found: BasketsReadReport | None) -> str:
        """Show the baskets, and count what is remarkable about them."""
        rows = [(format_integer(at + 1), ", ".join(held)) for at, held in enumerate(data.sets() if data else ())]
        self.model.show_rows(rows)
        if found is None:
            return ""
        return tr(
            "The first {baskets:basket|baskets}: {items:item|items}, {empty} empty, {twice} twice in a basket.",
            baskets=found.baskets,
            items=found.items,
            empty=format_integer(found.empty),
            twice=format_integer(found.duplicates),
        )
