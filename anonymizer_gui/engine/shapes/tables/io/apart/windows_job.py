"""Limits of a process on Windows: a job object that the process puts itself into."""

import ctypes

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


def limits_of(seconds: float, memory: int) -> ExtendedLimits:
    """Say the limits in the words of the system."""
    limits = ExtendedLimits()
    limits.basic.process_time = int(seconds * _TICKS_PER_SECOND)
    limits.basic.processes = 1
    limits.basic.flags = _PROCESS_TIME | _PROCESS_MEMORY | _NO_DIALOG | _ONE_PROCESS
    limits.process_memory = memory
    return limits


def hold_process(seconds: float, memory: int) -> None:
    """Put this process into a job with these limits; raises OSError when the system refuses."""
    kernel = ctypes.CDLL("kernel32", use_last_error=True)
    kernel.CreateJobObjectW.restype = kernel.GetCurrentProcess.restype = ctypes.c_void_p
    kernel.SetInformationJobObject.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32)
    kernel.AssignProcessToJobObject.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
    job, limits = kernel.CreateJobObjectW(None, None), limits_of(seconds, memory)
    done = job and kernel.SetInformationJobObject(job, _EXTENDED, ctypes.byref(limits), ctypes.sizeof(limits))
    if not (done and kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess())):
        raise OSError("the job was refused")
