"""A real browser without a screen, driven over the WebDriver protocol; nothing but the standard library is needed."""

import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.patience import WAIT_S

TOOLS = ("chromium", "chromedriver")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--lang=en",
)  # fmt: skip
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
TAB, ENTER, SPACE, DOWN = "\ue004", "\ue007", " ", "\ue015"
_WAIT = int(WAIT_S)
_TRIES = 3


def missing_tools() -> list[str]:
    """Name the programs that are not there."""
    return [tool for tool in TOOLS if not shutil.which(tool)]


class Browser:
    """One browser with a profile of its own in `folder`; files it saves lie in `folder`, too."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._driver, self._base = _driver(folder / "driver.log")
        options = {
            "binary": shutil.which("chromium"),
            "args": [*FLAGS, f"--user-data-dir={folder / 'profile'}"],
            "prefs": {"download.default_directory": str(folder), "download.prompt_for_download": False},
        }
        # The driver's own limit of 30 seconds for a script is too short for a busy machine.
        patience = {"script": _WAIT * 1000, "pageLoad": _WAIT * 1000}
        self._wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options, "timeouts": patience}}}
        self._session = self._begun()

    def close(self) -> None:
        """End the browser and its driver."""
        try:
            self._call("DELETE", self._session)
        finally:
            self._driver.terminate()
            self._driver.wait(timeout=_WAIT)

    def _begun(self) -> str:
        """Start the browser; a busy machine may need more than one try."""
        for left in reversed(range(_TRIES)):
            try:
                return f"/session/{self._call('POST', '/session', self._wanted)['sessionId']}"
            except AssertionError:
                if not left:
                    self._driver.kill()
                    self._driver.wait()
                    raise
        raise AssertionError("never tried")

    def open(self, path: Path) -> None:
        """Show a file."""
        self._call("POST", f"{self._session}/url", {"url": path.resolve().as_uri()})

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page and give what it returns."""
        body = {"script": script, "args": list(arguments)}
        return self._call("POST", f"{self._session}/execute/sync", body)

    def press(self, *keys: str) -> None:
        """Press keys one after the other, wherever the focus is."""
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        body = {"actions": [{"type": "key", "id": "keyboard", "actions": steps}]}
        self._call("POST", f"{self._session}/actions", body)

    def spoken(self, selector: str) -> tuple[str, str]:
        """Give what a screen reader says of an element: its role and its name."""
        found = self._call("POST", f"{self._session}/element", {"using": "css selector", "value": selector})
        place = f"{self._session}/element/{found[ELEMENT]}"
        return self._call("GET", f"{place}/computedrole"), self._call("GET", f"{place}/computedlabel")

    def text(self, identity: str) -> str:
        """Give the text of an element."""
        return str(self.run("return document.getElementById(arguments[0]).textContent", identity))

    def focus(self) -> str:
        """Name the element that has the focus."""
        return str(self.run("return document.activeElement.id"))

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        head = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._base + path, data, head, method=method)
        try:
            with urllib.request.urlopen(request, timeout=_WAIT) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()[:2000]) from None


def _driver(log: Path) -> tuple[subprocess.Popen[bytes], str]:
    """Start a driver on a port that it takes itself, so that nobody else can have it."""
    with log.open("wb") as out:
        driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=out, stderr=subprocess.DEVNULL)
    until = time.monotonic() + _WAIT
    while time.monotonic() < until and driver.poll() is None:
        told = log.read_text(encoding="utf-8", errors="replace")
        if found := re.search(r"started successfully on port (\d+)\.", told):
            return driver, f"http://127.0.0.1:{found.group(1)}"
        time.sleep(0.1)
    driver.kill()
    driver.wait()
    raise AssertionError("The driver of the browser does not start.")
