"""Data augmentation: mirrored, mistyped and joined sentences, asset names, and phrases in generated sentences."""

import random
import re

from .corpus import Event, Sample, span_of
from .fields import BODY, TAGS
from .words import Word, words

MIRRORED = {"left": "right", "right": "left", "lefts": "rights", "rights": "lefts"}
MIRRORED_VALUES = {
    "left": "right", "right": "left", "forward-left": "forward-right", "forward-right": "forward-left",
    "backward-left": "backward-right", "backward-right": "backward-left",
    "clockwise": "counterclockwise", "counterclockwise": "clockwise",
}
# words that imply a side without saying left or right, so that swapping those two would not mirror the sentence
UNMIRRORED = re.compile(r"clockwise|southpaw|stage|camera|screen|\b[LR]\b|_[lr](_|$)|starboard|\bport\b|hand drive", re.I)


def mirrored(sample: Sample) -> Sample:
    """Swaps left and right, if the sentence expresses sides by these words only."""
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
    """Adds typos to a share of the longer words."""
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
    """Concatenates two samples with the words of `by` in between."""
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
SCENERY = ["", "", "", ".", " again", " in the rain", " at the camera"]
MOST_MEASURES = 3
# kinds of actions that a modifier can require, recognised by words of the phrase or of the action's name
KINDS = {
    "leg": re.compile(r"kick|knee|leg|foot|feet|stomp|stamp"),
    "arm": re.compile(r"arm|hand|fist|wav|point|punch|jab|reach|throw|clap|slap|lift|raise|grab|pick|hold|slash|swing"),
    "ground": re.compile(r"walk|run|jog|sprint|crawl|march|skip|sneak|limp|stroll|step|shuffle|creep|dash|move"),
    "jump": re.compile(r"jump|leap|hop|vault|bounce"),
    "turn": re.compile(r"turn|spin|pirouette|twirl|pivot|rotate"),
    "strike": re.compile(r"punch|kick|jab|hook|slash|strike|hit|throw|chop|stab|slap|elbow|shoot|smash"),
    "react": re.compile(r"^react|knock-back|flinch|^fall|stagger"),
    "still": re.compile(r"idle|stance|pose|stand|wait|aim|guard"),
}


def third_person(verb: str) -> str:
    if re.search(r"(s|x|z|ch|sh|o)$", verb):
        return verb + "es"
    return verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + "s"


def going_on(verb: str) -> str:
    if re.search(r"[^aeiou][aeiou][bdgmnprt]$", verb) and len(verb) < 5:
        return verb + verb[-1] + "ing"
    return (verb[:-1] if re.search(r"[^aeiouy]e$", verb) else verb) + "ing"


def suits(measure: dict, row: dict, taken: set[str]) -> bool:
    """Whether a modifier fits a phrase whose fields `taken` are set already."""
    kind = measure.get("needs")
    name = row["events"][0].get("do", "") + " " + row["text"]
    return not taken & set(measure["says"]) and (kind is None or bool(KINDS[kind].search(name)))


def some_measures(row: dict, measures: list[dict], chance: random.Random) -> list[dict]:
    taken, found = set(row["events"][0]), []
    for _ in range(chance.choice((0, 1, 1, 2, MOST_MEASURES))):
        measure = next((m for m in chance.sample(measures, 8) if suits(m, row, taken)), None)
        # an action has at most one target
        if measure and not ("target_part" in measure["says"] and "target" in taken):
            taken |= set(measure["says"])
            found.append(measure)
    return found


def sentence_of(row: dict, measures: list[dict], chance: random.Random) -> Sample:
    """Embeds a phrase in a short sentence with modifiers. The roles of the words within the phrase are unknown, except
    that no event begins after the first of them."""
    filled = lambda text: re.sub(r"\s+", " ", " ".join(chance.choice(FILLERS) if w == "~" else w for w in text.split())).strip()
    text, subject = filled(row["text"]), chance.choice(SUBJECTS)
    first, *rest = text.split(" ")
    before = [subject]
    if subject and subject not in ("make him", "i want a guy who") and first.isalpha() and chance.random() < 0.85:
        if chance.random() < 0.75:
            first = third_person(first)
        else:
            before.append("is")
            first = going_on(first)
    elif not subject and chance.random() < 0.2 and first.isalpha():
        first = going_on(first)
    front, close, behind = [], [], []
    for measure in some_measures(row, measures, chance):
        place = measure["place"]
        if place == "adverb":
            place = chance.choice(("close", "after"))
        {"before": front, "close": close, "after": behind}[place].append(measure)
    event = row["events"][0]
    values = {k: v for k, v in event.items() if k not in ("do", "while", "continues", "until")}
    said: dict[str, list[int]] = {}
    found: list[Word] = []

    def add(part: str, measure: dict | None = None):
        own = words(part)
        if measure:
            values.update(measure["says"])
            for name, saying in measure["from"].items():
                said.setdefault(name, []).extend(len(found) + w for w in span_of(part, own, saying))
        found.extend(own)

    for measure in front:
        add(filled_like(measure, filled), measure)
    add(" ".join(before))
    for measure in close:
        add(filled_like(measure, filled), measure)
    begin = len(found)
    add(" ".join([first, *rest]))
    end = len(found)
    for measure in behind:
        add(filled_like(measure, filled), measure)
    add(chance.choice(SCENERY))
    # in annotated sentences the trigger is the first word alone as often as the whole phrase
    span = list(range(begin, end)) if chance.random() < 0.5 else [begin]
    tagged = [not begin <= word < end for word in range(len(found))]
    known = {name: places for name, places in said.items() if name in TAGS}
    sample = Sample(" ".join(w.text for w in found), found, [Event(span, event.get("do", BODY), 0, values, known)],
                    {"start": "idle", "end": "idle", "loop": False}, tagged)
    return as_asset(sample) if not subject and chance.random() < 0.15 else sample


def filled_like(measure: dict, filled) -> str:
    """Fills in a modifier's determiners, keeping the text that expresses its fields intact."""
    text = filled(measure["text"])
    return text if all(saying in text for saying in measure["from"].values()) else measure["text"].replace("~ ", "the ")


def as_asset(sample: Sample) -> Sample:
    """Turns the sentence into an asset name such as `kick_high_left`."""
    found, at, tagged = [], [], []
    for number, word in enumerate(sample.words):
        if number:
            found.append(Word("_", 0, 0))
            tagged.append(True)
        at.append(len(found))
        found.append(word)
        tagged.append(sample.tagged[number])
    events = [Event([at[w] for w in e.span], e.sense, e.place, e.values,
                    {k: [at[w] for w in v] for k, v in e.said.items()}, e.references) for e in sample.events]
    # keep each trigger contiguous
    for event in events:
        event.span = list(range(event.span[0], event.span[-1] + 1))
        for word in event.span:
            tagged[word] = False
    return Sample(sample.text, found, events, sample.clip, tagged)
