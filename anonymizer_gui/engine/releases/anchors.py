"""What certificates lying about say of a ledger: which state of it they have seen, and that it knows their release."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.releases.certificate import CERTIFICATE, read_certificate
from anonymizer_gui.engine.releases.ledger import Head

_MOST = 1_000


def seen_beside(folder: Path) -> Iterator[tuple[str, Head, str]]:
    """Give for the certificates in a folder the release, the head of the ledger they hold, and the checksum."""
    for path in islice(sorted(folder.glob(f"*{CERTIFICATE}")), _MOST):
        with suppress(AnonymizerError, KeyError, TypeError, OSError):
            told, is_unchanged = read_certificate(path)
            head = told.get("ledger")
            if is_unchanged and head:
                seen = Head(str(head["ledger"]), int(head["entries"]), str(head["head"]))
                yield str(told["release"]["file"]), seen, str(told["release"]["sha256"])
