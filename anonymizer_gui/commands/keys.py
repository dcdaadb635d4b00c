"""Make and show signing keys."""

import argparse
from pathlib import Path

from anonymizer_gui.engine.releases.signing import fingerprint, make_signing_key, parse_public_key

NAME = "keys"
HELP = "Make a key that signs releases, or show its public half, which others verify them with."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    chosen = parser.add_subparsers(required=True, metavar="WHAT", dest="what")
    new = chosen.add_parser("new", help="make a signing key", allow_abbrev=False)
    new.add_argument("--to", required=True, metavar="FILE", help="a new file for the key; keep it to yourself")
    show = chosen.add_parser("show", help="show the public half of a signing key", allow_abbrev=False)
    show.add_argument("file", metavar="FILE", help="the signing key, or a file with its public half")


def run(args: argparse.Namespace) -> int:
    """Make or read a key, and print what others may know of it."""
    public = make_signing_key(Path(args.to)).public if args.what == "new" else parse_public_key(args.file)
    print(f"Public key: {public}")
    print(f"Fingerprint: {fingerprint(public)}")
    return 0
