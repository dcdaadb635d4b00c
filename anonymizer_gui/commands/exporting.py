"""What every command that exports can be told: key, ledger, and the reason to override a failed check."""

import argparse
from pathlib import Path

from anonymizer_gui.engine.export import Safeguards
from anonymizer_gui.engine.ledger import Ledger
from anonymizer_gui.engine.pseudonyms import make_key, read_key


def add_export_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare key, ledger and reason."""
    parser.add_argument("--key", metavar="FILE", help="key file for pseudonyms and ledger; made when it is not there")
    parser.add_argument("--ledger", metavar="FILE", help="ledger of releases to check against and to write into")
    parser.add_argument("--reason", default="", help="release although a check fails; the reason stands in the report")


def safeguards_from(args: argparse.Namespace) -> Safeguards:
    """Read the key, making it on first use; raises UnreadableFile and UnwritableFile."""
    key = b""
    if args.key:
        path = Path(args.key)
        if not path.exists():
            make_key(path)
        key = read_key(path)
    return Safeguards(key, Ledger(Path(args.ledger)) if args.ledger else None, reason=args.reason)
