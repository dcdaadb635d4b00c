"""Check a release against its certificate."""

import argparse
import json
import sys
from pathlib import Path

from anonymizer_gui.engine.releases.signing import public_key_of
from anonymizer_gui.engine.releases.verify import Signer, verify

NAME = "verify"
HELP = "Measure a release again and compare it with its certificate; exit 1 when something differs."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    parser.add_argument("release", metavar="RELEASE", help="the released table")
    parser.add_argument("--certificate", metavar="FILE", help="its certificate, when it does not lie beside it")
    parser.add_argument("--signer", metavar="PUBLIC", help="who must have signed it: the public key, or a file with it")
    parser.add_argument("--require-signature", action="store_true", help="exit 1 when nobody has signed it")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Verify and print; return 1 when something differs."""
    wanted = Signer(public_key_of(args.signer) if args.signer else "", args.require_signature)
    found = verify(Path(args.release), Path(args.certificate) if args.certificate else None, wanted=wanted)
    if args.json:
        told = {"holds": found.holds, "differences": found.differences, "unchecked": found.unchecked}
        told |= {"signer": found.signer, "signed": found.signed}
        print(json.dumps({**told, "numbers": found.numbers}, ensure_ascii=False))
        return 0 if found.holds else 1
    for difference in found.differences:
        print(difference)
    for goal in found.unchecked:
        print(f"Not checked, it needs more than the file: {goal}.", file=sys.stderr)
    if found.holds:
        print("The release is what its certificate says.")
        print(found.signed)
    return 0 if found.holds else 1
