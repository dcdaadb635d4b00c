"""Answers computed in the background, kept until what they were computed from changes."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from anonymizer_gui.workspace.jobs import Job, JobRunner, OnError, Work, receiver_is_alive

OnResult = Callable[[Any], None]
_PLAIN = (str, int, float, bool, tuple, frozenset, type(None))
_LIMIT = 64


@dataclass(slots=True)
class _Answer:
    args: tuple[Any, ...]
    waiting: list[OnResult] = field(default_factory=list)
    result: Any = None
    is_there: bool = False
    job: Job | None = None


class ResultCache:
    """One answer per key; asking again with the same inputs costs nothing."""

    def __init__(self, jobs: JobRunner) -> None:
        self._jobs = jobs
        self._answers: dict[Hashable, _Answer] = {}

    def ask(
        self,
        key: Hashable,
        function: Work,
        *args: Any,
        then: OnResult,
        title: str = "",
        failed: OnError | None = None,
    ) -> None:
        """Call `then` with `function(*args, progress=...)`: at once when it is known, otherwise when it is."""
        answer = self._answers.get(key)
        if answer is not None and _same(answer.args, args):
            if answer.is_there:
                then(answer.result)
                return
            if answer.job is None or not answer.job.is_cancelled:
                answer.waiting.append(then)
                return
        # A job that was cancelled brings no answer: it is asked for again.
        answer = self._answers[key] = _Answer(args, [then])
        self._shrink()
        answer.job = self._jobs.start(
            title or str(key),
            function,
            *args,
            on_done=lambda result: self._deliver(key, answer, result),
            on_error=self._failing(key, answer, failed),
            replace_key=("answer", key),
        )

    def at_hand(self, key: Hashable, function: Work, *args: Any, then: OnResult, title: str = "") -> Any:
        """Give an answer that is there; otherwise have it computed and give nothing, `then` is called once it is."""
        answer = self._answers.get(key)
        is_asked = answer is not None and _same(answer.args, args)
        if not is_asked or (answer is not None and answer.job is not None and answer.job.is_cancelled):
            self.ask(key, function, *args, then=then, title=title)
        return self._answers[key].result if key in self._answers else None

    def forget(self) -> None:
        """Drop every answer."""
        self._answers.clear()

    def _deliver(self, key: Hashable, answer: _Answer, result: Any) -> None:
        if self._answers.get(key) is not answer:
            return
        answer.result, answer.is_there = result, True
        waiting, answer.waiting = answer.waiting, []
        for then in waiting:
            if receiver_is_alive(then):
                then(result)

    def _failing(self, key: Hashable, answer: _Answer, failed: OnError | None) -> OnError:
        def fail(error: BaseException) -> None:
            if self._answers.get(key) is answer:
                del self._answers[key]
                (failed or self._jobs.tell)(error)

        return fail

    def _shrink(self) -> None:
        ready = [key for key, answer in self._answers.items() if answer.is_there]
        for key in ready[: max(len(self._answers) - _LIMIT, 0)]:
            del self._answers[key]


def _same(before: tuple[Any, ...], after: tuple[Any, ...]) -> bool:
    pairs = zip(before, after, strict=False)
    return len(before) == len(after) and all(a is b or (isinstance(a, _PLAIN) and a == b) for a, b in pairs)
