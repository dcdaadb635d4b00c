"""A real browser without a screen, driven over the WebDriver protocol; nothing but the standard library is needed."""

import json
import shutil
import socket
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


def missing_tools() -> list[str]:
    """Name the programs that are not there."""
    return [tool for tool in TOOLS if not shutil.which(tool)]


class Browser:
    """One browser with a profile of its own in `folder`; files it saves lie in `folder`, too."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._driver, self._base = _driver()
        options = {
            "binary": shutil.which("chromium"),
            "args": [*FLAGS, f"--user-data-dir={folder / 'profile'}"],
            "prefs": {"download.default_directory": str(folder), "download.prompt_for_download": False},
        }
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
        self._session = f"/session/{self._call('POST', '/session', wanted)['sessionId']}"

    def close(self) -> None:
        """End the browser and its driver."""
        try:
            self._call("DELETE", self._session)
        finally:
            self._driver.terminate()
            self._driver.wait(timeout=_WAIT)

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


def _driver() -> tuple[subprocess.Popen[bytes], str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(_WAIT * 10):
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return driver, f"http://127.0.0.1:{port}"
        time.sleep(0.1)
    driver.kill()
    raise AssertionError("The driver of the browser does not start.")
