"""How much memory programs can still take, as far as the system tells; and giving back what nobody needs any more."""

import contextlib
import ctypes
import sys
from pathlib import Path


def free_memory() -> int | None:
    """Give the bytes that programs can still take, or None when the system does not tell."""
    with contextlib.suppress(OSError, ValueError, AttributeError, KeyError):
        if sys.platform == "win32":
            return _free_on_windows()
        if sys.platform == "darwin":
            return _there_on_macos()
        return _free_on_linux()
    return None


def release_memory() -> None:
    """Let the system have the memory that was taken before and is free by now.

    Allocators keep it for later, which counts as taken while another process, such as an engine, could use it.
    """
    if (arrow := sys.modules.get("pyarrow")) is not None:
        arrow.default_memory_pool().release_unused()
    with contextlib.suppress(OSError, AttributeError):  # other systems do so by themselves
        ctypes.CDLL(None).malloc_trim(0)


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
