"""Small mechanisms to begin with, each with what can be learnt from it."""

from dataclasses import dataclass

from anonymizer_gui.engine.dp.unit import Neighbours, Unit


@dataclass(frozen=True, slots=True)
class Example:
    """A named mechanism: its expression, and the neighbours it is meant for."""

    name: str
    title: str
    summary: str
    expression: str
    kind: Neighbours = Neighbours.ROW

    @property
    def unit(self) -> Unit:
        """The unit of protection."""
        return Unit(self.kind)


EXAMPLES = (
    Example("constant", "A constant", "It tells nothing about anybody.", "42"),
    Example("shift", "A fixed shift", "Adding the same number every time hides nothing.", "count() + 10"),
    Example("row", "Returns a row", "The value of one person, published as it is.", "row(1)"),
    Example("laplace", "Laplace noise on a count", "The usual way to publish a count.", "count() + laplace(1)"),
    Example("gaussian", "Gaussian noise on a count", "Private with a delta only.", "count() + gaussian(2)"),
    Example("unbounded", "A sum without bounds", "One value may be larger than any noise.", "sum(x) + laplace(100)"),
    Example(
        "mean", "A noisy mean", "A noisy sum divided by a noisy count: dividing costs nothing.",
        "(sum(x, 0, 100) + laplace(200)) / (count() + laplace(2))",
    ),
    Example(
        "exponential", "Exponential mechanism", "Chooses the most common of 1, 2 and 3 by weighted chance.",
        "exponential(1)",
    ),
    Example(
        "noisy-max", "Noisy maximum", "Tells which of 1, 2 and 3 is the most common, but no count.", "noisy_max(2)",
    ),
    Example(
        "randomised-response", "Randomised response",
        "Everybody tells the truth with probability 3/4: a factor of 3, so epsilon is ln 3.",
        "randomised_response(3/4)", Neighbours.CHANGE,
    ),
    Example(
        "bins-from-data", "A histogram whose bins come from the data",
        "That there is a bin tells that somebody is in it, whatever the noise.", "histogram() + laplace(1)",
    ),
)  # fmt: skip
