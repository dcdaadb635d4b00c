"""Check a release against its certificate."""

import argparse
import json
import sys
from pathlib import Path

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.releases.signing import parse_public_key
from anonymizer_gui.engine.releases.verification import RequiredSigner, Verification, verify_release

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
    wanted = RequiredSigner(parse_public_key(args.signer) if args.signer else "", args.require_signature)
    result = verify_release(Path(args.release), Path(args.certificate) if args.certificate else None, wanted=wanted)
    print(json.dumps(_entries(result), ensure_ascii=False) if args.json else "\n".join(_lines(result)))
    if not args.json:
        for goal in result.unchecked:
            print(f"Not checked, it needs more than the file: {goal}.", file=sys.stderr)
    return 0 if result.holds else 1


def _entries(result: Verification) -> dict[str, Json]:
    """Give the result as the one JSON object that is printed."""
    return {
        "holds": result.holds,
        "differences": result.differences,
        "unchecked": result.unchecked,
        "measured": result.measured,
        "not_measured": list(result.not_measured),
        "exceptions": result.exceptions,
        "signer": result.signer,
        "signed": result.signed,
        "numbers": result.numbers,
    }


def _lines(result: Verification) -> list[str]:
    """Say the verdict first, then what differs or what it rests on."""
    if not result.holds:
        return [result.verdict, *result.differences]
    return [result.verdict, *result.exceptions, *([result.taken] if result.taken else []), result.signed]
