"""A real PostgreSQL of the system's packages, started for a test on a socket in a folder of its own."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PEOPLE = """
CREATE TABLE people (name text, age integer, born date, score numeric(6, 2));
INSERT INTO people VALUES ('Ann', 34, '1990-02-28', 1.50), ('Bob', NULL, NULL, 2);
CREATE VIEW grown AS SELECT name FROM people WHERE age > 17;
CREATE TABLE "odd ""name" (a text);
CREATE SEQUENCE ids;
CREATE FUNCTION wipe() RETURNS integer LANGUAGE sql AS 'DELETE FROM people; SELECT 1';
CREATE VIEW trap AS SELECT wipe();
CREATE ROLE reader LOGIN PASSWORD 'geheim';
GRANT ALL ON ALL TABLES IN SCHEMA public TO reader;
"""


@dataclass(frozen=True, slots=True)
class Postgres:
    """A running server: its programs, its socket and port, and who may start programs for it."""

    programs: Path
    folder: Path
    user: str
    port: int = 5432

    @property
    def address(self) -> str:
        """The address of its database, as its owner."""
        return f"postgresql://{self.user}@/postgres?host={self.folder}"

    def run(self, *command: str, **options: str) -> str:
        """Run one of its programs as its owner."""
        call = [str(self.programs / command[0]), *command[1:]]
        if os.geteuid() == 0:
            call = ["runuser", "-u", self.user, "--", *call]
        done = subprocess.run(call, capture_output=True, text=True, cwd="/", timeout=100, check=True, **options)  # type: ignore[call-overload]
        return str(done.stdout)

    def sql(self, text: str) -> str:
        """Run statements and give what comes out, bare."""
        return self.run("psql", "-h", str(self.folder), "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-qAt", "-c", text)


def programs() -> Path | None:
    """Find the newest programs of the server; they are not among those of the user."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    plain = shutil.which("initdb")
    return found[-1].parent if found else Path(plain).parent if plain else None


def installed() -> Path | None:
    """Install the server from the system's packages where nobody needs to be asked: as root, with apt-get."""
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        return None
    quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "-y", "--no-install-recommends", "postgresql"]):
        if subprocess.run([apt, "-qq", *words], env=quietly, capture_output=True, timeout=240, check=False).returncode:
            return None
    return programs()


@contextmanager
def running(where: Path) -> Iterator[Postgres]:
    """Start a server with some tables; it is reached through its socket only, and gone afterwards."""
    user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    folder = Path(tempfile.mkdtemp(prefix="anonymizer-postgres-"))
    if os.geteuid() == 0:
        shutil.chown(folder, user)
    server = Postgres(where, folder, user)
    try:
        server.run("initdb", "-D", str(folder / "data"), "-A", "trust", "-E", "UTF8", "--no-sync")
        (folder / "data" / "pg_hba.conf").write_text("local all reader scram-sha-256\nlocal all all trust\n")
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        server.run("pg_ctl", "-D", str(folder / "data"), "-l", str(folder / "log"), "-o", options, "-w", "start")
        try:
            server.sql(PEOPLE)
            yield server
        finally:
            server.run("pg_ctl", "-D", str(folder / "data"), "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)
