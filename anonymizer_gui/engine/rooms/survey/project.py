"""The survey: questions, what an answer may cost, and how questions share it; one frozen value that a user edits."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

from anonymizer_gui.engine.rooms.survey.collection import Collection, Sharing
from anonymizer_gui.engine.rooms.survey.question import Question
from anonymizer_gui.engine.storage.sources import Source

TABLE, REPORTS = "table", "reports"
"""The roles of the files a project may name."""


@dataclass(frozen=True, slots=True)
class Project:
    """Everything that is decided about one survey; an edit makes a new value."""

    room: ClassVar[str] = "survey"

    name: str = ""
    source: Source | None = None
    """Answers somebody holds already, to be perturbed row by row, or for playing through; may be reports itself."""
    reports: Source | None = None
    """Reports that came back: one file, or a folder of them."""
    title: str = ""
    intro: str = ""
    """What respondents read above the questions."""
    questions: tuple[Question, ...] = ()
    epsilon: Fraction = Fraction(1)
    """What all answers of one respondent may cost together."""
    sharing: Sharing = "split"
    answers: int = 1000
    """How many respondents are expected; for errors told ahead only."""
    with_reports: bool = False
    """Whether the reports leave beside the estimates, so that anybody can count again."""

    def sources(self) -> dict[str, Source]:
        """Give the files the project speaks of, by role."""
        named = {TABLE: self.source, REPORTS: self.reports}
        return {role: source for role, source in named.items() if source is not None}

    def with_sources(self, sources: Mapping[str, Source]) -> Self:
        """Take other files for these roles; a role that is not named has none."""
        return replace(self, source=sources.get(TABLE), reports=sources.get(REPORTS))

    def collection(self) -> Collection:
        """Give what respondents, and whoever counts their reports, must know; raises BadParameter."""
        questions = tuple(replace(each, protocol=each.chosen(self.share())) for each in self.questions)
        return Collection(self.title or self.name, self.intro, self.epsilon, self.sharing, questions)

    def share(self) -> Fraction:
        """Give what one answer may cost."""
        return self.epsilon / max(len(self.questions), 1) if self.sharing == "split" else self.epsilon
