"""Words that promised too much are gone, and what is to be known is said, in both languages."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACES = ("README.md", "resources/help", "resources/translations", "anonymizer_gui/ui/rooms",
          "anonymizer_gui/engine/rooms", "anonymizer_gui/engine/releases")  # fmt: skip
GONE = [
    "nothing better exists",
    "sensitive ones protected",
    "not even inside another column",
    "every new release is attacked with each earlier one",
    "takes knowledge of how the values are distributed",
    "etwas Besseres gibt es nicht",
    "shares nothing with the algorithm that made it",
    "Everything must be green",
    "makes the class weakest",
    "counts the people hit",
    "teaches at most t more than",
    "also stop similarity",
    "until nobody stands out.",
    "with the proof that it holds what was asked",
    "uses the network only to read from a database",
    "no cell of the original",
    "who looks for somebody in it finds nobody",
    "so that nobody can tell",
    "stands against any knowledge,",
    "Veröffentlichen mit Beweis",
]
SAID = {
    "resources/help/en/microdata/protect.md": ["confuses programs that learn", "usually keep more detail"],
    "resources/help/de/microdata/protect.md": ["verwirrt Programme, die daraus lernen"],
    "resources/help/en/microdata/method_attacks.md": ["combinatorial", "needs nothing but the release"],
    "resources/help/de/microdata/method_attacks.md": ["kombinatorische Formen"],
    "README.md": ["shares neither reader nor formula with what made and measured it"],
    "resources/help/en/release.md": [
        "taken from the certificate, not measured",
        "a name spelled otherwise, is not found",
    ],
    "resources/help/de/release.md": ["aus dem Zertifikat übernommen, nicht gemessen"],
    "anonymizer_gui/engine/rooms/microdata/models/t_closeness.py": ["By order or hierarchy also similarity"],
    "resources/help/en/privacy.md": ["a Spark cluster you name", "What you typed into goals, steps of preparation and"],
    "resources/help/de/privacy.md": [
        "Spark-Cluster, den Sie nennen",
        "Auch was Sie in Ziele, Schritte der Vorbereitung",
    ],
    "resources/help/en/microdata/data.md": ["The seed is drawn in secret unless you type"],
    "resources/help/de/microdata/data.md": ["Der Startwert wird heimlich gezogen"],
    "resources/help/en/microdata/risk.md": ["Green says nothing of attacks that are not in the list"],
    "resources/help/de/microdata/risk.md": ["Grün sagt nichts über Angriffe, die nicht in der Liste stehen"],
}


def texts() -> dict[str, str]:
    found = {}
    for place in PLACES:
        path = ROOT / place
        files = [path] if path.is_file() else [f for f in path.rglob("*") if f.suffix in (".md", ".json", ".py")]
        found |= {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}
    return found


def test_nothing_promises_more_than_is_kept() -> None:
    read = {name: " ".join(text.split()) for name, text in texts().items()}
    assert len(read) > 100
    assert [(name, phrase) for name, text in read.items() for phrase in GONE if phrase in text] == []


def test_what_one_has_to_know_is_said() -> None:
    read = {place: " ".join((ROOT / place).read_text(encoding="utf-8").split()) for place in SAID}
    assert [(place, words) for place in SAID for words in SAID[place] if words not in read[place]] == []
