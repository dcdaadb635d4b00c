"""No published class has fewer than l different values of a sensitive column."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.params import Int, Text, param
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.policies.contract import RULES, Answer, Rule, Shown


@RULES.register
@dataclass(frozen=True, slots=True)
class DifferentValues(Rule):
    """Distinct l-diversity of the published table; missing is no value."""

    name: ClassVar[str] = "different-values"
    title: ClassVar[str] = "Different values in every class"
    summary: ClassVar[str] = "Every class of the published table has at least l different sensitive values."

    l: int = param(Int(low=1), default=2, label="l", help="Fewest different values.")  # noqa: E741
    column: str = param(
        Text(column=True, empty="Every sensitive column"),
        default="",
        label="Column",
        help="The sensitive column; nothing means every one.",
    )

    def demand(self) -> Message:
        """Say the l and the column."""
        if self.column:
            return message("No class with fewer than {l} values of “{column}”", l=self.l, column=self.column)
        return message("No class with fewer than {l} values of a sensitive column", l=self.l)

    def judge(self, shown: Shown) -> Answer:
        """Compare with the fewest values that were counted in a class."""
        told = shown.numbers["per_sensitive"]
        there = [column.name for column in shown.of_role(Role.SA)]
        looked = [self.column] if self.column else there
        if self.column not in ("", *there) or not looked:
            return Answer(False, message("There is no such sensitive column: nothing says what is to be protected."))
        fewest = {name: int(told[name]["l"]["distinct"] or 0) for name in looked}
        bad = [name for name, values in fewest.items() if values < self.l]
        if bad:
            least = min(fewest.values())
            return Answer(
                False,
                message("Some class has only {l:value|values} of {columns}.", l=least, columns=quote(bad)),
            )
        return Answer(True, message("Every class has at least {l:value|values}.", l=min(fewest.values())))
