"""What reading baskets changed and found; nothing of it is silent."""

from dataclasses import dataclass

from anonymizer_gui.engine.core.messages import message


@dataclass(frozen=True, slots=True)
class Found:
    """Counts of what was there: items twice in a basket, empty baskets, separators that are odd."""

    baskets: int = 0
    items: int = 0
    occurrences: int = 0
    duplicates: int = 0
    empty: int = 0
    blanks: int = 0
    """Separators with nothing between them, rows without an item."""
    odd: int = 0
    """Items that hold another character that usually separates items."""
    nameless: int = 0
    """Items whose row does not say which basket they are of."""
    changed: int = 0
    """Occurrences that were written in another form: white space around them, invisible characters."""
    notes: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """Say in sentences what the user should look at."""
        told = (
            (
                self.duplicates,
                message("{n:item was|items were} twice in a basket and {n:~counts|count} once.", n=self.duplicates),
            ),
            (self.empty, message("{n:basket is|baskets are} empty.", n=self.empty)),
            (self.blanks, message("{n:time|times} there was nothing where an item should be.", n=self.blanks)),
            (
                self.nameless,
                message("{n:item has|items have} no name of a basket; they are taken for one basket.", n=self.nameless),
            ),
            (self.odd, message("{n:item holds|items hold} a character that often separates items.", n=self.odd)),
            (
                self.changed,
                message("White space and invisible characters were taken off {n:item|items}.", n=self.changed),
            ),
        )
        return (*self.notes, *(sentence for count, sentence in told if count))
