"""All three tasks over all settings: what a chart needs to answer the question with."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.statistics.versus import tasks
from anonymizer_gui.engine.rooms.statistics.versus.people import generalised, made_up_people
from anonymizer_gui.engine.rooms.statistics.versus.tasks import Setting

Task = Literal["clusters", "classes", "queries"]
KS = (200, 100, 50, 20, 10, 5)
EPSILONS = tuple(Fraction(text) for text in ("0.05", "0.1", "0.3", "1", "3", "10"))
_TRIALS = 2


@dataclass(frozen=True, slots=True)
class Compared:
    """One task: what comes out without protection, and for each setting of three ways; the first protects most."""

    task: Task
    best: float
    generalised: tuple[float, ...]
    synthetic: tuple[float, ...]
    noisy: tuple[float, ...]


def compare(task: Task, seed: int, progress: Progress = SILENT) -> Compared:
    """Do one task in three ways for every setting, on people who are made up."""
    setting = Setting(made_up_people(seed), seed)
    generalised_, synthetic, noisy = [], [], []
    for at, (k, epsilon) in enumerate(zip(KS, EPSILONS, strict=True)):
        progress(at / len(KS), "Comparing on made-up people")
        ways = [_three(task, setting, k, epsilon, seed + 10 * trial, progress) for trial in range(_TRIALS)]
        means = [sum(way[place] for way in ways) / len(ways) for place in range(3)]
        generalised_.append(means[0])
        synthetic.append(means[1])
        noisy.append(means[2])
    return Compared(task, _best(task, setting), tuple(generalised_), tuple(synthetic), tuple(noisy))


def _best(task: Task, setting: Setting) -> float:
    if task == "clusters":
        return tasks.loss_of(tasks.plain_centres(setting.people.numbers), setting.people)
    return tasks.plain_accuracy(setting.learned(), setting.tested()) if task == "classes" else 0.0


def _three(
    task: Task, setting: Setting, k: int, epsilon: Fraction, seed: int, progress: Progress
) -> tuple[float, float, float]:
    """Give what comes out of a generalised table, a synthetic one, and noise inside."""
    progress.check()
    people, known, tested = setting.people, setting.learned(), setting.tested()
    if task == "clusters":
        made = tasks.synthetic_people(people, epsilon, seed)
        centres = (
            tasks.plain_centres(tasks.middles_of(people, k).numbers),
            tasks.plain_centres(made.numbers),
            tasks.noisy_centres(Setting(people, seed), epsilon),
        )
        return tasks.loss_of(centres[0], people), tasks.loss_of(centres[1], people), tasks.loss_of(centres[2], people)
    if task == "classes":
        made = tasks.synthetic_people(known, epsilon, seed, "owns")
        return (
            tasks.plain_accuracy(tasks.middles_of(known, k), tested),
            tasks.plain_accuracy(made, tested),
            tasks.noisy_accuracy(known, tested, epsilon, seed),
        )
    ranges = tasks.query_ranges(seed)
    made = tasks.synthetic_people(people, epsilon, seed)
    drawn = [
        len(people.owns) / max(len(made.owns), 1) * float(tasks.inside(made.numbers, low, high).sum())
        for low, high in ranges
    ]
    answers = (
        tasks.counts_of_ranges(*generalised(people, k), ranges),
        drawn,
        tasks.noisy_counts(people, ranges, epsilon, seed),
    )
    errors = [tasks.query_error(found, people, ranges) for found in answers]
    return errors[0], errors[1], errors[2]
