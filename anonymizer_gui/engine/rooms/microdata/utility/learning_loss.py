"""Machine-learning loss: how much worse a classifier gets when it learns from the release."""

import warnings
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter, MissingExtra
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Float, Int, Text, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.utility.contract import (
    METRICS,
    BinnedColumn,
    Comparison,
    Metric,
    MetricResult,
    bin_column,
)

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_MOST_CLASSES = 50
_STEPS, _ROUNDS = 10, 10
_TREES = 50
_TOLD = ("before", "after", "majority", "lost")
_DIGITS = 9
"""Chances that differ by less come from rounding: what learnt nothing must not seem to know something."""


@METRICS.register
@dataclass(frozen=True, slots=True)
class LearningLoss(Metric):
    """Train on the original and on the release, test both on the same held-out original rows (cross-validation).

    The rows are dealt into folds, and each is held out once: the mean over the folds is told with its standard error.

    For logistic regression a cell becomes the part of its leaves in each bin of the domain: an original value is one
    1, a generalised cell is spread evenly. A tree asks one bin at a time and would know only one of the bins that
    look the same in the release: for it, and for a forest of trees, a cell is the mean place of its leaves in the
    order of the domain. Either way both tables speak the same language, and a rule learnt from the one applies to the
    other. Released rows of held-out people are not learnt from.
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
        Choice({"logistic": "Logistic regression", "tree": "Decision tree", "forest": "Random forest"}),
        default="logistic",
        label="Method",
        help="The classifier.",
    )
    folds: int = param(
        Int(low=1, high=20),
        default=5,
        label="Folds",
        help="How many parts the rows are dealt into, each held out once; 1: one part is held out, once.",
    )
    held_out: float = param(
        Float(low=0.05, high=0.9),
        default=0.3,
        label="Held out",
        help="Share of the rows to test with where only one part is held out.",
        when=("folds", 1),
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
        columns = [bin_column(comparison.columns[name], self.bins) for name in comparison.qis if name != target]
        splits = self._splits(comparison.original.n_rows)
        found = []
        for done, (train, test) in enumerate(splits):
            part = progress.sub(done / len(splits), (done + 1) / len(splits))
            found.append(self._fold(comparison, columns, goal.codes.astype(np.int64), train, test, part))
        before, after, majority, lost = (_mean_and_error([getattr(fold, name) for fold in found]) for name in _TOLD)
        details = {
            "target": target,
            "original": {"accuracy": before[0], "error": before[1], "auc": _mean([fold.auc_before for fold in found])},
            "release": {"accuracy": after[0], "error": after[1], "auc": _mean([fold.auc_after for fold in found])},
            "majority": majority[0],
            "majority_error": majority[1],
            "error": lost[1],
            "folds": len(splits),
            "tested_rows": sum(len(test) for _, test in splits),
        }
        return MetricResult(lost[0], details)

    def _fold(
        self,
        comparison: Comparison,
        columns: list[BinnedColumn],
        goal: Ints,
        train: Ints,
        test: Ints,
        progress: Progress,
    ) -> "FoldScores":
        """Train on both tables without some rows, and test on these."""
        progress(0.1, "Learning from the original")
        x_test, y_test = self._original(columns, test), goal[test]
        before = self._score((self._original(columns, train), goal[train]), (x_test, y_test), progress.sub(0.1, 0.5))
        progress(0.5, "Learning from the release")
        learnt = np.isin(comparison.rows, train)
        x_released = self._released(columns, np.flatnonzero(learnt))
        released = (x_released, goal[comparison.rows[learnt]])
        after = self._score(released, (x_test, y_test), progress.sub(0.5, 1.0))
        commonest = np.bincount(goal[train]).argmax()
        return FoldScores(
            before[0], after[0], float((y_test == commonest).mean()), before[0] - after[0], before[1], after[1]
        )

    def _target(self, comparison: Comparison) -> str:
        target = self.target or next(iter(comparison.sas), "")
        if not target:
            raise BadParameter("There is no column to predict.", "Choose a target or mark a column as sensitive.")
        if target in comparison.qis:
            raise BadParameter(
                message("“{target}” is a quasi-identifier, so the release does not show it as it was.", target=target),
                "Choose a column that is published unchanged.",
            )
        n_values = len(comparison.original.column(target).compact().labels)
        if not 2 <= n_values <= _MOST_CLASSES:
            raise BadParameter(
                message(
                    "“{target}” has {values:value|different values}; a target needs 2 to {most}.",
                    target=target,
                    values=n_values,
                    most=_MOST_CLASSES,
                ),
                "Choose another column to predict.",
            )
        return target

    def _splits(self, n_rows: int) -> list[tuple[Ints, Ints]]:
        """Give the rows to learn from and those to test with, once for every fold."""
        rng = np.random.default_rng(self.seed)
        used = rng.permutation(n_rows)[: self.rows]
        if self.folds == 1:
            n_test = max(round(len(used) * self.held_out), 1)
            tests = [used[:n_test]]
        else:
            tests = [part for part in np.array_split(used, self.folds) if len(part)]
        if not tests or len(used) - max(len(test) for test in tests) < 2:
            raise BadParameter("The table has too few rows to learn from.", "Choose a larger table.")
        return [(np.sort(np.setdiff1d(used, test)), np.sort(test)) for test in tests]

    def _original(self, columns: list[BinnedColumn], rows: Ints) -> Floats:
        return self._features([np.eye(column.n_bins)[column.bin_of_row[rows]] for column in columns], len(rows))

    def _released(self, columns: list[BinnedColumn], rows: Ints) -> Floats:
        return self._features([column.share[column.codes[rows]] for column in columns], len(rows))

    def _features(self, parts: list[Floats], n_rows: int) -> Floats:
        """Put the columns side by side: the part of each bin, or for a tree the mean bin."""
        if self.method != "logistic":
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
            from sklearn.ensemble import RandomForestClassifier
            from sklearn.linear_model import LogisticRegression
            from sklearn.tree import DecisionTreeClassifier
        except ImportError:
            raise MissingExtra(
                "Machine-learning loss needs scikit-learn, which is not installed.",
                message("Install it with: {command}", command="pip install 'anonymizer-gui[learning]'"),
            ) from None
        if self.method == "tree":
            tree: Classifier = DecisionTreeClassifier(min_samples_leaf=20, random_state=self.seed)
            return tree.fit(x, y)
        if self.method == "forest":
            forest: Classifier = RandomForestClassifier(_TREES, min_samples_leaf=5, random_state=self.seed)
            return forest.fit(x, y)
        model: Classifier = LogisticRegression(max_iter=_STEPS, tol=1e-3, warm_start=True)
        for done in range(_ROUNDS):
            progress(done / _ROUNDS, "Learning")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that it is not done after a few steps is what the rounds are for
                model.fit(x, y)
            if int(np.max(model.n_iter_)) < _STEPS:
                break
        return model


@dataclass(frozen=True, slots=True)
class FoldScores:
    """What came out when one part of the rows was held out."""

    before: float
    after: float
    majority: float
    lost: float
    auc_before: float | None
    auc_after: float | None


def _mean_and_error(values: list[float]) -> tuple[float, float | None]:
    """Give the mean, and its standard error where there are several."""
    if len(values) < 2:
        return float(np.mean(values)), None
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


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
