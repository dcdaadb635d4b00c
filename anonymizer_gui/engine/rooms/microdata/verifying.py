"""Measure a released table again: every entry of its certificate that follows from the file is counted anew."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json, from_json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io import WriteOptions
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.room import Near, VerificationResult
from anonymizer_gui.engine.rooms.microdata.policy_opinion import Opinion, judged_again, policy_checks
from anonymizer_gui.engine.rooms.microdata.second_opinion import count_certified, is_checked, numbers_of
from anonymizer_gui.engine.rooms.microdata.told import column_digest
from anonymizer_gui.engine.rooms.microdata.verification.certified import Certified
from anonymizer_gui.engine.rooms.microdata.verification.checks import (
    attacks_again,
    missing_checks,
    not_run_again,
    run_again,
)
from anonymizer_gui.engine.rooms.microdata.verification.entries import expected_entries, other_columns, taken_as_told
from anonymizer_gui.engine.rooms.microdata.verification.losses import (
    LOSSES,
    expected_losses,
    impossible_losses,
    losses_of,
)
from anonymizer_gui.engine.rooms.microdata.verification.numbers import (
    expected_numbers,
    expected_promises,
    impossible,
    not_counted,
)
from anonymizer_gui.engine.rooms.microdata.written import name_in_file, read_file

_COMPARED = ("written.columns", "written.apart.columns", "written.canonical", "recipe.pseudonyms", "reference_groups")
"""Entries that are compared here, or that the count of the file rests on and would not agree with otherwise."""


def measured_again(path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
    """Compare the cells of a released table with its certificate, and give its entries, counted anew from the bytes.

    Raises UnreadableFile.
    """
    options = from_json(WriteOptions, told["written"]["options"])
    if "canonical" in told["written"]:
        return _by_engine(path, told, options, progress)
    table = read_file(path, options, progress.sub(0.0, 0.5))
    digests = {name_in_file(name, options): digest for name, digest in told["written"]["columns"].items()}
    apart = _apart(path, told, options, progress)
    changed = [*_columns(table, digests), *_changed_apart(apart, told, options)]
    if set(digests) != set(table.names):
        return _not_even_its_columns(changed)
    found = count_certified(path, told, progress.sub(0.5, 1.0))
    columns = {column.name: column for each in (table, apart) if each is not None for column in each.columns}
    return _findings(Certified(path, told, options, found, columns, table), changed)


def _by_engine(path: Path, told: Mapping[str, Json], options: WriteOptions, progress: Progress) -> VerificationResult:
    """Compare a release that an engine wrote: an engine reads it again, for no memory may hold it."""
    from anonymizer_gui.engine.rooms.microdata.elsewhere.measuring import CertifiedRelease  # most are not of this sort

    release = CertifiedRelease(path, told, progress)
    if not release.has_its_columns():
        return _not_even_its_columns([message("The columns are others than those of the release.")])
    changed = [] if release.has_its_rows() else [message("The rows are others than those that were written.")]
    found, columns = release.counted()
    return _findings(Certified(path, told, options, found, columns, None), changed)


def _not_even_its_columns(changed: Sequence[Message]) -> VerificationResult:
    """Give the differences of a file that has other columns, of which nothing else can be counted."""
    return VerificationResult(tuple(changed), not_measured={"": message("everything but the names of the columns")})


def _findings(release: Certified, changed: Sequence[Message]) -> VerificationResult:
    """Gather what was counted, what cannot be, and what contradicts itself."""
    losses, opinion = losses_of(release), _opinion(release)
    has_loss = losses is not None or release.told["numbers"]["lm"] is None
    not_measured = {**taken_as_told(release), **not_counted(release), **not_run_again(release)}
    if not has_loss:
        not_measured |= dict.fromkeys(LOSSES, message("losses that need the inside copy"))
    expected = _expected(release, losses, opinion)
    return VerificationResult(
        (
            *changed,
            *other_columns(release),
            *missing_checks(release),
            *impossible(release),
            *impossible_losses(release),
        ),
        tuple(_unchecked(release, has_loss=has_loss)),
        _numbers(release, expected),
        expected,
        _COMPARED,
        not_measured,
        run_again(release, policy_checks(opinion[0])),
    )


def _expected(release: Certified, losses: Mapping[str, float] | None, opinion: Opinion) -> dict[str, Any]:
    lost = {"numbers": {}} if losses is None else expected_losses(release, losses)
    if losses is None and release.told["numbers"]["lm"] is None:
        lost["numbers"] = {"lm": None, "lm_total": None}
    return {
        "promises": expected_promises(release),
        **expected_entries(release),
        **attacks_again(release),
        **(_judged(release, opinion) if release.table is not None else {}),
        **lost,
        "numbers": expected_numbers(release) | lost["numbers"],
    }


def _opinion(release: Certified) -> Opinion:
    if release.table is None:
        return (), ()
    return judged_again(release.table, release.found, release.told, release.options)


def _judged(release: Certified, opinion: Opinion) -> dict[str, Any]:
    """Give policies and questions; other versions may word their sentences otherwise."""
    policies, questions = [each.told() for each in opinion[0]], [each.told() for each in opinion[1]]
    if not release.is_current:
        policies = [
            {"passes": each["passes"], "found": [{"holds": found["holds"]} for found in each["found"]]}
            for each in policies
        ]
        questions = [{name: each[name] for name in ("name", "figures")} for each in questions]
    return {"policies": policies, "questions": questions}


def _numbers(release: Certified, expected: Mapping[str, Any]) -> dict[str, Json]:
    """Give the numbers for the reader."""
    lm = expected["numbers"].get("lm")
    suppressed = release.told["numbers"]["suppressed"]
    return {
        **numbers_of(release.found),
        "suppressed": suppressed,
        "lm": lm.value if isinstance(lm, Near) else None,
    }


def _unchecked(release: Certified, *, has_loss: bool) -> Iterator[Message]:
    """Tell the goals and numbers that could not be decided, and what they would need."""
    for promise, verdict in zip(release.told["promises"], release.found.verdicts, strict=True):
        if not is_checked(verdict, release.found, release.told["numbers"]):
            yield message(promise["title"])
    if release.counts_people:
        yield message("k, l and risk, which count people: the file does not tell whom a row is about")
    if not has_loss:
        yield message("LM, which needs the inside copy")
    if release.table is None and (release.told.get("policies") or release.told.get("questions")):
        yield message("policies and the three questions, which need every cell")


def _columns(table: Table, digests: Mapping[str, str]) -> Iterator[Message]:
    for name in digests:
        if name not in table.names:
            yield message("The column “{name}” is missing.", name=name)
        elif column_digest(table.column(name)) != digests[name]:
            yield message("The column “{name}” has changed.", name=name)
    for name in table.names:
        if name not in digests:
            yield message("The column “{name}” was not in the release.", name=name)
    if set(digests) == set(table.names) and list(digests) != list(table.names):
        yield message("The columns stand in another order.")


def _apart(path: Path, told: Mapping[str, Json], options: WriteOptions, progress: Progress) -> Table | None:
    """Read the file of sets that left unlinked, where there is one."""
    apart = told["written"].get("apart")
    return read_file(path.with_name(Path(str(apart["file"])).name), options, progress) if apart else None


def _changed_apart(apart: Table | None, told: Mapping[str, Json], options: WriteOptions) -> Iterator[Message]:
    if apart is not None:
        digests = told["written"]["apart"]["columns"]
        yield from _columns(apart, {name_in_file(name, options): digest for name, digest in digests.items()})
