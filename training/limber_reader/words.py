"""Splits prompts into words and word pieces, in the same way as the Rust reader (`limber-reader`, `words.rs`)."""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

# numbers, runs of letters, and any other single character: `crouch_idle` is three words, `90deg` two
WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+|[^\w\s]|_")
# asset names are in camel case: WalkFwdLoop
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True)
class Word:
    text: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    found = []
    for match in WORD.finditer(text):
        cuts = [match.start(), *(match.start() + h.start() for h in HUMP.finditer(match[0])), match.end()]
        found += [Word(text[a:b], a, b) for a, b in zip(cuts, cuts[1:])]
    return found


def plain(word: str) -> str:
    """Lower-cases a word and removes accents, as for the encoder's training data."""
    apart = unicodedata.normalize("NFD", word.lower())
    return "".join(c for c in apart if unicodedata.category(c) != "Mn")


class Pieces:
    """WordPiece (Schuster and Nakajima 2012) with the encoder's vocabulary: longest piece first."""

    def __init__(self, vocabulary: Path):
        lines = vocabulary.read_text(encoding="utf-8").split("\n")
        self.ids = {piece: number for number, piece in enumerate(lines) if piece}
        self.cls, self.sep, self.unknown = (self.ids[s] for s in ("[CLS]", "[SEP]", "[UNK]"))
        self.known: dict[str, list[int]] = {}

    def of(self, word: str) -> list[int]:
        if word not in self.known:
            parts = re.findall(r"\w+|[^\w\s]", plain(word)) or [""]
            self.known[word] = [piece for part in parts for piece in self._of_part(part)]
        return self.known[word]

    def _of_part(self, part: str) -> list[int]:
        pieces, start = [], 0
        while start < len(part):
            for end in range(len(part), start, -1):
                piece = self.ids.get(("##" if start else "") + part[start:end])
                if piece is not None:
                    pieces.append(piece)
                    start = end
                    break
            else:
                return [self.unknown]
        return pieces or [self.unknown]
