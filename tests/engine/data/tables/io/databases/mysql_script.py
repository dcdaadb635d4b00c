"""A made-up MySQL server that lets everybody in and, asked for people, asks its client for a file instead."""

import re
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.patience import WAIT_S

_OK = b"\x00\x00\x00\x02\x00\x00\x00"
_END = b"\xfe\x00\x00\x02\x00"
_LOCAL_FILES = 0x80
_CAPABILITIES = 0x000FF7DF | _LOCAL_FILES
_VALUES = {"version": "8.0.36", "sql_mode": "", "lower_case_table_names": "0", "isolation": "REPEATABLE-READ"}


@dataclass(slots=True)
class Script:
    """What the server has heard, and what it got hold of."""

    port: int
    wanted: str
    asked: list[str] = field(default_factory=list)
    stolen: list[bytes] = field(default_factory=list)
    offered_files: list[bool] = field(default_factory=list)
    silent_on: str = ""
    """Questions with this word are never answered."""
    was_left: threading.Event = field(default_factory=threading.Event)
    """Set when somebody who was not answered hung up."""

    @property
    def address(self) -> str:
        """The address of its database."""
        return f"mysql://ann:geheim@127.0.0.1:{self.port}/people"


@contextmanager
def scripted(wanted: str) -> Iterator[Script]:
    """Serve on this machine alone until the end; `wanted` is the file that clients are asked for."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        script = Script(listening.getsockname()[1], wanted)
        thread = threading.Thread(target=_serve, args=(listening, script))
        thread.start()
        try:
            yield script
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


def _serve(listening: socket.socket, script: Script) -> None:
    while True:
        try:
            client, _ = listening.accept()
        except OSError:
            return
        with client:
            client.settimeout(WAIT_S)
            try:
                _talk(client, script)
            except (OSError, EOFError):
                continue


def _talk(client: socket.socket, script: Script) -> None:
    _send(client, 0, _greeting())
    _, login = _receive(client)
    script.offered_files.append(bool(struct.unpack("<I", login[:4])[0] & _LOCAL_FILES))
    _send(client, 2, _OK)
    while True:
        _, packet = _receive(client)
        if packet[:1] != b"\x03":
            if packet[:1] == b"\x01":
                return
            _send(client, 1, _OK)
            continue
        question = packet[1:].decode()
        script.asked.append(question)
        _answer(client, question, script)


def _answer(client: socket.socket, question: str, script: Script) -> None:
    if re.search(r"\bfrom\b.*\bpeople\b", question, re.IGNORECASE | re.DOTALL) and "show" not in question.lower():
        _send(client, 1, b"\xfb" + script.wanted.encode())
        number, content = _receive(client)
        while content:
            script.stolen.append(content)
            number, content = _receive(client)
        _send(client, number + 1, _OK)
    elif script.silent_on and script.silent_on in question:
        client.settimeout(2 * WAIT_S)
        if not client.recv(1):
            script.was_left.set()
            raise EOFError
    elif re.match(r"\s*(select|show)", question, re.IGNORECASE):
        value = next((text for name, text in _VALUES.items() if name in question.lower()), "people")
        _send_rows(client, ["people", "BASE TABLE"] if "tables" in question.lower() else [value])
    else:
        _send(client, 1, _OK)


def _send_rows(client: socket.socket, row: list[str]) -> None:
    packets = [bytes([len(row)]), *(_column(f"c{place}") for place in range(len(row))), _END]
    packets += [b"".join(_text(cell) for cell in row), _END]
    for number, packet in enumerate(packets, 1):
        _send(client, number, packet)


def _greeting() -> bytes:
    low, high = _CAPABILITIES & 0xFFFF, _CAPABILITIES >> 16
    head = b"\x0a8.0.36\0" + struct.pack("<I", 7) + b"saltsalt\0" + struct.pack("<H", low)
    tail = b"\x21" + struct.pack("<H", 2) + struct.pack("<H", high) + bytes([21]) + bytes(10) + b"saltsaltsalt\0"
    return head + tail + b"mysql_native_password\0"


def _column(name: str) -> bytes:
    texts = b"".join(_text(text) for text in ("def", "", "", "", name, name))
    return texts + b"\x0c" + struct.pack("<HIBHB", 33, 1000, 0xFD, 0, 0) + b"\0\0"


def _text(text: str) -> bytes:
    return bytes([len(text)]) + text.encode()


def _send(client: socket.socket, number: int, payload: bytes) -> None:
    client.sendall(struct.pack("<I", len(payload))[:3] + bytes([number]) + payload)


def _receive(client: socket.socket) -> tuple[int, bytes]:
    head = _exactly(client, 4)
    return head[3], _exactly(client, int.from_bytes(head[:3], "little"))


def _exactly(client: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        if not (more := client.recv(size - len(data))):
            raise EOFError
        data += more
    return data
