"""What the three readings of l-diversity share: which values count, and that few of them are bad."""

from typing import ClassVar, Literal

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Flag, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Sensitive
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import without
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import SensitiveModel

MISSING_HELP = (
    "Whether a missing cell counts as a value of its own. It does not unless you say so: of five rows, four with one "
    "value and one without, nothing is left to guess."
)


def missing_param() -> bool:
    """Declare whether a missing sensitive value counts as one."""
    declared: bool = param(Flag(), default=False, label="Missing counts", help=MISSING_HELP)
    return declared


class DiversityModel(SensitiveModel):
    """A model about how many values a class has and how evenly; cells without a value count only where asked for."""

    __slots__ = ()

    small_is_bad: ClassVar[bool] = True
    figure: ClassVar[Literal["l"]] = "l"
    counts_people: ClassVar[bool] = True

    missing: bool

    def known(self, histogram: Histogram, sensitive: Sensitive) -> Histogram:
        """Give the values that count."""
        return without(histogram, self.left_out(sensitive))

    def left_out(self, sensitive: Sensitive) -> int:
        """Give the value that does not count: missing, unless it was asked for."""
        return -1 if self.missing else sensitive.missing

    def where(self) -> str:
        """Name the columns looked at, for the sentence of the goal."""
        where = SensitiveModel.where(self)
        return message("{where}, missing being one of them", where=where) if self.missing else where
