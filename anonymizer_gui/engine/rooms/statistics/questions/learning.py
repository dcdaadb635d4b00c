"""A model by DP-SGD, and its exported file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Float, Int, Json, ListOf, Text, param
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.accountant import SubsampledSteps, exp_above, noise_multiplier, subsampled_epsilon
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS, USUAL_SHARE, Mechanism
from anonymizer_gui.engine.dp.safe_rounding import round_up
from anonymizer_gui.engine.dp.sensitivity import Neighbours
from anonymizer_gui.engine.hierarchy.leaf_encoding import leaf_intervals
from anonymizer_gui.engine.rooms.statistics.dp_sgd import (
    BINS,
    OFF,
    UNIT,
    Evaluation,
    FeatureEncoding,
    Floats,
    ModelShape,
    TrainingData,
    TrainingPlan,
    evaluate_accuracy,
    evaluate_scores,
    full_training_data,
    simulated_training_data,
    split_training_data,
)
from anonymizer_gui.engine.rooms.statistics.public_domains import (
    CategoricalDomain,
    ColumnDomain,
    NumericDomain,
    domain_of,
    domains_of,
    exact_bound,
    split_domain,
)
from anonymizer_gui.engine.rooms.statistics.question import (
    QUESTIONS,
    AnswerValue,
    NoisySteps,
    PublicKnowledge,
    Question,
    Step,
    quote_word,
    unquote,
)

KIND = "learned"

_DIGITS = 8

SNIPPET = '''\
import json, math
from datetime import date

def cell(column, text):
    """Give the cell of a text; what is missing or unknown is in the last one."""
    if column["kind"] == "names" and text in column["values"]:
        return column["values"][text]
    try:
        if column["kind"] == "names":
            number = float(text)
            for low, high, open_low, closed, at in column["ranges"]:
                if low < number < high or (number == low and not open_low) or (number == high and closed):
                    return at
            return column["cells"] - 1
        if column["kind"] == "days":
            number = (date.fromisoformat(text) - date(1970, 1, 1)).days
        else:
            number = round(float(text) * 10 ** column["places"])
    except (TypeError, ValueError):
        return column["cells"] - 1
    step = min(max(number - column["low"], 0), column["steps"] - 1)
    return step * column["bins"] // column["steps"]

def features(model, row):
    """Give the features of a row: a dictionary from the names of columns to texts."""
    found = []
    for column in model["features"]:
        at = cell(column, row.get(column["column"]))
        found += [float(at == place) for place in range(column["cells"])]
        if "middles" in column:
            found.append(column["middles"][at])
    return found + [1.0]

def predict(model, row):
    """Give how likely each class is."""
    inside = features(model, row)
    for layer in model["layers"][:-1]:
        inside = [max(0.0, sum(w * x for w, x in zip(line, inside))) for line in layer] + [1.0]
    sums = [sum(w * x for w, x in zip(line, inside)) for line in model["layers"][-1]]
    if len(sums) == 1:
        sums = [0.0, sums[0]]
    largest = max(sums)
    raised = [math.exp(number - largest) for number in sums]
    return dict(zip(model["classes"], [number / sum(raised) for number in raised]))

with open("model.json", encoding="utf-8") as file:
    model = json.load(file)
print(predict(model, {"age": "39"}))
'''


def export_model(
    network: ModelShape,
    weights: Floats,
    target: ColumnDomain,
    domains: Sequence[ColumnDomain],
    public: PublicKnowledge,
    measured: Mapping[str, Json],
) -> dict[str, Json]:
    """Give a model as it is released."""
    inside = network.hidden * network.features
    layers = [weights[:inside].reshape(network.hidden, network.features)] if network.hidden else []
    layers.append(weights[inside:].reshape(network.outputs, -1))
    return {
        "kind": KIND,
        "target": target.column,
        "classes": list(target.labels),
        "features": [_column(domain, public) for domain in domains],
        "layers": [np.round(layer, _DIGITS).tolist() for layer in layers],
        "measured": dict(measured),
        "python": SNIPPET,
    }


def _column(domain: ColumnDomain, public: PublicKnowledge) -> dict[str, Json]:
    told: dict[str, Json] = {"column": domain.column, "cells": domain.cells}
    if isinstance(domain, NumericDomain):
        middles = (np.trunc(domain.middles() * UNIT) / UNIT).tolist()
        kind = "days" if domain.is_day else "numbers"
        sizes = {"low": domain.low, "steps": domain.steps, "bins": domain.bins, "places": domain.places}
        return {**told, "kind": kind, **sizes, "middles": [*middles, 0.0]}
    return {**told, "kind": "names", "values": _values(domain, public), "ranges": _ranges(domain)}


def _values(domain: ColumnDomain, public: PublicKnowledge) -> dict[str, int]:
    """Give the cell of every public value, those below a node of the hierarchy included."""
    tree = domain.categories.hierarchy if isinstance(domain, CategoricalDomain) else None
    texts = dict.fromkeys([*domain.labels, *(tree.leaf_labels if tree is not None else ())])
    column = Column.from_texts(domain.column, texts)
    cells = domain.of_labels(column, public).tolist()
    return {label: cell for label, cell in zip(column.labels, cells, strict=True) if cell < len(domain.labels)}


def _ranges(domain: ColumnDomain) -> list[list[Json]]:
    """Give the intervals of a hierarchy with their cells, for values that are not named."""
    tree = domain.categories.hierarchy if isinstance(domain, CategoricalDomain) else None
    if tree is None:
        return []
    bounds = leaf_intervals(tree)
    cells = domain.of_labels(Column.from_texts(domain.column, tree.leaf_labels), PublicKnowledge())
    of_label = dict(zip(Column.from_texts(domain.column, tree.leaf_labels).labels, cells.tolist(), strict=True))
    found = zip(bounds.leaves, bounds.low, bounds.high, bounds.open_low, bounds.closed, strict=True)
    return [
        [float(low), float(high), bool(open_low), bool(closed), of_label[tree.leaf_labels[int(leaf)]]]
        for leaf, low, high, open_low, closed in found
    ]


KINDS = {"logistic": "Logistic regression", "hidden": "One hidden layer"}

CHECKS = 5
"""How often the model is looked at while it learns, the last time included."""

_COUNTED = 10
"""The number of rows is counted with so much more noise than a gradient has."""


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Learn(Question):
    """Weights of a model that foretells one column from others.

    Abadi et al., Deep learning with differential privacy, CCS 2016: in each step every row is drawn with a small
    chance, its gradient is clipped, and the sum of gradients is noisy. Accuracy is measured on rows that were kept
    apart by lot and are counted with noise of their own; each row is in one of both parts only.
    """

    name: ClassVar[str] = "learn"
    title: ClassVar[str] = "Learned model (DP-SGD)"
    summary: ClassVar[str] = "A model that foretells one column from others, learned with noise in every step."
    verbs: ClassVar[tuple[str, ...]] = ("learn",)
    usage: ClassVar[str] = "learn TARGET[=A|B] COLUMN[=A|B] COLUMN2[=LOW..HIGH[/BINS]] ... [with kind=hidden epochs=20]"
    example: ClassVar[str] = "learn sex=F|M age=0..99/10 education"
    has_interval: ClassVar[bool] = False
    is_adaptive: ClassVar[bool] = True
    uses_hierarchies: ClassVar[bool] = True

    target: str = param(
        Text(), default="", label="Target", help="What is foretold, with its public values: sex=F|M, or by a hierarchy."
    )
    fields: tuple[str, ...] = param(
        ListOf(Text()),
        default=(),
        label="Columns",
        help="What it is foretold from, each with its public values: sex=F|M, age=0..99/10; alone, by its hierarchy.",
    )
    kind: str = param(Choice(KINDS), default="logistic", label="Model", help="What is learned.")
    hidden: int = param(Int(low=1, high=64), default=8, label="Hidden units", help="Of the hidden layer, if any.")
    epochs: int = param(Int(low=1, high=200), default=20, label="Epochs", help="How often each row is seen on average.")
    rate: float = param(
        Float(low=0.001, high=1), default=0.05, label="Share seen in a step", help="The chance of a row to be drawn."
    )
    speed: float = param(
        Float(low=0, high=1000, above=True), default=8.0, label="Learning rate", help="How far weights move in a step."
    )
    clip: float = param(
        Float(low=0.01, high=100), default=1.0, label="Longest gradient", help="Longer gradients of a row are clipped."
    )
    apart: float = param(
        Float(low=0.05, high=0.5), default=0.2, label="Held-out share", help="Rows that only measure the model."
    )

    delta: float = param(
        Float(low=0, high=0.1), default=0.0, label="Delta", help="What it takes of the plan's delta; 0 for a tenth."
    )

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take the target, and columns with their values."""
        return cls(unquote(words[0]), tuple(unquote(word) for word in words[1:])) if len(words) > 1 else None

    def words(self) -> tuple[str, ...]:
        """Give target and columns."""
        return "learn", quote_word(self.target), *(quote_word(field) for field in self.fields)

    def columns(self) -> tuple[str, ...]:
        """Name target and columns."""
        return tuple(split_domain(field)[0] for field in (self.target, *self.fields))

    def course(self, public: PublicKnowledge) -> TrainingPlan:
        """Give the course of learning: all that is public of it; raises BadParameter for domains that are not."""
        target, domains = self._domains(public)
        encoding = FeatureEncoding(domains)
        hidden = self.hidden if self.kind == "hidden" else 0
        network = ModelShape(encoding.width, hidden, len(target.labels), self.clip)
        rate, apart = exact_bound(self.rate), exact_bound(self.apart)
        steps = max(round(self.epochs / rate), CHECKS)
        has_count, rows = bool(sensitivity.count(public.unit).l1), public.rows or public.assumed
        return TrainingPlan(target, encoding, network, rate, steps, self.speed, apart, CHECKS, has_count, rows)

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send the number of rows, then sums of gradients, and now and then how many guesses are right."""
        course, unit = self.course(public), public.unit
        gradient = Step("gaussian", sensitivity.clipped(unit, course.network.longest), course.network.parameters)
        made = {"count": Step("gaussian", sensitivity.count(unit)), "gradient": gradient}
        looks = sensitivity.histogram(unit)
        cells = [*[2] * (CHECKS - 1), self._cells(course)]
        checks = iter(Step("laplace", looks, cells[at], course.share(step)) for at, step in enumerate(course.looks))
        return tuple(next(checks) if kind == "look" else made[kind] for kind in course.kinds())

    def own_spend(self, epsilon: Fraction, delta: Fraction) -> Budget:
        """Spend epsilon and a delta; raises BadParameter where the plan allows none, or less."""
        own = self.own_delta(delta)
        if not own or own > delta:
            raise BadParameter("Learning needs a delta that the plan allows.", "Allow a delta, such as 1e-6.")
        return Budget(epsilon=epsilon, delta=own)

    def own_delta(self, delta: Fraction) -> Fraction:
        """Spend what is said, or a tenth: so that other questions have one, too."""
        return exact_bound(self.delta) if self.delta else delta / 10

    def calibrated(self, public: PublicKnowledge, spend: Budget) -> tuple[Mechanism, ...]:
        """Solve for the noise of a gradient; rows that are held out have all of epsilon for themselves."""
        noise, unit = self.multiplier(public, spend), public.unit
        way = (
            2 if unit.kind is Neighbours.CHANGE else 1
        )  # a changed row moves a sum twice as far, and is paid for as two
        rhos = {sensitivity.count(unit).l2_squared: Fraction(1, 2) / (_COUNTED * noise) ** 2}
        known: dict[Step, Mechanism] = {}
        for step in dict.fromkeys(steps := self.steps(public)):
            if step.mechanism == "gaussian":
                rho = rhos.get(step.sensitivity.l2_squared, Fraction(way**2, 2) / noise**2)
                known[step] = MECHANISMS.get("gaussian")(step.sensitivity, Budget(rho=rho))
            else:
                known[step] = step.calibrated(Budget(epsilon=spend.epsilon))
        return tuple(known[step] for step in steps)

    def multiplier(self, public: PublicKnowledge, spend: Budget) -> Fraction:
        """Give how much larger noise is than the longest gradient; a changed row is one that goes, one that comes."""
        course = self.course(public)
        epsilon, delta = _for_one(public, spend)
        return _solved(course.rate, course.steps, course.has_count, epsilon, delta)

    def spent_after(self, mechanisms: Sequence[Mechanism], drawn: int, public: PublicKnowledge) -> Budget:
        """Account for the steps that were made."""
        course = self.course(public)
        kinds = course.kinds()[:drawn]
        spend = self.own_spend(public.epsilon or Fraction(1), public.delta)
        rho = mechanisms[0].budget.rho if course.has_count else Fraction(0)
        steps = SubsampledSteps(course.rate, kinds.count("gradient"), rho)
        learned = subsampled_epsilon(steps, self.multiplier(public, spend), _for_one(public, spend)[1])
        ways = 2 if public.unit.kind is Neighbours.CHANGE else 1
        measured = sum((m.budget.epsilon for m in mechanisms[:drawn]), Fraction(0))
        return Budget(epsilon=min(max(ways * learned, measured), spend.epsilon), delta=spend.delta)

    def prepared(self, data: Table, public: PublicKnowledge) -> TrainingData:
        """Part the rows by lot into those that are learned from and those that measure."""
        return split_training_data(self.course(public), data, public)

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Give the numbers of the first step when all rows are seen: to learn with, for a real step draws lots."""
        return (full_training_data(self.course(public), data, public).next(()),)

    def counted_after(self, data: TrainingData, public: PublicKnowledge, noisy: Sequence[Ints]) -> Ints:
        """Count rows, add up gradients of rows drawn by lot, or count right guesses about others."""
        return data.next(noisy)

    def made_up(self, public: PublicKnowledge, rows: int) -> TrainingData:
        """Make up rows that something can be learned from."""
        return simulated_training_data(self.course(public), rows)

    def simulated(self, public: PublicKnowledge, rows: int) -> tuple[Ints, ...]:
        """Give the numbers of the first step for rows that are made up."""
        return (self.made_up(public, rows).next(()),)

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell how good the model is, and give the model."""
        course = self.course(public)
        weights, looks = course.followed(noisy.numbers)
        measured = [evaluate_accuracy(look) for look in looks[:-1]]
        measured.append(self._last(looks[-1], course))
        values = self._values(measured, course)
        model = export_model(course.network, weights, course.target, course.encoding.domains, public, dict(values))
        return AnswerValue(values=values, notes=self._notes(measured[-1], noisy.mechanisms[-1], course), model=model)

    def facts(self, public: PublicKnowledge) -> dict[str, Json]:
        """Tell what the audit needs: sizes, steps, and how often the model was looked at."""
        course = self.course(public)
        return {
            "steps": course.steps,
            "looks": list(course.looks),
            "parameters": course.network.parameters,
            "longest": course.network.longest,
            "last_cells": self._cells(course),
        }

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
        """Name the measures."""
        course = self.course(public)
        area = ("area under the ROC curve",) if course.network.classes == 2 else ()
        return ("accuracy", *area, *(f"accuracy after {course.epoch(at):g} epochs" for at in course.looks[:-1]))

    def in_unit(self) -> Message:
        """Say that accuracy is a share."""
        return message("share of held-out rows")

    def why(self, public: PublicKnowledge) -> str:
        """Say how one row is bounded."""
        return message(
            "The gradient of a row is clipped to {clip:g}. Each of {steps} steps sees a row with a chance of "
            "{rate:.3g}, which counts for it; held-out rows are in no step.",
            clip=self.clip,
            steps=self.course(public).steps,
            rate=self.rate,
        )

    def size(self, public: PublicKnowledge) -> Fraction:
        """Give what one whole number of a gradient is."""
        return Fraction(1, OFF * UNIT)

    def told_step(self, public: PublicKnowledge) -> int:
        """Tell of the gradients, which come after the count of rows."""
        return int(self.course(public).has_count)

    def sensitivity(self, public: PublicKnowledge) -> Fraction:
        """Give how far the rows of one unit move a sum of gradients."""
        return self.steps(public)[self.told_step(public)].sensitivity.linf * self.size(public)

    def typical(self, public: PublicKnowledge) -> float | None:
        """Compare with a tenth of all rows."""
        return 0.1

    def error(
        self,
        mechanisms: Sequence[Mechanism],
        public: PublicKnowledge,
        cells: int = 1,
        noisy: NoisySteps | None = None,
        share: float = USUAL_SHARE,
    ) -> float | None:
        """Say how far off noise makes the accuracy, for as many rows as one expects."""
        rows = public.assumed * self.apart
        spread = float(mechanisms[-1].error(1, share)) * (self._cells(self.course(public)) / 2) ** 0.5
        return min(spread / rows, 1.0) if rows else None

    def _domains(self, public: PublicKnowledge) -> tuple[ColumnDomain, tuple[ColumnDomain, ...]]:
        target, domains = domain_of(self.target, public), domains_of(self.fields, public)
        if target.column in [domain.column for domain in domains]:
            raise BadParameter("The target is among the columns it is foretold from.", "Leave it out there.")
        if not 2 <= len(target.labels) <= 20:
            raise BadParameter(
                message("A target has 2 to 20 values, but “{column}” has {values}.", column=target.column,
                    values=len(target.labels)), "Name fewer or coarser ones.",
            )  # fmt: skip
        if sum(domain.cells + 1 for domain in domains) > 5000:
            raise BadParameter("The columns would have too many cells.", "Name fewer or coarser categories.")
        return target, domains

    def _cells(self, course: TrainingPlan) -> int:
        return 2 * BINS if course.network.classes == 2 else 2

    def _last(self, look: Ints, course: TrainingPlan) -> Evaluation:
        return evaluate_scores(look) if course.network.classes == 2 else evaluate_accuracy(look)

    def _values(self, measured: Sequence[Evaluation], course: TrainingPlan) -> tuple[tuple[str, float], ...]:
        last = measured[-1]
        area = [("area under the ROC curve", round(last.area, 4))] if last.area is not None else []
        looks = zip(course.looks[:-1], measured[:-1], strict=True)
        curve = [(f"accuracy after {course.epoch(at):g} epochs", round(each.accuracy, 4)) for at, each in looks]
        return (("accuracy", round(last.accuracy, 4)), *area, *curve)

    def _notes(self, last: Evaluation, mechanism: Mechanism, course: TrainingPlan) -> tuple[str, ...]:
        spread = float(mechanism.scale()) * 2**0.5 * (self._cells(course) / 2) ** 0.5
        chance = (last.rows * last.accuracy * (1 - last.accuracy)) ** 0.5
        off = min(1.96 * (spread**2 + chance**2) ** 0.5 / last.rows, 1.0)
        notes = [
            message("Accuracy was measured on about {rows} held-out rows, with noise; it may be off by {off:.1%}.",
                rows=round(last.rows), off=off)
        ]  # fmt: skip
        if off > 0.1:
            notes.append(message("There are too few rows or there is too little budget to say how good the model is."))
        return tuple(notes)


def _for_one(public: PublicKnowledge, spend: Budget) -> tuple[Fraction, Fraction]:
    """Give epsilon and delta for one row more or less: changing one is both, which costs twice and e^epsilon more."""
    if public.unit.kind is not Neighbours.CHANGE:
        return spend.epsilon, spend.delta
    half = spend.epsilon / 2
    return half, spend.delta / round_up(1 + exp_above(half))


def _solved(rate: Fraction, steps: int, has_count: bool, epsilon: Fraction, delta: Fraction) -> Fraction:
    """Solve for the noise of gradients when that of the count follows from it: twice is enough to be safe."""
    noise = noise_multiplier(SubsampledSteps(rate, steps), epsilon, delta)
    if not has_count:
        return noise
    return noise_multiplier(SubsampledSteps(rate, steps, Fraction(1, 2) / (_COUNTED * noise) ** 2), epsilon, delta)
