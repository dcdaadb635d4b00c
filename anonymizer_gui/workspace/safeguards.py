"""Which key, ledger and reason an export is given; held by the document, so that no page loses them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SafeguardFiles:
    """What an export is given beside the project: where the key and ledger are, why a check is overridden.

    None of it is saved: the key must not be found by whoever finds the project.
    """

    key_file: str = ""
    ledger_file: str = ""
    reason: str = ""
