"""Where the password of a database comes from: the address just typed, the environment, or the keyring; no file."""

import contextlib
import importlib
import os
from types import ModuleType

from anonymizer_gui.engine.storage.sources import PASSWORD, Address

_TYPED: dict[str, str] = {}
"""By account; in memory only, for one run of the program."""
_SERVICE = "Anonymizer"


def with_known_password(address: Address) -> Address:
    """Add the password that is known for an address, if there is one; one that was typed stays."""
    if address.password:
        return address
    return address.with_password(
        _TYPED.get(_account(address), "") or os.environ.get(PASSWORD, "") or _from_keyring(address)
    )


def keep(address: Address) -> None:
    """Keep a password that was typed until the program ends."""
    _TYPED[_account(address)] = address.password


def can_remember() -> bool:
    """Tell whether this computer has a keyring that the program can use."""
    return _keyring() is not None


def remember(address: Address) -> bool:
    """Put the password of an address into the keyring; tells whether it took it."""
    keyring = _keyring()
    if keyring is None or not address.password:
        return False
    with contextlib.suppress(Exception):  # whatever a keyring of the system may raise
        keyring.set_password(_SERVICE, _account(address), address.password)
        return True
    return False


def _from_keyring(address: Address) -> str:
    keyring = _keyring()
    if keyring is None:
        return ""
    with contextlib.suppress(Exception):  # whatever a keyring of the system may raise
        return keyring.get_password(_SERVICE, _account(address)) or ""
    return ""


def _keyring() -> ModuleType | None:
    """Load the package, if it is installed; nothing depends on it."""
    try:
        return importlib.import_module("keyring")
    except ImportError:
        return None


def _account(address: Address) -> str:
    return f"{address.driver.partition('+')[0]}://{address.place}"
