"""Time and memory limits of the process, on Windows by a job object."""

import contextlib
import ctypes
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core.memory import free_memory

_EXTENDED = 9

_PROCESS_TIME, _PROCESS_MEMORY, _NO_DIALOG, _ONE_PROCESS = 0x2, 0x100, 0x400, 0x8

_TICKS_PER_SECOND = 10_000_000


class BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_memory", ctypes.c_size_t),
        ("most_memory", ctypes.c_size_t),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    )


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("basic", BasicLimits),
        ("counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


def job_limits(seconds: float, memory: int) -> ExtendedLimits:
    """Say the limits in the words of the system."""
    limits = ExtendedLimits()
    limits.basic.process_time = int(seconds * _TICKS_PER_SECOND)
    limits.basic.processes = 1
    limits.basic.flags = _PROCESS_TIME | _PROCESS_MEMORY | _NO_DIALOG | _ONE_PROCESS
    limits.process_memory = memory
    return limits


def limit_process(seconds: float, memory: int) -> None:
    """Put this process into a job with these limits; raises OSError when the system refuses."""
    kernel = ctypes.CDLL("kernel32", use_last_error=True)
    kernel.CreateJobObjectW.restype = kernel.GetCurrentProcess.restype = ctypes.c_void_p
    kernel.SetInformationJobObject.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32)
    kernel.AssignProcessToJobObject.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
    job, limits = kernel.CreateJobObjectW(None, None), job_limits(seconds, memory)
    done = job and kernel.SetInformationJobObject(job, _EXTENDED, ctypes.byref(limits), ctypes.sizeof(limits))
    if not (done and kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess())):
        raise OSError("the job was refused")


TOO_LONG, TOO_MUCH_MEMORY, BROKEN = 70, 71, 72
"""How the process apart ends when reading ended badly."""

FORKS = sys.platform.startswith("linux")
"""Whether each file is read by a child of the process apart; elsewhere libraries do not bear it, and it reads one."""

MEGABYTE = 1 << 20

_BASE_SECONDS, _SECONDS_PER_MB = 6.0, 12.0

_BASE_WAIT, _WAIT_PER_MB = 90.0, 180.0  # for what sleeps: a busy machine gives a process a tenth of its time

_BASE_MEMORY, _MEMORY_PER_BYTE = 1 << 30, 64

_SHARE_OF_FREE = 0.85

_LARGEST_FILE = MEGABYTE  # SQLite keeps a small index beside a database that others write into


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of work, seconds until it must be done, and bytes."""

    seconds: float
    wait: float
    memory: int


def limits_for(size: int) -> Limits:
    """Give the limits for a file of so many bytes; several times what slow machines took for real ones.

    >>> limits_for(0).seconds, limits_for(0).memory >> 20
    (6.0, 1024)
    """
    megabytes = size / MEGABYTE
    memory = _BASE_MEMORY + _MEMORY_PER_BYTE * size
    free = free_memory()
    if free is not None:
        memory = max(min(memory, int(_SHARE_OF_FREE * free)), _BASE_MEMORY)
    return Limits(_BASE_SECONDS + _SECONDS_PER_MB * megabytes, _BASE_WAIT + _WAIT_PER_MB * megabytes, memory)


def apply_limits(limits: Limits) -> None:
    """Hold this process to the limits, as far as the system lets it; it may write nothing of size."""
    if sys.platform == "win32":
        limit_process(limits.seconds, limits.memory)
        return
    import resource

    spent = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    _lower(resource.RLIMIT_CPU, int(spent + limits.seconds) + 1)
    _lower(resource.RLIMIT_FSIZE, _LARGEST_FILE)
    _lower(resource.RLIMIT_CORE, 0)
    if (mapped := _mapped()) is not None:
        _lower(resource.RLIMIT_AS, mapped + limits.memory)
    else:
        _watch_memory(limits.memory)


def _lower(what: int, most: int) -> None:
    import resource

    hard = resource.getrlimit(what)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(OSError, ValueError):  # some systems know the name and nothing more
        # The second limit kills whoever does not stop at the first.
        resource.setrlimit(what, (most, most + 1 if what == resource.RLIMIT_CPU else most))


def _mapped() -> int | None:
    """Give the bytes of addresses in use, on Linux: the libraries alone take hundreds of megabytes of them."""
    with contextlib.suppress(OSError, ValueError):
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return None


def _watch_memory(most: int) -> None:
    """End this process when it takes too much, where the system does not: macOS keeps no such limit."""
    import resource
    import threading
    import time

    def watch() -> None:
        while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < most:  # bytes on macOS
            time.sleep(0.1)
        os._exit(TOO_MUCH_MEMORY)

    threading.Thread(target=watch, daemon=True).start()
