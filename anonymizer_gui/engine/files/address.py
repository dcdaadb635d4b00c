"""Addresses of databases: taken apart strictly, and kept without their passwords."""

import re
import urllib.parse
from dataclasses import dataclass, replace

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message

PASSWORD = "ANONYMIZER_DATABASE_PASSWORD"
"""The environment variable that may hold the password of a database."""
_ADDRESS = re.compile(
    r"(?P<driver>[a-z][a-z0-9]*(?:\+[a-z0-9]+)?)://"
    r"(?:(?P<user>[^:/?#@\s]*)(?::(?P<password>[^/?#@\s]*))?@)?"
    r"(?P<host>[A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
    r"(?:/(?P<database>[^?#/=:@\\]*))?(?:\?(?P<options>[^#@]*))?"
)
_PASSWORD_OPTION = re.compile(r"(?<=[?&])[^=&]*pass[^=&]*=[^&]*&?|(?<=[?&])pwd=[^&]*&?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of an address, with nothing escaped in them."""

    driver: str
    user: str = ""
    password: str = ""
    host: str = ""
    port: int | None = None
    database: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def place(self) -> str:
        """Where the database is, for people: user, server and name, never the password."""
        server = (self.host or dict(self.options).get("host") or "localhost") + (f":{self.port}" if self.port else "")
        return (f"{self.user}@" if self.user else "") + server + (f"/{self.database}" if self.database else "")

    def with_password(self, password: str) -> "Address":
        """Give the same address with another password."""
        return replace(self, password=password)

    def __str__(self) -> str:
        """Write the address, password included."""
        secret = f":{_escaped(self.password)}" if self.password else ""
        who = f"{_escaped(self.user)}{secret}@" if self.user or secret else ""
        port = f":{self.port}" if self.port is not None else ""
        options = urllib.parse.urlencode(self.options)
        return f"{self.driver}://{who}{self.host}{port}/{_escaped(self.database)}" + (f"?{options}" if options else "")


class PasswordNeeded(UnreadableFile):
    """The database did not let us in; with a password, or another one, it may."""

    def __init__(self, address: Address) -> None:
        self.address = address.with_password("")
        super().__init__(
            message("The database “{place}” asks for a password.", place=address.place),
            message("Type it when asked, or put it into the environment variable {variable}.", variable=PASSWORD),
        )


def address_of(text: str) -> Address:
    """Take an address apart; raises UnreadableFile for whatever could be understood in two ways."""
    found = _ADDRESS.fullmatch(text.strip())
    if found is None:
        raise UnreadableFile(
            "This is not the address of a database.",
            "An address looks like postgresql://user@host/database; write odd characters of a password as %40.",
        )
    parts = {name: urllib.parse.unquote(found[name] or "") for name in ("user", "password", "database")}
    options = urllib.parse.parse_qsl(found["options"] or "", keep_blank_values=True)
    return Address(
        driver=found["driver"],
        host=found["host"],
        port=int(found["port"]) if found["port"] else None,
        options=tuple(options),
        **parts,
    )


def without_password(address: str) -> str:
    """Give an address as it may be kept in files: whatever could be a password is left out.

    >>> without_password("postgresql://ann:secret@host/people?sslmode=require")
    'postgresql://ann@host/people?sslmode=require'
    >>> without_password("people.csv")
    'people.csv'
    """
    driver, mark, rest = address.partition("://")
    if not mark:
        return address
    who, at, where = rest.rpartition("@")
    rest = who.partition(":")[0] + at + where if at else rest
    return driver + mark + _PASSWORD_OPTION.sub("", rest).rstrip("?&")


def _escaped(text: str) -> str:
    return urllib.parse.quote(text, safe="")
