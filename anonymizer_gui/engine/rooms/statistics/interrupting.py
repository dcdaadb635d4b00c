"""A run that ends early: noise that was drawn in several steps was paid for, whether anybody saw the answer or not."""

from collections.abc import Sequence

from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget
from anonymizer_gui.engine.core.errors import AnonymizerError, Cancelled, CancelledAtCost
from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.releases.ledger.budget import Spend


class Interrupted(Exception):
    """A question of several steps ended early; `spent` is what its noise has cost until then."""

    def __init__(self, spent: Budget, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.spent = spent
        self.cause = cause


def told_with_cost(cause: BaseException, spends: Sequence[Spend], *, has_ledger: bool) -> BaseException:
    """Give what ended a run, with a sentence about its cost; a fault of the program stays as it is."""
    cost = _cost(sum((spend.spend for spend in spends), NO_BUDGET), has_ledger=has_ledger)
    if isinstance(cause, Cancelled | KeyboardInterrupt):
        return CancelledAtCost(cost, message("Nothing of it was shown."))
    if isinstance(cause, AnonymizerError):
        cause.message = join_messages(cause.message, cost)
    return cause


def _cost(spent: Budget, *, has_ledger: bool) -> Message:
    if has_ledger:
        return message("Noise was drawn already: {spent} was spent and stands in the ledger.", spent=spent.sentence())
    return message("Noise was drawn already: {spent} was spent, and no ledger remembers it.", spent=spent.sentence())
