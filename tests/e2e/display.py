"""A display of one's own: a number nobody else has, and a server that answers before anybody is sent there."""

import contextlib
import os
import select
import socket
import struct
import subprocess
import time
from collections.abc import Iterator

from tests.patience import WAIT_S

TRIES = 10
_SCREEN = ("-screen", "0", "1280x900x24", "-nolisten", "tcp")


@contextlib.contextmanager
def display() -> Iterator[str]:
    """Start a display, give its name and end it; a start that fails is tried again."""
    server, name = _started()
    try:
        yield name
    finally:
        end(server)


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a process, the hard way if need be."""
    process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _started() -> tuple["subprocess.Popen[bytes]", str]:
    for _ in range(TRIES):
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), *_SCREEN]
        server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        number = _number(reading)
        if number and _answers(number, server):
            return server, f":{number}"
        end(server)
    raise AssertionError(f"no display started in {TRIES} tries")


def _number(reading: int) -> str:
    """Read the number that the server took; nothing when it ended, or told none in time."""
    with os.fdopen(reading) as pipe:
        return pipe.readline().strip() if select.select([pipe], [], [], WAIT_S)[0] else ""


def _answers(number: str, server: "subprocess.Popen[bytes]") -> bool:
    """Wait until the display answers; tell whether it is our server that does, for two may take the same number."""
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until and server.poll() is None:
        if (found := server_of(number)) is not None:
            return found in (server.pid, 0)
        time.sleep(0.05)
    return False


def server_of(number: str) -> int | None:
    """Give the process behind a display, asked the way clients ask; None when none answers, 0 when none is named."""
    path = f"/tmp/.X11-unix/X{number}"
    for address in (f"\0{path}", path):
        with socket.socket(socket.AF_UNIX) as client, contextlib.suppress(OSError):
            client.settimeout(WAIT_S)
            client.connect(address)
            # Byte order, version 11.0, no authorization: the first byte of the answer is 1 when we are let in.
            client.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
            if client.recv(1) != b"\1":
                return None
            if not hasattr(socket, "SO_PEERCRED"):
                return 0
            told = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
            return int(struct.unpack("3i", told)[0])
    return None
