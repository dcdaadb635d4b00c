"""Parser, exit codes, guarded standard streams."""

import argparse
import contextlib
import getpass
import importlib
import os
import pkgutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import NoReturn, TextIO

from anonymizer_gui import __version__, commands
from anonymizer_gui.engine.core.errors import (
    AnonymizerError,
    Cancelled,
    CancelledAtCost,
    IncompleteExport,
    Infeasible,
    fault_location,
)
from anonymizer_gui.engine.releases.export import Printer
from anonymizer_gui.engine.storage.sources import PasswordNeeded


class GuardedStream:
    """A stream on which printing never fails; it remembers when something could not be printed."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._is_broken = False
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """Print a text, unless that has failed before; what was closed by the caller leads nowhere."""
        if self._stream is not None and not self._is_broken:
            try:
                self._stream.write(text)
            except (OSError, ValueError):
                self._give_up()
        return len(text)

    def flush(self) -> None:
        """Print what still waits."""
        if self._stream is not None and not self._is_broken:
            try:
                self._stream.flush()
            except (OSError, ValueError):
                self._give_up()

    def is_broken(self) -> bool:
        """Tell whether something of what was printed got lost."""
        self.flush()
        return self._is_broken

    def isatty(self) -> bool:
        """Tell whether somebody looks on."""
        return self._stream is not None and self._stream.isatty()

    def _give_up(self) -> None:
        """Let what still waits go nowhere, or the end of the program would try again."""
        self._is_broken = True
        with contextlib.suppress(OSError, ValueError, AttributeError):
            if self._stream is not None:
                os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())


@contextmanager
def guarded_streams() -> Iterator[GuardedStream]:
    """Let everything be printed through streams that do not fail; gives the one for standard output."""
    _fill_closed_handles()
    before = sys.stdout, sys.stderr
    output, errors = GuardedStream(sys.stdout), GuardedStream(sys.stderr)
    sys.stdout, sys.stderr = output, errors
    try:
        yield output
    finally:
        for stream in (output, errors):
            stream.flush()
        sys.stdout, sys.stderr = before


def _fill_closed_handles() -> None:
    """Open nothing where a standard stream is closed: the next file would take its place."""
    for handle in range(3):
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


DONE, NOT_REACHABLE, BAD_CALL, FAULT, NOT_ALL, STOPPED = 0, 1, 2, 3, 4, 130


def main(arguments: list[str] | None = None, printer: Printer | None = None) -> int:
    """Run one command; return 0 when done, 1 when goals cannot be reached, 2 for a bad call or bad input.

    3 is a fault of the program, told without its text: that may hold cells of the table, and what is printed may be
    kept. 4: the release has left, something beside it has not. `printer` makes a PDF of a report.
    """
    given = sys.argv[1:] if arguments is None else arguments
    with guarded_streams() as output:
        parser = build_parser(given[0] if given else "")
        try:
            parsed = parser.parse_args(given, argparse.Namespace(printer=printer))
        except SystemExit as stop:
            return int(stop.code or DONE)
        code = _run(parsed)
        return _unprinted(parsed) if output.is_broken() else code


def _run(parsed: argparse.Namespace) -> int:
    """Run what was called, and turn whatever ends it early into an exit code."""
    try:
        return int(parsed.run(parsed))
    except Infeasible as error:
        return _tell(error, NOT_REACHABLE)
    except IncompleteExport as error:
        return _tell(error, NOT_ALL)
    except PasswordNeeded as error:
        return _run(parsed) if _asked_for_password(error, parsed) else _tell(error, BAD_CALL)
    except AnonymizerError as error:
        return _tell(error, BAD_CALL)
    except (Cancelled, KeyboardInterrupt) as stop:
        print(f"Stopped. {stop.message}" if isinstance(stop, CancelledAtCost) else "Stopped.", file=sys.stderr)
        return STOPPED
    except MemoryError:
        print("The memory did not suffice.\nClose other programs, or take fewer rows or columns.", file=sys.stderr)
        return FAULT
    except Exception as error:  # noqa: BLE001 - the outermost boundary
        print(f"This is a fault of the program. Please report these lines.\n{fault_location(error)}", file=sys.stderr)
        return FAULT


class CommandParser(argparse.ArgumentParser):
    """Answers a wrong call with what is wrong; the options of a command fill more than a screen."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where all options are told, then stop."""
        self.exit(BAD_CALL, f"{self.prog}: {message}\n`{self.prog} --help` tells all options.\n")


def build_parser(command: str = "") -> argparse.ArgumentParser:
    """Make the parser with the command that is called, or with every one there is: each loads what it works with."""
    parser = CommandParser(
        prog="anonymizer-gui",
        description="Turn data about people into a release you can defend. Without a command the window opens.",
        epilog="`anonymizer-gui demo` shows a guided tour in the window; `anonymizer-gui demo --help` tells more.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    chosen = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in command_modules(command) or command_modules():
        options = chosen.add_parser(module.NAME, help=module.HELP, description=module.HELP, allow_abbrev=False)
        module.add_arguments(options)
        options.set_defaults(run=module.run)
    return parser


def command_modules(only: str = "") -> list[ModuleType]:
    """Find the modules that are commands: those with NAME, as the file is called, HELP, add_arguments and run."""
    names = [entry.name for entry in pkgutil.iter_modules(commands.__path__) if entry.name == (only or entry.name)]
    found = [importlib.import_module(f"{commands.__name__}.{name}") for name in names]
    return [module for module in found if hasattr(module, "NAME")]


def _unprinted(parsed: argparse.Namespace) -> int:
    """Say that the numbers got lost; a release that has left is no failure for that."""
    has_left = getattr(parsed, "has_left", False)
    what = (
        "The release has left; what came out could not be printed." if has_left else "The answer could not be printed."
    )
    print(what, file=sys.stderr)
    return DONE if has_left else BAD_CALL


def _asked_for_password(error: PasswordNeeded, parsed: argparse.Namespace) -> bool:
    """Ask whoever sits at the terminal, once; the password is kept for this run alone."""
    if getattr(parsed, "has_asked", False) or not sys.stdin or not sys.stdin.isatty():
        return False
    from anonymizer_gui.engine.data.tables.io import database_servers

    parsed.has_asked = True
    password = getpass.getpass(f"Password of {error.address.place}: ")
    database_servers.keep_password(error.address.with_password(password))
    return bool(password)


def _tell(error: AnonymizerError, code: int) -> int:
    print(error.message, file=sys.stderr)
    if error.hint:
        print(error.hint, file=sys.stderr)
    return code
