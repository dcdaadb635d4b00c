"""The one entry point: a word of the command line works without a window, anything else opens it."""

import os
import sys
from pathlib import Path

NO_DISPLAY = "There is no display to open a window on; `anonymizer-gui --help` lists what works without one."


READ_TABLES_WORKER = "read-tables-apart"
"""With this word the program reads tables for another one of its kind; see
`engine/data/tables/io/sandboxed_readers`."""

DUCKDB_WORKER = "count-apart"
"""With this word the program counts tables for another one of its kind; see `engine/scale`."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line for a subcommand, the window otherwise; return the exit code."""
    _keep_memory_private()
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == [READ_TABLES_WORKER]:
        from anonymizer_gui.engine.data.tables.io.sandboxed_readers.worker import serve

        return serve()
    if arguments[:1] == [DUCKDB_WORKER]:
        from anonymizer_gui.engine.scale.duckdb_worker import serve as count

        return count()
    if arguments[:1] == ["demo"]:
        return _demo(arguments[1:])
    if _is_for_command_line(arguments):
        from anonymizer_gui import cli

        return cli.main(arguments, _print)
    if _has_no_display():
        sys.stderr.write(NO_DISPLAY + "\n")
        return 2
    from anonymizer_gui.ui import app

    return app.main(arguments)


def _demo(arguments: list[str]) -> int:
    """Show the tour; its pictures and its help need no display."""
    without = {"--screenshots", "--animation", "-h", "--help"}
    if _has_no_display() and not without & {word.partition("=")[0] for word in arguments}:
        sys.stderr.write(NO_DISPLAY + "\n")
        return 2
    from anonymizer_gui.ui.tour import demo

    return demo.main(arguments)


def _print(report: str, path: Path) -> None:
    """Print a report to PDF; Qt does it, which the command line itself does without."""
    from anonymizer_gui.engine.core.errors import UnwritableFile

    try:
        from anonymizer_gui.workspace.export_jobs import write_pdf_headless
    except ImportError:
        raise UnwritableFile(
            "The report cannot be printed here: Qt does not load.", "Leave --pdf out; the report is a page as well."
        ) from None
    write_pdf_headless(report, path)


def _is_for_command_line(arguments: list[str]) -> bool:
    """Tell a subcommand, with no dot in it, from a file to open and from options of the window."""
    first = arguments[0] if arguments else "-"
    return first in {"-h", "--help", "--version"} or not (first.startswith("-") or Path(first).suffix)


def _has_no_display() -> bool:
    if not sys.platform.startswith("linux"):
        return False
    return not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def _keep_memory_private() -> None:
    """Leave no core dump: it would hold the table."""
    try:
        import resource
    except ImportError:
        return  # Windows has no core dumps of this sort.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    raise SystemExit(main())
