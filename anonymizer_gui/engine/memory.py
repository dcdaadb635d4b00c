"""How much memory a run will need and how much there is, so that it is told before the run and not by its end."""

import contextlib
import ctypes
import sys
from pathlib import Path

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.project import Project
from anonymizer_gui.engine.table import Role, Table

# Measured on tables of one and of ten million rows, by the algorithms that take most; rounded up.
_PER_ROW = 60
_PER_CELL = {Role.QI: 28, Role.SA: 40, Role.EI: 12, Role.OTHER: 12}
_PER_LABEL = 120
_KEPT_PER_ROW = 1300
_KEPT_AT_MOST = 1 << 30
"""A search keeps what it has seen of the table, up to this."""


class NotEnoughMemory(AnonymizerError):
    """A run would need more memory than there is; it was not started."""


def check_memory(table: Table, project: Project, population: Table | None = None) -> None:
    """Raise NotEnoughMemory when the free memory will hardly suffice for a run; say nothing when it is unknown."""
    needed, free = needed_memory(table, project, population), free_memory()
    if free is not None and needed > free:
        raise NotEnoughMemory(
            f"This run will need about {_gigabytes(needed)} of memory, and {_gigabytes(free)} are free.",
            "Close other programs, take fewer rows or columns, or try anyway.",
        )


def needed_memory(table: Table, project: Project, population: Table | None = None) -> int:
    """Estimate the bytes that anonymizing, measuring and exporting take beyond the table itself.

    >>> from anonymizer_gui.engine.table import Schema
    >>> needed_memory(Table((), 0), Project(schema=Schema()))
    0
    """
    roles = {entry.name: entry.role for entry in project.schema.columns}
    cells = sum(_PER_CELL[roles.get(column.name, Role.OTHER)] for column in table.columns)
    people = 0 if population is None else population.n_rows * _PER_CELL[Role.QI] * list(roles.values()).count(Role.QI)
    labels = sum(len(column.labels) for column in table.columns)
    kept = min(table.n_rows * _KEPT_PER_ROW, _KEPT_AT_MOST)
    return table.n_rows * (_PER_ROW + cells) + labels * _PER_LABEL + kept + people if table.n_rows else 0


def free_memory() -> int | None:
    """Give the bytes that programs can still take, or None when the system does not tell."""
    with contextlib.suppress(OSError, ValueError, AttributeError, KeyError):
        if sys.platform == "win32":
            return _free_on_windows()
        if sys.platform == "darwin":
            return _there_on_macos()
        return _free_on_linux()
    return None


def _free_on_linux() -> int:
    entries = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines())
    free = int(entries["MemAvailable"].split()[0]) * 1024
    left = _left_in_container()
    return free if left is None else min(free, left)


def _left_in_container(folder: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Give what a container may still take; file pages that it can drop at once count as free."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        limit, used = ((folder / name).read_text(encoding="ascii").strip() for name in ("memory.max", "memory.current"))
        counted = dict(line.split() for line in (folder / "memory.stat").read_text(encoding="ascii").splitlines())
        return None if limit == "max" else max(int(limit) - int(used) + int(counted["inactive_file"]), 0)
    return None


class _WindowsMemory(ctypes.Structure):
    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        *((name, ctypes.c_uint64) for name in ("total", "free", "page_total", "page_free", "own", "own_free", "more")),
    )


def _free_on_windows() -> int:
    state = _WindowsMemory(length=ctypes.sizeof(_WindowsMemory))
    if not ctypes.CDLL("kernel32").GlobalMemoryStatusEx(ctypes.byref(state)):
        raise OSError
    return int(state.free)


def _there_on_macos() -> int:
    """Give all memory of the machine: what is free at the moment says little on a system that fills it with files."""
    size = ctypes.c_uint64()
    length = ctypes.c_size_t(ctypes.sizeof(size))
    if ctypes.CDLL(None).sysctlbyname(b"hw.memsize", ctypes.byref(size), ctypes.byref(length), None, 0):
        raise OSError
    return int(size.value)


def _gigabytes(amount: int) -> str:
    return f"{amount / 1e9:,.1f} GB"
