"""Machine-learning loss: how much worse a classifier gets when it learns from the release."""

import warnings
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.errors import BadParameter, MissingExtra
from anonymizer_gui.engine.params import Choice, Float, Int, Text, param
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.rooms.microdata.utility.binned_columns import Binned, binned
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison, Metric, MetricResult
from anonymizer_gui.engine.words import say

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_MOST_CLASSES = 50
_STEPS, _ROUNDS = 10, 10
_DIGITS = 9
"""Chances that differ by less come from rounding: what learnt nothing must not seem to know something."""


@METRICS.register
@dataclass(frozen=True, slots=True)
class LearningLoss(Metric):
    """Train on the original and on the release, test both on the same held-out original rows.

    For logistic regression a cell becomes the part of its leaves in each bin of the domain: an original value is one
    1, a generalised cell is spread evenly. A tree asks one bin at a time and would know only one of the bins that
    look the same in the release: for it a cell is the mean place of its leaves in the order of the domain. Either
    way both tables speak the same language, and a rule learnt from the one applies to the other. Released rows of
    held-out people are not learnt from.
    """

    name: ClassVar[str] = "learning"
    title: ClassVar[str] = "Machine-learning loss"
    summary: ClassVar[str] = "How much accuracy a classifier loses when it learns from the release."
    formula: ClassVar[str] = "accuracy(learnt from the original) - accuracy(learnt from the release), on held-out rows"
    reference: ClassVar[str] = "LeFevre, DeWitt, Ramakrishnan, Workload-aware anonymization, KDD 2006"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "-1 to 1"
    needs_rows: ClassVar[bool] = True
    takes_long: ClassVar[bool] = True

    target: str = param(
        Text(column=True, empty="the first sensitive column"),
        default="",
        label="Target",
        help="The column to predict; empty: the first sensitive one.",
    )
    method: str = param(
        Choice({"logistic": "Logistic regression", "tree": "Decision tree"}),
        default="logistic",
        label="Method",
        help="The classifier.",
    )
    held_out: float = param(
        Float(low=0.05, high=0.9), default=0.3, label="Held out", help="Share of the rows to test with."
    )
    rows: int = param(
        Int(low=50), default=10_000, label="Rows", help="Most rows to use; more are sampled with the seed."
    )
    bins: int = param(Int(low=2, high=1000), default=50, label="Bins", help="Most runs a domain is cut into.")
    seed: int = param(Int(low=0), default=0, label="Seed", help="Splits, samples and trains the same way again.")

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the accuracy lost; the details hold accuracy and AUC of both, and that of always guessing the commonest.

        Raises MissingExtra without scikit-learn, BadParameter when the target cannot be learnt.
        """
        target = self._target(comparison)
        goal = comparison.original.column(target)
        train, test = self._split(comparison.original.n_rows)
        columns = [binned(comparison.columns[name], self.bins) for name in comparison.qis if name != target]
        progress(0.1, "Learning from the original")
        x_test, y_test = self._original(columns, test), goal.codes[test].astype(np.int64)
        y_train = goal.codes[train].astype(np.int64)
        before = self._score((self._original(columns, train), y_train), (x_test, y_test), progress.sub(0.1, 0.5))
        progress(0.5, "Learning from the release")
        learnt = np.isin(comparison.rows, train)
        y_released = goal.codes[comparison.rows[learnt]].astype(np.int64)
        x_released = self._released(columns, np.flatnonzero(learnt))
        after = self._score((x_released, y_released), (x_test, y_test), progress.sub(0.5, 1.0))
        commonest = np.bincount(goal.codes[train]).argmax()
        details = {
            "target": target,
            "original": {"accuracy": before[0], "auc": before[1]},
            "release": {"accuracy": after[0], "auc": after[1]},
            "majority": float((y_test == commonest).mean()),
            "tested_rows": len(test),
        }
        return MetricResult(before[0] - after[0], details)

    def _target(self, comparison: Comparison) -> str:
        target = self.target or next(iter(comparison.sas), "")
        if not target:
            raise BadParameter("There is no column to predict.", "Choose a target or mark a column as sensitive.")
        if target in comparison.qis:
            raise BadParameter(
                say("“{target}” is a quasi-identifier, so the release does not show it as it was.", target=target),
                "Choose a column that is published unchanged.",
            )
        n_values = len(comparison.original.column(target).compact().labels)
        if not 2 <= n_values <= _MOST_CLASSES:
            raise BadParameter(
                say(
                    "“{target}” has {values:value|different values}; a target needs 2 to {most}.",
                    target=target,
                    values=n_values,
                    most=_MOST_CLASSES,
                ),
                "Choose another column to predict.",
            )
        return target

    def _split(self, n_rows: int) -> tuple[Ints, Ints]:
        rng = np.random.default_rng(self.seed)
        used = rng.permutation(n_rows)[: self.rows]
        n_test = max(round(len(used) * self.held_out), 1)
        if len(used) - n_test < 2:
            raise BadParameter("The table has too few rows to learn from.", "Choose a larger table.")
        return np.sort(used[n_test:]), np.sort(used[:n_test])

    def _original(self, columns: list[Binned], rows: Ints) -> Floats:
        return self._features([np.eye(column.n_bins)[column.bin_of_row[rows]] for column in columns], len(rows))

    def _released(self, columns: list[Binned], rows: Ints) -> Floats:
        return self._features([column.share[column.codes[rows]] for column in columns], len(rows))

    def _features(self, parts: list[Floats], n_rows: int) -> Floats:
        """Put the columns side by side: the part of each bin, or for a tree the mean bin."""
        if self.method == "tree":
            parts = [part @ np.arange(part.shape[1], dtype=np.float64)[:, None] for part in parts]
        return np.hstack(parts) if parts else np.zeros((n_rows, 1))

    def _score(
        self, train: tuple[Floats, Ints], test: tuple[Floats, Ints], progress: Progress
    ) -> tuple[float, float | None]:
        """Train and test once; give accuracy and AUC (one against the rest, None where it is not defined)."""
        (x, y), (x_test, y_test) = train, test
        if len(np.unique(y)) < 2:
            only = int(y[0]) if len(y) else -1
            return float((y_test == only).mean()), None
        model = self._trained(x, y, progress)
        chances = np.zeros((len(y_test), int(max(y.max(), y_test.max())) + 1))
        chances[:, model.classes_] = model.predict_proba(x_test)
        return float((chances.argmax(axis=1) == y_test).mean()), _auc(chances, y_test)

    def _trained(self, x: Floats, y: Ints, progress: Progress) -> "Classifier":
        try:
            from sklearn.linear_model import LogisticRegression
            from sklearn.tree import DecisionTreeClassifier
        except ImportError:
            raise MissingExtra(
                "Machine-learning loss needs scikit-learn, which is not installed.",
                say("Install it with: {command}", command="pip install 'anonymizer-gui[learning]'"),
            ) from None
        if self.method == "tree":
            tree: Classifier = DecisionTreeClassifier(min_samples_leaf=20, random_state=self.seed)
            return tree.fit(x, y)
        model: Classifier = LogisticRegression(max_iter=_STEPS, tol=1e-3, warm_start=True)
        for done in range(_ROUNDS):
            progress(done / _ROUNDS, "Learning")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that it is not done after a few steps is what the rounds are for
                model.fit(x, y)
            if int(np.max(model.n_iter_)) < _STEPS:
                break
        return model


class Classifier(Protocol):
    """What is used of scikit-learn's classifiers."""

    classes_: Ints
    n_iter_: Ints

    def fit(self, x: Floats, y: Ints) -> "Classifier":
        """Learn."""

    def predict_proba(self, x: Floats) -> Floats:
        """Give the chance of every class for every row."""


def _auc(chances: Floats, truth: Ints) -> float | None:
    """Give the area under the curve, averaged over the values that occur, each against the rest."""
    found = [
        _rank_auc(chances[:, value], truth == value)
        for value in np.unique(truth).tolist()
        if 0 < np.count_nonzero(truth == value) < len(truth)
    ]
    return float(np.mean(found)) if found else None


def _rank_auc(score: Floats, positive: npt.NDArray[np.bool_]) -> float:
    """Give the chance that a positive row scores above a negative one (ties count half, rounding aside)."""
    _, place, counts = np.unique(np.round(score, _DIGITS), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    n_positive = int(positive.sum())
    above = ranks[positive].sum() - n_positive * (n_positive + 1) / 2
    return float(above / (n_positive * (len(score) - n_positive)))
