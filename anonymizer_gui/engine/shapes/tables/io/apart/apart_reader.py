"""A reader that lets another process do the reading, and tells in one sentence how that ended."""

import json
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message, unpack_message
from anonymizer_gui.engine.core.params import Json, from_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.tables.io.apart.client import POOL, Ended
from anonymizer_gui.engine.shapes.tables.io.apart.frames import Kind
from anonymizer_gui.engine.shapes.tables.io.apart.limits import TOO_LONG, TOO_MUCH_MEMORY, limits_for
from anonymizer_gui.engine.shapes.tables.io.apart.wire import PACKAGE, Arriving, Question, error_of
from anonymizer_gui.engine.shapes.tables.io.opened_files import checked_path
from anonymizer_gui.engine.shapes.tables.io.options import ReadOptions
from anonymizer_gui.engine.shapes.tables.io.read_report import ReadReport
from anonymizer_gui.engine.shapes.tables.io.reader import Reader, Source
from anonymizer_gui.engine.shapes.tables.table import Table

_TRUSTED = "If you trust it, save it as CSV with the program it comes from, and open that."


@dataclass(frozen=True, slots=True)
class ApartReader:
    """Has the questions about a file answered by a process of its own, within limits."""

    reader: Reader

    @property
    def choices(self) -> tuple[str, ...]:
        """The names of the options that make a difference."""
        return self.reader.choices

    def parts(self, source: Source) -> tuple[str, ...]:
        """List the sheets or tables to choose from; raises UnreadableFile."""
        return tuple(self._ask("parts", source).answer)

    def sniff(self, source: Source) -> ReadOptions:
        """Propose options; raises UnreadableFile."""
        return from_json(ReadOptions, self._ask("sniff", source).answer)

    def read(
        self, source: Source, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        """Read the table, or its first `limit` rows; raises UnreadableFile."""
        arriving = self._ask("read", source, options, progress, limit).table
        if arriving is None:
            raise _broken(Path(source))
        return arriving.finish()

    def _ask(
        self,
        asked: str,
        source: Source,
        options: ReadOptions | None = None,
        progress: Progress = SILENT,
        limit: int | None = None,
    ) -> "_Answer":
        path = checked_path(source)
        limits = limits_for(path.stat().st_size)
        kind = type(self.reader)
        name = f"{kind.__module__.removeprefix(f'{PACKAGE}.')}.{kind.__name__}"
        question = Question(name, asked, str(path.absolute()), limits.seconds, limits.memory, options, limit)
        answer = _Answer(progress)
        try:
            helper = POOL.take()
            helper.ask(question, limits.wait, progress, answer.take)
        except Ended as ended:
            raise _bad_end(path, ended.code) from None
        except (KeyError, TypeError, ValueError, IndexError):  # an answer that is none
            raise _broken(path) from None
        except OSError:
            raise UnreadableFile(
                "The process that reads such files could not be started.", "Close other programs, and try again."
            ) from None
        POOL.give_back(helper)
        if answer.error is not None:
            raise answer.error
        return answer


@dataclass(slots=True)
class _Answer:
    """What has arrived so far."""

    progress: Progress
    answer: Json = None
    table: Arriving | None = None
    error: UnreadableFile | None = None

    def take(self, kind: Kind, payload: bytearray) -> None:
        """Take the next frame; raises Cancelled."""
        if kind is Kind.PROGRESS:
            fraction, text = json.loads(payload)
            self.progress(fraction, unpack_message(text))
        elif kind is Kind.ERROR:
            self.error = error_of(json.loads(payload))
        elif kind is Kind.ANSWER:
            self.answer = json.loads(payload)
        elif kind is Kind.TABLE:
            self.table = Arriving(payload)
        elif self.table is not None:
            self.table.take(kind, payload)


def _bad_end(path: Path, code: int) -> UnreadableFile:
    if code == TOO_LONG:
        return UnreadableFile(
            message("Reading “{name}” took longer than a file of its size may take.", name=path.name), _TRUSTED
        )
    if code == TOO_MUCH_MEMORY:
        return UnreadableFile(
            message("Reading “{name}” took more memory than a file of its size may need.", name=path.name), _TRUSTED
        )
    return _broken(path)


def _broken(path: Path) -> UnreadableFile:
    return UnreadableFile(
        message("“{name}” is damaged: reading it broke off.", name=path.name),
        "Fetch it again or save it anew. Nothing of your work was touched.",
    )
