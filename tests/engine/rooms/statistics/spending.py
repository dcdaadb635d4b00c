"""A process that asks and asks, tells what it was answered, and is killed while it does; driven by lines on its input.

A line is `FIRST LAST SECONDS`: ask the questions of these numbers one after the other, and be killed after so long
unless all are answered. Each answer is told as `NUMBER VALUE` once it is there, each refusal as `NUMBER -`; a line
`killed` or `done` ends it.
"""

import os
import select
import signal
import sys
import time
from fractions import Fraction
from pathlib import Path

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.rooms.statistics.run import run
from tests.engine.rooms.statistics.making import plan, visits

EACH = Fraction(1, 10)


def ask(numbers: range, ledger: BudgetLedger, total: Fraction, shown: int) -> None:
    """Ask one question after the other, and tell each answer only when it was given."""
    table = visits()
    for number in numbers:
        project = plan(f"count age>={number}", epsilon=EACH, total=total, delta=Fraction(0))
        try:
            told = str(run(project, {"table": table, "ledger": ledger}).answers[0].value)
        except Infeasible:
            told = "-"
        os.write(shown, f"{number} {told}\n".encode())


def asked_until(numbers: range, seconds: float, ledger: BudgetLedger, total: Fraction) -> str:
    """Ask in a process of its own; give what it showed, and whether it was killed."""
    reading, shown = os.pipe()
    child = os.fork()
    if child == 0:
        ask(numbers, ledger, total, shown)
        os._exit(0)
    os.close(shown)
    content, end = b"", time.monotonic() + seconds
    while select.select([reading], [], [], max(end - time.monotonic(), 0))[0]:
        if not (piece := os.read(reading, 1 << 16)):
            break
        content += piece
    else:
        os.kill(child, signal.SIGKILL)
    while piece := os.read(reading, 1 << 16):  # what was shown before the end was seen by somebody
        content += piece
    os.close(reading)
    _, status = os.waitpid(child, 0)
    return content.decode() + ("killed\n" if os.WIFSIGNALED(status) else "done\n")


def main(path: Path, total: str) -> None:
    """Follow the lines."""
    run(plan("count"), {"table": visits()})  # what is loaded once is loaded before anybody is killed
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        first, last, seconds = line.split()
        told = asked_until(range(int(first), int(last)), float(seconds), BudgetLedger(path), Fraction(total))
        sys.stdout.write(told)
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
