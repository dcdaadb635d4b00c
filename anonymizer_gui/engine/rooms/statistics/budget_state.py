"""Where a budget stands: what was spent, what the plan would cost, and what is left, for one look."""

from dataclasses import dataclass

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.accountant import ComposedBudget, group_privacy
from anonymizer_gui.engine.releases.ledger.budget import BudgetAccount, BudgetLedger
from anonymizer_gui.engine.room import Files
from anonymizer_gui.engine.rooms.statistics.accounts import allowed_total, left_of, standing
from anonymizer_gui.engine.rooms.statistics.outlook import cost
from anonymizer_gui.engine.rooms.statistics.project import LEDGER, TABLE, Project
from anonymizer_gui.engine.rooms.statistics.shape import shape_of


@dataclass(frozen=True, slots=True)
class BudgetState:
    """The total, what was spent of it, what the plan would cost by itself, and the ledger's account."""

    total: Budget
    spent: ComposedBudget
    left: Budget
    plan: ComposedBudget | None
    """Nothing while a question cannot be asked."""
    account: BudgetAccount

    def group(self, people: int) -> Budget:
        """Give what all releases cost a group of so many people together."""
        return group_privacy(self.spent.budget(), people)


def account_of(project: Project, files: Files, progress: Progress = SILENT) -> BudgetAccount:
    """Give the ledger's account of the data; an empty one without a ledger, or before it is made."""
    ledger: BudgetLedger | None = files.get(LEDGER)
    if ledger is None or TABLE not in files or not ledger.path.exists():
        return BudgetAccount("")
    subject = shape_of(project.shape).fingerprint(files[TABLE], ledger.secret(), progress)
    return ledger.account(subject)


def state(project: Project, account: BudgetAccount) -> BudgetState:
    """Say where the budget stands for a plan; raises Infeasible when the ledger does not allow its delta."""
    total = allowed_total(project, account)
    spent = standing(account, total)
    try:
        plan = cost(project)
    except AnonymizerError:
        plan = None
    return BudgetState(total, spent, left_of(total, spent), plan, account)
