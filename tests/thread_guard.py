"""Finds threads that a test left running."""

import threading


def still_running(before: set[threading.Thread], patience: float = 60.0) -> list[threading.Thread]:
    """Return new threads that do not end within a moment, given in seconds.

    A dummy stands for a thread of a library (Qt, Arrow) that once called Python; it cannot be waited for.
    """
    new = [thread for thread in threading.enumerate() if thread not in before]
    own = [thread for thread in new if not isinstance(thread, threading._DummyThread)]
    for thread in own:
        thread.join(patience)
    return [thread for thread in own if thread.is_alive()]
