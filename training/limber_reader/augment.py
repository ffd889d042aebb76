"""More sentences out of those that were written: mirrored, mistyped, joined, as names of assets."""

import random
import re

from .corpus import Event, Sample
from .fields import BODY
from .words import Word, words

MIRRORED = {"left": "right", "right": "left", "lefts": "rights", "rights": "lefts"}
MIRRORED_VALUES = {
    "left": "right", "right": "left", "forward-left": "forward-right", "forward-right": "forward-left",
    "backward-left": "backward-right", "backward-right": "backward-left",
    "clockwise": "counterclockwise", "counterclockwise": "clockwise",
}
# words that say a side without saying left or right; what they say does not change with the words
UNMIRRORED = re.compile(r"clockwise|southpaw|stage|camera|screen|\b[LR]\b|_[lr](_|$)|starboard|\bport\b|hand drive", re.I)


def mirrored(sample: Sample) -> Sample:
    """Left for right, where the sentence says so by these words."""
    def said(word: Word) -> Word:
        other = MIRRORED.get(word.text.lower())
        return Word(other, word.start, word.end) if other else word

    if UNMIRRORED.search(sample.text) or not any(w.text.lower() in MIRRORED for w in sample.words):
        return sample
    events = []
    for event in sample.events:
        values = dict(event.values)
        for name in ("side", "direction", "target_side"):
            if name in values:
                values[name] = MIRRORED_VALUES.get(values[name], values[name])
        events.append(Event(event.span, event.sense, event.place, values, event.said, event.references))
    return Sample(sample.text, [said(w) for w in sample.words], events, sample.clip, sample.tagged)


def mistyped(sample: Sample, chance: random.Random, share: float) -> Sample:
    """With slips of the fingers in a share of its longer words."""
    def slipped(word: Word) -> Word:
        text = word.text
        if len(text) < 4 or not text.isalpha() or chance.random() > share:
            return word
        at = chance.randrange(1, len(text) - 1)
        kind = chance.randrange(3)
        other = {0: text[:at] + text[at + 1] + text[at] + text[at + 2 :], 1: text[:at] + text[at + 1 :],
                 2: text[:at] + text[at] + text[at:]}[kind]
        return Word(other, word.start, word.end)

    return Sample(sample.text, [slipped(w) for w in sample.words], sample.events, sample.clip, sample.tagged)


def joined(first: Sample, second: Sample, by: str) -> Sample:
    """One after the other."""
    between = [Word(w.text, 0, 0) for w in words(by)]
    shift, later = len(first.words) + len(between), len(first.events)
    moved = [
        Event([w + shift for w in e.span], e.sense, e.place + 1000, e.values,
              {k: [w + shift for w in v] for k, v in e.said.items()},
              {k: v + later for k, v in e.references.items()})
        for e in second.events
    ]
    clip = {"start": first.clip["start"], "end": second.clip["end"], "loop": first.clip["loop"] or second.clip["loop"]}
    return Sample(first.text, first.words + between + second.words, first.events + moved, clip,
                  first.tagged + [True] * len(between) + second.tagged)


SUBJECTS = ["a person", "a man", "a woman", "the character", "someone", "he", "she", "the guard", "a girl", "a figure",
            "the player", "an old man", "the soldier", "make him", "i want a guy who", "", "", "", "", ""]
FILLERS = ["a", "the", "the", "his", "one", "some", ""]
ENDS = ["", "", "", ".", " slowly", " again", " quickly", " and stops", " in the rain", " at the camera"]


def third_person(verb: str) -> str:
    if re.search(r"(s|x|z|ch|sh|o)$", verb):
        return verb + "es"
    return verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + "s"


def going_on(verb: str) -> str:
    if re.search(r"[^aeiou][aeiou][bdgmnprt]$", verb) and len(verb) < 5:
        return verb + verb[-1] + "ing"
    return (verb[:-1] if re.search(r"[^aeiouy]e$", verb) else verb) + "ing"


def sentence_of(row: dict, chance: random.Random) -> Sample:
    """A phrase in a small sentence around it; which of its words says what is not known, but for the first."""
    text = " ".join(chance.choice(FILLERS) if w == "~" else w for w in row["text"].split()).strip()
    subject = chance.choice(SUBJECTS)
    first, *rest = text.split(" ")
    if subject and subject not in ("make him", "i want a guy who") and first.isalpha() and chance.random() < 0.85:
        first = third_person(first) if chance.random() < 0.75 else "is " + going_on(first)
    elif not subject and chance.random() < 0.2 and first.isalpha():
        first = going_on(first)
    phrase = " ".join([first, *rest]).replace("  ", " ")
    before, after = words(subject), words(chance.choice(ENDS))
    inner = words(phrase)
    span = list(range(len(before), len(before) + len(inner)))
    event = row["events"][0]
    values = {k: v for k, v in event.items() if k not in ("do", "while", "continues", "until")}
    tagged = [True] * len(before) + [False] * len(inner) + [False] * len(after)
    sample = Sample(phrase, [*before, *inner, *after], [Event(span, event.get("do", BODY), 0, values)],
                    {"start": "idle", "end": "idle", "loop": False}, tagged)
    return sample

