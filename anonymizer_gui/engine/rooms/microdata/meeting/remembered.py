"""Releases the ledger remembers, and how a new one meets them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.releases.ledger.chain import Entry
from anonymizer_gui.engine.releases.ledger.releases import ReleaseLedger
from anonymizer_gui.engine.rooms.microdata.meeting.found import Meeting
from anonymizer_gui.engine.rooms.microdata.meeting.kept import aliases_in, is_exact, parts_of, renamed, shown_in
from anonymizer_gui.engine.rooms.microdata.meeting.meeting import meet
from anonymizer_gui.engine.rooms.microdata.meeting.shown import Shown
from anonymizer_gui.engine.rooms.microdata.project import Project


@dataclass(frozen=True, slots=True, eq=False)
class Newcomer:
    """A new release, and the keys its people had in the version before where those were others."""

    shown: Shown
    aliases: Mapping[bytes, bytes]


def meeting_with(ledger: ReleaseLedger, new: Newcomer, key: bytes, progress: Progress = SILENT) -> Meeting:
    """Let a new release meet all that the ledger remembers; raises Tampered, UnreadableFile."""
    entries = _tables(ledger.read(key, progress.sub(0.0, 0.2)))
    aliases = dict(new.aliases)
    for entry in entries:
        aliases |= aliases_in(entry)
    return meet(new.shown, _shown(ledger, entries, aliases), progress.sub(0.2, 1.0))


def kept_of(ledger: ReleaseLedger, new: Newcomer, key: bytes) -> dict[str, bytes]:
    """Give what the ledger will keep of a release; people whom older entries know by other keys are told with both."""
    older = [shown_in(entry) for entry in _tables(ledger.read(key)) if is_exact(entry)]
    known = {person for shown in older for person in shown.keys.tolist()}
    return parts_of(new.shown, {old: now for old, now in new.aliases.items() if old in known})


def _tables(entries: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.room == Project.room]


def _shown(ledger: ReleaseLedger, entries: Sequence[Entry], aliases: Mapping[bytes, bytes]) -> list[Shown]:
    """Read what was kept of earlier releases; raises UnreadableFile."""
    try:
        found = [(entry, shown_in(entry)) for entry in entries]
    except (ValueError, KeyError, TypeError, IndexError):
        raise UnreadableFile(
            message("The ledger “{name}” cannot be used, it is damaged.", name=ledger.path.name),
            "Take a copy that is whole, or choose another file for the ledger.",
        ) from None
    return [renamed(shown, aliases) if is_exact(entry) else shown for entry, shown in found]
