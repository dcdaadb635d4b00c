"""A synthetic table: rows drawn from noisy counts of single columns and of pairs, none of them a person's."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Int, Json, ListOf, Text, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import USUAL_SHARE, Mechanism
from anonymizer_gui.engine.rooms.statistics.public_domains import MOST_CELLS, ColumnDomain, domains_of, split_domain
from anonymizer_gui.engine.rooms.statistics.question import (
    NOISES,
    QUESTIONS,
    AnswerValue,
    NoisySteps,
    PublicKnowledge,
    Question,
    Step,
    bell_shaped,
    cost_of,
    quote_word,
    unquote,
)
from anonymizer_gui.engine.rooms.statistics.synthesis import (
    Cells,
    ColumnMarginals,
    FittedMarginals,
    MarginalModel,
    PairSelection,
    pair_counts,
    pair_scores,
)
from anonymizer_gui.engine.rooms.statistics.synthesis import count_columns as counted_singles

WAYS = {
    "auto": "A star around the target where one is named, otherwise a tree",
    "tree": "A tree of pairs that depend on each other most, chosen privately",
    "star": "A star: the target with every other column",
    "net": "A net: the target, or a column chosen privately, with every other, and a tree of these",
}
BETWEEN = " × "
_MEAN_NOISE = 0.8
_MOST_ROWS = 10_000_000
_MOST_PAIRS = 4_000_000
_MOST_MADE_UP = 20_000


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Synthetic(Question):
    """A table of made-up rows that is like the data in every column and in chosen pairs of columns.

    McKenna, Miklau and Sheldon, Winning the NIST contest (MST), JPC 2021: noisy one-way marginals, a tree of two-way
    marginals by the exponential mechanism, and rows drawn along it. With a target the tree is a star around it; a
    net has twice as many pairs and draws each column by two others, as AIM (McKenna et al. 2022) ends up with.
    """

    name: ClassVar[str] = "synthetic"
    title: ClassVar[str] = "Synthetic table"
    summary: ClassVar[str] = "Made-up rows with about the same columns and pairs of columns; no row is a person."
    verbs: ClassVar[tuple[str, ...]] = ("synthetic",)
    usage: ClassVar[str] = "synthetic COLUMN[=A|B] COLUMN2[=LOW..HIGH[/BINS]] ... [with target=COLUMN rows=NUMBER]"
    example: ClassVar[str] = "synthetic sex=F|M age=0..99/10 education"
    has_interval: ClassVar[bool] = False
    is_adaptive: ClassVar[bool] = True
    uses_hierarchies: ClassVar[bool] = True

    fields: tuple[str, ...] = param(
        ListOf(Text()),
        default=(),
        label="Columns",
        help="Each with its public values: sex=F|M, age=0..99/10; alone, those of its hierarchy.",
    )
    target: str = param(
        Text(column=True), default="", label="Target", help="The column others are to foretell; leave it empty if none."
    )
    way: str = param(Choice(WAYS), default="auto", label="Way", help="Which pairs of columns are counted.")
    rows: int = param(
        Int(low=0, high=_MOST_ROWS), default=0, label="Rows", help="How many rows are drawn; 0 for about as many."
    )
    noise: str = param(NOISES, default="gaussian", label="Noise", help="What hides a single row.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take columns, each with its values."""
        return cls(tuple(unquote(word) for word in words)) if words else None

    def words(self) -> tuple[str, ...]:
        """Give the columns."""
        return "synthetic", *(quote_word(field) for field in self.fields)

    def columns(self) -> tuple[str, ...]:
        """Name the columns."""
        return tuple(split_domain(field)[0] for field in self.fields)

    def remembered(self) -> Self:
        """Give the question without the number of rows, which costs nothing."""
        return replace(self, rows=0)

    def domains(self, public: PublicKnowledge) -> tuple[ColumnDomain, ...]:
        """Read the domains of the columns; raises BadParameter where one is not public."""
        found = domains_of(self.fields, public)
        cells = sorted(domain.cells for domain in found)
        if sum(cells) > MOST_CELLS or (len(cells) > 1 and cells[-1] * cells[-2] > _MOST_PAIRS):
            raise BadParameter("The columns would have too many cells.", "Name fewer or coarser categories.")
        return found

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send the cells of all columns, then each choice of a pair, then the cells of the chosen pairs."""
        domains = self.domains(public)
        columns, cells = len(domains), sum(domain.cells for domain in domains)
        self._refuse_target()
        single = Step(self.noise, sensitivity.marginals(public.unit, columns), cells)
        if columns == 1:
            return (single,)
        joining = self.joining()
        singles, chosen = joining.shares
        name = "concentrated-choice" if self.noise == "gaussian" else "exponential"
        pairs = Step(self.noise, sensitivity.marginals(public.unit, joining.pairs), 0, 1 - singles - chosen)
        choices = [self._choice(name, public, joining, at) for at in range(joining.picks)]
        return (replace(single, share=singles), *choices, pairs)

    def _choice(self, name: str, public: PublicKnowledge, joining: PairSelection, at: int) -> Step:
        """Choose the middle of a net among columns, and everything else among pairs."""
        many = joining.columns if joining.picks_middle(at) else len(joining.candidates())
        return Step(name, sensitivity.misplaced(public.unit, many), many, joining.shares[1] / joining.picks)

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Give the numbers of the first step."""
        return (self.counted_after(self.prepared(data, public), public, ()),)

    def prepared(self, data: Table, public: PublicKnowledge) -> Cells:
        """Give the cell of every row in every column."""
        return tuple(domain.of_rows(data.column(domain.column), public) for domain in self.domains(public))

    def counted_after(self, data: Cells, public: PublicKnowledge, noisy: Sequence[Ints]) -> Ints:
        """Count cells, then score pairs, then count the chosen ones."""
        sizes = [domain.cells for domain in self.domains(public)]
        if not noisy:
            return counted_singles(data, sizes)
        singles = self._singles(noisy[0], public)
        grouped = tuple(groups[cells] for groups, cells in zip(singles.groups, data, strict=True))
        if len(noisy) < len(self.steps(public)) - 1:
            return self._scored(grouped, singles, public, noisy)
        edges, sizes = self.joining().edges(noisy[1:]), list(singles.sizes)
        counts = [pair_counts(grouped[a], grouped[b], (sizes[a], sizes[b])) for a, b in edges]
        return np.concatenate(counts)

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell how much the pairs depend on each other; the counts themselves are what rows are drawn from."""
        model = self.model(noisy, public)
        fitted = model.fitted()
        names = self.columns()
        values = tuple(
            (f"{names[one]}{BETWEEN}{names[other]}", round(fitted.dependence(one, other), 4))
            for one, other in model.pairs
        )
        told = {**model.to_json(), "rows": round(fitted.rows), "names": list(names)}
        return AnswerValue(values=values, notes=self._notes(model, fitted, public), model=told)

    def facts(self, public: PublicKnowledge) -> dict[str, Json]:
        """Tell the names that may stand in the table, where they are names."""
        named = [domain for domain in self.domains(public) if domain.middles() is None]
        return {"values": {domain.column: list(domain.labels) for domain in named}}

    def in_unit(self) -> Message:
        """Say what the numbers of pairs are."""
        return message("dependence (share of rows)")

    def why(self, public: PublicKnowledge) -> str:
        """Say it for all steps."""
        return message(
            "A row is in one cell of each column and of each pair: it moves {columns} counts of single columns and "
            "{pairs} of pairs by 1 each. The steps share the budget.",
            columns=len(self.fields),
            pairs=max(self.joining().pairs, 0),
        )

    def error(
        self,
        mechanisms: Sequence[Mechanism],
        public: PublicKnowledge,
        cells: int = 1,
        noisy: NoisySteps | None = None,
        share: float = USUAL_SHARE,
    ) -> float | None:
        """Say how far off the count of a pair is, as a share of the rows one expects."""
        return float(mechanisms[-1].error(1, share)) / public.assumed if public.assumed else None

    def typical(self, public: PublicKnowledge) -> float | None:
        """Compare with a pair of some dependence."""
        return 0.1

    def simulated(self, public: PublicKnowledge, rows: int) -> tuple[Ints, ...]:
        """Give the numbers of the first step for a table that is made up."""
        return (self.counted_after(self.made_up(public, rows), public, ()),)

    def made_up(self, public: PublicKnowledge, rows: int) -> Cells:
        """Make up a table: let every column follow the same hidden order, each a little less."""
        rows = min(rows, _MOST_MADE_UP)
        order = np.arange(rows, dtype=np.float64) / max(rows, 1)
        columns = []
        for at, domain in enumerate(self.domains(public)):
            mixed = (order * (1 + 7 * (at % 5)) + 0.37 * at) % 1.0
            ends = np.cumsum(bell_shaped(10**6, max(domain.cells - 1, 1))) / 10**6
            follows = np.where(np.arange(rows) % (at + 2) == 0, mixed, order)
            columns.append(np.minimum(np.searchsorted(ends, follows), max(domain.cells - 2, 0)).astype(np.int64))
        return tuple(columns)

    def joining(self) -> PairSelection:
        """Say which pairs are counted."""
        named = self.columns()
        middle = named.index(self.target) if self.target in named else None
        if self.way == "net":
            return PairSelection("net", len(named), middle)
        is_star = self.way == "star" or (self.way == "auto" and bool(self.target))
        return PairSelection("star" if is_star else "tree", len(named), middle)

    def _refuse_target(self) -> None:
        if self.target and self.target not in self.columns():
            raise BadParameter(
                message("The target “{column}” is none of the columns.", column=self.target),
                "Name it among the columns.",
            )
        if self.way == "star" and not self.target:
            raise BadParameter("A star needs a target.", "Name the column others are to foretell.")

    def _singles(self, noisy: Ints, public: PublicKnowledge) -> ColumnMarginals:
        return ColumnMarginals.of(noisy, [domain.cells for domain in self.domains(public)], self._sigma(public, 0))

    def _sigma(self, public: PublicKnowledge, step: int) -> float:
        """Give the spread of the noise of a step; it follows from what is public."""
        spend = cost_of(self, public, public.epsilon or Fraction(1), public.delta)
        scale = float(self.steps(public)[step].calibrated(spend).scale())
        return scale if self.noise == "gaussian" else scale * 2**0.5

    def _scored(self, grouped: Cells, singles: ColumnMarginals, public: PublicKnowledge, noisy: Sequence[Ints]) -> Ints:
        """Score the pairs that would join two parts, the others can hardly be chosen; or every column as the middle."""
        joining, margins = self.joining(), singles.margins()
        edges, picks = joining.candidates(), noisy[1:]
        cells = np.array([len(margins[one]) * len(margins[other]) for one, other in edges], dtype=np.float64)
        worth = _MEAN_NOISE * self._sigma(public, -1) * cells
        if joining.picks_middle(len(picks)):
            # The mean over the pairs of a column moves no further than the farthest of them, and neither when cut off.
            found = pair_scores(grouped, margins, edges, worth)
            parts = [[at for at, edge in enumerate(edges) if column in edge] for column in range(joining.columns)]
            return np.array([int(found[part].sum()) // len(part) for part in parts], dtype=np.int64)
        places = joining.joinable(picks)
        found = np.full(len(edges), -(2**40), dtype=np.int64)
        found[places] = pair_scores(grouped, margins, [edges[at] for at in places], worth[places])
        return found

    def model(self, noisy: NoisySteps, public: PublicKnowledge) -> MarginalModel:
        """Give the noisy counts as what rows are drawn from."""
        singles = self._singles(noisy[0], public)
        if len(self.fields) == 1:
            return MarginalModel(singles, {}, 1.0)
        sizes = singles.sizes
        edges = self.joining().edges(noisy.numbers[1:-1])
        parts = np.split(noisy.numbers[-1], np.cumsum([sizes[a] * sizes[b] for a, b in edges])[:-1])
        return MarginalModel(singles, dict(zip(edges, parts, strict=True)), self._sigma(public, -1))

    def _notes(self, model: MarginalModel, fitted: FittedMarginals, public: PublicKnowledge) -> tuple[str, ...]:
        notes = [message("Every row is synthetic: drawn by chance from noisy counts, and no row is a person.")]
        for domain, groups in zip(self.domains(public), model.singles.groups, strict=True):
            if together := len(groups) - int(groups.max()) - 1:
                notes.append(
                    message(
                        "{values} values of “{column}” are too rare for this budget and are counted as one.",
                        values=together + 1,
                        column=domain.column,
                    )
                )
        dependence = sum(fitted.dependence(*edge) for edge in model.pairs)
        misled = sum(_MEAN_NOISE * model.pair_sigma * len(counts) / fitted.rows for counts in model.pairs.values())
        if model.pairs and misled > dependence:
            notes.append(
                message(
                    "Noise exceeds what independent columns would give: with so little budget they may be the better."
                )
            )
        if lost := len(model.pairs) - len(fitted.pairs):
            notes.append(
                message(
                    "Noise exceeds what {lost:pair of columns tells|pairs of columns tell}: they are drawn as if "
                    "independent. More budget, fewer columns or coarser values help.",
                    lost=lost,
                )
            )
        return tuple(notes)
