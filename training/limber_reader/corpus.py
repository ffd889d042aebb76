"""Reads annotated sentences as samples: words, event triggers, and the words that express each field."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from .fields import BODY, CLIP, REFERENCES, TAGS, Fields
from .words import Word, words


@dataclass
class Event:
    span: list[int]
    """Trigger: contiguous indices of the words that name the action."""
    sense: str
    place: int
    """Chronological position within the text."""
    values: dict = field(default_factory=dict)
    said: dict[str, list[int]] = field(default_factory=dict)
    """For each field, the indices of the words that express it."""
    references: dict[str, int] = field(default_factory=dict)
    """For each reference field, the index of the event it refers to, in trigger order."""


@dataclass
class Sample:
    text: str
    words: list[Word]
    events: list[Event]
    clip: dict
    tagged: list[bool]
    """For each word, whether its role is annotated; the words of phrases have no annotations."""


def span_of(text: str, cut: list[Word], said: str) -> list[int]:
    """Indices of the words covered by `said`; `left#2` is the second *left* of the text."""
    number = re.search(r"#(\d+)$", said)
    part, nth = (said[: number.start()], int(number[1])) if number else (said, 1)
    start = -1
    for _ in range(nth):
        start = text.index(part, start + 1)
    end = start + len(part)
    return [i for i, word in enumerate(cut) if word.start < end and word.end > start]


def read_line(line: dict) -> Sample:
    text, cut = line["text"], words(line["text"])
    taken, events, by_place = set(), [], {}
    for place, row in enumerate(line["events"]):
        said = {name: span_of(text, cut, part) for name, part in row.get("from", {}).items()}
        trigger = said.pop("do", None) or said.pop("move", None) or said.pop("part", None)
        trigger = [w for w in trigger or [] if w not in taken]
        # the longest run of words that are not taken: an event without a trigger of its own cannot be learned
        run = longest_run(trigger)
        if not run:
            continue
        taken.update(run)
        values = {k: v for k, v in row.items() if k not in ("from", "do", *REFERENCES)}
        event = Event(run, row.get("do", BODY), place, values, {k: v for k, v in said.items() if k in TAGS})
        by_place[place] = event
        events.append(event)
    events.sort(key=lambda event: event.span[0])
    at = {id(event): number for number, event in enumerate(events)}
    for place, row in enumerate(line["events"]):
        for name in REFERENCES:
            other = by_place.get(row.get(name))
            if place in by_place and other is not None:
                by_place[place].references[name] = at[id(other)]
    clip = {name: line.get(name, options[0]) for name, options in CLIP.items()}
    return Sample(text, cut, events, clip, [True] * len(cut))


def longest_run(numbers: list[int]) -> list[int]:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return max(runs, key=len, default=[])


def read_file(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def corpus(root: Path) -> dict[str, list[dict]]:
    """Sentences by file; there is one file for each author."""
    return {file.stem: read_file(file) for file in sorted(root.glob("assets/reader/corpus/*.jsonl"))}


def measures(root: Path) -> list[dict]:
    """Modifiers for actions, such as *with the left hand* or *twice*, with the fields that they set."""
    return read_file(root / "assets/reader/measures.jsonl")


def phrases(root: Path, fields: Fields) -> list[dict]:
    """Phrases with the single event that they mean, from `assets/reader` and from the lexicon."""
    found = [row for file in sorted(root.glob("assets/reader/phrases/*.jsonl")) for row in read_file(file)]
    for sense, known in fields.phrases.items():
        found += [{"text": phrase, "events": [{"do": sense}]} for phrase in known]
    return found

