"""Displays of their own for programs that start at the same time."""

import contextlib
import shutil
import threading

import pytest

from tests.e2e.display import display, server_of

pytestmark = pytest.mark.skipif(shutil.which("Xvfb") is None, reason="not installed: Xvfb")


def test_displays_that_start_together_are_different_and_answer() -> None:
    names: list[str] = []
    servers: list[int | None] = []
    ready, done = threading.Barrier(4), threading.Barrier(4)

    def start() -> None:
        ready.wait()
        with display() as name:
            done.wait()
            names.append(name)
            servers.append(server_of(name[1:]))
            done.wait()

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(names)) == len(set(servers)) == 4
    assert None not in servers


def test_nobody_answers_on_a_display_that_has_ended() -> None:
    with contextlib.ExitStack() as stack:
        name = stack.enter_context(display())
        assert server_of(name[1:]) is not None
    assert server_of("64999") is None
