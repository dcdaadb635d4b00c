"""A process that saves and exports again and again and is killed while it does; driven by lines on its input.

A line is `after SECONDS`, to be killed from outside at that moment, or `at NUMBER`, to be killed at that operation
on a file. After each line it tells how the work ended: `killed` or `done`, and the seconds it had.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.ledger.releases import ReleaseLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.signing import make_signing_key
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from tests.engine.rooms.microdata.making import hospital_project, hospital_release

KEY = bytes(range(32))
ROWS = 4000
OPERATIONS = {"open", "os.rename", "os.remove", "os.chmod", "os.link", "os.listdir", "sqlite3.connect"}
Work = Callable[[], None]


def large_project(seed: int) -> Project:
    """Give a project whose file takes a while to write."""
    leaves = [f"{seed}-{number:05d}" for number in range(20_000)]
    return replace(hospital_project(seed=seed), hierarchies={"zip": Hierarchy.from_nested({"*": leaves})})


def works(target: Path) -> list[Work]:
    """Give two pieces of work that each put another content in place of the target."""
    if target.suffix == ".anon":
        return [lambda seed=seed: save_project(large_project(seed), target) for seed in (7, 8)]  # type: ignore[misc]
    ledger = ReleaseLedger(target.with_name("ledger.sqlite"))
    prepared = []
    for seed in (7, 8):
        release, original = hospital_release(ROWS, seed=seed)
        prepared.append(prepare_candidate(release, original, Safeguards(key=KEY, ledger=ledger)))
    signer = make_signing_key(target.with_name("signing.pem"))
    return [lambda p=p: export(p, target, signer=signer) and None for p in prepared]  # type: ignore[misc]


def killed_at(number: int, folder: str) -> None:
    """Kill this process at an operation on a file in the folder, counted from 1."""
    left = number

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event in OPERATIONS and str(arguments[0]).startswith(folder):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def run_once(work: Work, how: str, amount: float, folder: str) -> bool:
    """Do the work in a process of its own; tell whether it was killed."""
    child = os.fork()
    if child == 0:
        if how == "at":
            killed_at(int(amount), folder)
        work()
        os._exit(0)
    if how == "after":
        time.sleep(amount)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status):
        raise SystemExit("the work failed")
    return os.WIFSIGNALED(status)


def main(target: Path) -> None:
    """Follow the lines; every second piece of work is the other one."""
    pieces = works(target)
    for turn, line in enumerate(sys.stdin):
        how, amount = line.split()
        started = time.perf_counter()
        killed = run_once(pieces[turn % 2], how, float(amount), str(target.parent))
        sys.stdout.write(f"{'killed' if killed else 'done'} {time.perf_counter() - started}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
