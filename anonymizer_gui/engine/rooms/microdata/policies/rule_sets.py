"""Rule sets: a policy as a title, where it comes from, its rules, and what it cannot see; as JSON and as a file.

A file of others is read strictly: only known entries, of bounded size, and whatever is wrong is said in one sentence.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from anonymizer_gui.engine.core.errors import AnonymizerError, UnreadableFile
from anonymizer_gui.engine.core.messages import Message, as_message, join_messages, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.projects.json_entries import registered, registered_json, require_only, text_in
from anonymizer_gui.engine.rooms.microdata.policies.contract import RULES, PolicyView, Rule, RuleResult
from anonymizer_gui.engine.storage.json_io import parse_strict
from anonymizer_gui.engine.storage.safe_open import read_regular

FORMAT = "anonymizer policy"
SUFFIXES = (".json", ".toml")
_LARGEST_BYTES = 1 << 20
_MOST_RULES, _MOST_UNSEEN, _LONGEST = 200, 20, 600
_WAY_OUT = "Correct the file; the help page about policies shows one."
NEVER_SEEN = message(
    "Only what is listed was looked at, in the heads, roles, numbers and cells of the release. That the law is kept, "
    "or what else is known about the people, no program can see."
)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A policy; an edit makes a new value."""

    title: str
    rules: tuple[Rule, ...]
    source: str = ""
    """Where it comes from: a law, a decision of the house."""
    unseen: tuple[str, ...] = ()
    """What it asks for and no rule can look at."""

    def with_rule(self, place: int, rule: Rule) -> Self:
        """Put another rule in a place."""
        return replace(self, rules=(*self.rules[:place], rule, *self.rules[place + 1 :]))

    def to_json(self) -> dict[str, Json]:
        """Give it as project and file hold it."""
        return {
            "policy": str(self.title),
            "source": str(self.source),
            "rules": [registered_json(rule) for rule in self.rules],
            "unseen": [str(text) for text in self.unseen],
        }


@dataclass(frozen=True, slots=True)
class JudgedPolicy:
    """A policy with what was found for each of its rules."""

    policy: RuleSet
    answers: tuple[RuleResult, ...]

    @property
    def missing(self) -> int:
        """How many rules are not met."""
        return sum(not answer.holds for answer in self.answers)

    @property
    def passes(self) -> bool:
        """Whether every rule is met; a policy without rules asks for nothing and cannot be passed."""
        return bool(self.answers) and not self.missing

    def sentence(self) -> Message:
        """Say in a few words how it went."""
        title = message(self.policy.title)
        if self.passes:
            return message("“{policy}”: all {rules:rule is|rules are} met.", policy=title, rules=len(self.answers))
        return message(
            "“{policy}”: {missing} of {rules:rule|rules} {missing:~is|are} not met.",
            policy=title,
            missing=self.missing,
            rules=len(self.answers),
        )

    def told(self) -> dict[str, Json]:
        """Give it as the certificate tells it."""
        found = [
            {"demand": rule.demand(), "holds": answer.holds, "sentence": answer.sentence}
            for rule, answer in zip(self.policy.rules, self.answers, strict=True)
        ]
        return {**self.policy.to_json(), "passes": self.passes, "found": found, "never_seen": NEVER_SEEN}


def judge_policy(policy: RuleSet, shown: PolicyView) -> JudgedPolicy:
    """Judge what is published by every rule."""
    return JudgedPolicy(policy, tuple(rule.judge(shown) for rule in policy.rules))


def rule_set_from_entries(entry: Json) -> RuleSet:
    """Make a policy of its entries; raises BadParameter, ValueError, TypeError, KeyError."""
    known = require_only(entry, "policy", "source", "rules", "unseen")
    rules, unseen = known.get("rules", []), known.get("unseen", [])
    if not isinstance(rules, list) or not isinstance(unseen, list):
        raise TypeError
    if len(rules) > _MOST_RULES or len(unseen) > _MOST_UNSEEN:
        raise ValueError
    return RuleSet(
        _line(known["policy"]),
        tuple(registered(RULES, rule) for rule in rules),
        _line(known.get("source", "")),
        tuple(_line(text) for text in unseen),
    )


def read_rule_set(path: Path) -> RuleSet:
    """Read a policy of the house; raises UnreadableFile with one sentence for the first thing that is wrong."""
    if path.suffix.lower() not in SUFFIXES:
        raise UnreadableFile(message("“{name}” is no policy.", name=path.name), "Policies end in .json or .toml.")
    content = read_regular(path, _LARGEST_BYTES)
    try:
        entries = _entries(content, is_toml=path.suffix.lower() == ".toml")
        if entries.pop("format", None) != FORMAT:
            raise _unfit(path, message("its entry “format” is not “{format}”", format=FORMAT))
        made = rule_set_from_entries(entries)
        for rule in made.rules:
            rule.refuse_unmeetable()
    except UnreadableFile:
        raise
    except AnonymizerError as error:
        told = message("“{name}” cannot be used as a policy.", name=path.name)
        raise UnreadableFile(join_messages(told, as_message(error.message)), _WAY_OUT) from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        raise _unfit(path, message("an entry is missing or is not what it should be")) from None
    if not made.rules:
        raise _unfit(path, message("it has no rules"))
    return made


def _entries(content: bytes, *, is_toml: bool) -> dict[str, Json]:
    read: Json = tomllib.loads(content.decode("utf-8")) if is_toml else parse_strict(content)
    if not isinstance(read, Mapping):
        raise TypeError
    return dict(read)


def _line(entry: Json) -> str:
    """Take a text of one line and bounded length."""
    text = text_in(entry)
    if len(text) > _LONGEST or not text.isprintable():
        raise ValueError
    return text


def _unfit(path: Path, reason: Message) -> UnreadableFile:
    return UnreadableFile(
        message("“{name}” cannot be used as a policy: {reason}.", name=path.name, reason=reason), _WAY_OUT
    )
