"""Evaluates the reader on held-out sentences."""

import math
from collections import Counter

import torch

from .batches import inputs, with_events
from .corpus import Sample
from .fields import CLIP, FACTORS, NUMBERS, REFERENCES, TAGS


def spans_of(trigger: torch.Tensor, count: int) -> list[list[int]]:
    """Decodes triggers from scores of words in O, B, I order (outside, first word, further word) as
    `crates/limber-reader` does: the best sequence in which only B or I precedes an I."""
    outside, first, further = range(3)
    sums, previous = [0.0, -math.inf, -math.inf], []
    best = lambda roles: max(roles, key=sums.__getitem__)
    for scores in trigger[:count].tolist():
        before = [best((outside, first, further)), best((outside, first, further)), best((first, further))]
        sums = [sums[role] + score for role, score in zip(before, scores)]
        previous.append(before)
    role, roles = best((outside, first, further)), []
    for before in reversed(previous):
        roles.append(role)
        role = before[role]
    found: list[list[int]] = []
    for word, role in enumerate(reversed(roles)):
        if role == first:
            found.append([word])
        elif role == further:
            found[-1].append(word)
    return found


@torch.no_grad()
def read(reader, samples: list[Sample], pieces) -> list[dict]:
    """Predicts the events of each text as plain values, in trigger order."""
    read_ = []
    for start in range(0, len(samples), 32):
        part = samples[start : start + 32]
        batch = inputs(part, pieces)
        words, whole = reader.encode(batch)
        trigger, tags = reader.of_words(words)
        spans = [spans_of(trigger[row], len(sample.words)) for row, sample in enumerate(part)]
        batch = with_events(batch, spans)
        said = reader.of_events(words, whole, tags, batch) if len(batch["of"]) else None
        index = 0
        for row, known in enumerate(spans):
            clip = {} if said is None else {
                name: options[said["clip"][name][row].argmax()] for name, options in CLIP.items()}
            first, events = index, []
            for span in known:
                events.append(event_of(reader.fields, said, tags[row], index, first, span))
                index += 1
            read_.append({"events": events, "clip": clip})
    return read_


def event_of(fields, said, tags, index, first, span) -> dict:
    sense = said["sense"][index].softmax(-1)
    linked = torch.sigmoid(said["link"][index]) > 0.5
    words = {name: ((tags[:, n] > 0) & linked).nonzero()[:, 0].tolist() for n, name in enumerate(TAGS)}
    found = {"span": span, "sense": fields.senses[sense.argmax()], "sure": sense.max().item(),
             "said": {k: v for k, v in words.items() if v}, "values": {}, "references": {}}
    for name, known in fields.values.items():
        number = said["values"][name][index].argmax().item()
        is_of_body = name in ("move", "part")
        if is_of_body:
            # an event without an action always has both fields
            number = 1 + said["values"][name][index][1:].argmax().item()
        if number and is_of_body == (is_of_body and found["sense"] == "(body)"):
            found["values"][name] = known[number - 1]
    for name, known in fields.lists.items():
        chosen = (said["lists"][name][index] > 0).nonzero()[:, 0].tolist()
        if chosen:
            found["values"][name] = [known[n] for n in chosen]
    for name in REFERENCES:
        other = said["references"][name][index].argmax().item()
        if other:
            found["references"][name] = other - 1 - first
    return found


def table(reader, samples: list[Sample], pieces) -> dict[str, float]:
    """Metrics with their counts: precision and recall of events, and for matched events the accuracy of fields."""
    right, of = Counter(), Counter()

    def note(name, is_right):
        of[name] += 1
        right[name] += bool(is_right)

    for sample, got in zip(samples, read(reader, samples, pieces)):
        free = list(got["events"])
        pairs = []
        for event in sample.events:
            hit = next((e for e in free if set(e["span"]) & set(event.span)), None)
            note("events recall", hit)
            note("events and sense", hit and hit["sense"] == event.sense)
            if hit:
                free.remove(hit)
                pairs.append((event, hit))
                note("sense", hit["sense"] == event.sense)
        for number, _ in enumerate(got["events"]):
            note("events precision", number < len(got["events"]) - len(free))
        for event, hit in pairs:
            for name, known in reader.fields.values.items():
                gold = event.values.get(name)
                if name in FACTORS and gold is not None:
                    gold = min(known, key=lambda v: abs(v - gold)) if gold != 1 else None
                compare(note, name, gold, hit["values"].get(name))
            for name in reader.fields.lists:
                compare(note, name, sorted(event.values.get(name, ())) or None, hit["values"].get(name) and sorted(hit["values"][name]))
            for name in NUMBERS:
                compare(note, name, name in event.said or None, name in hit["said"] or None)
            for name in REFERENCES:
                compare(note, name, name in event.references or None, name in hit["references"] or None)
        for name in CLIP:
            if sample.clip[name] != CLIP[name][0] or got["clip"].get(name, CLIP[name][0]) != CLIP[name][0]:
                note("clip " + name, sample.clip[name] == got["clip"].get(name))
    return {name: (right[name] / of[name], of[name]) for name in of}


def compare(note, name, gold, got):
    """Counts recall over the annotated values and, as `believed`, precision over the predicted ones."""
    if gold is not None:
        note(name, got == gold)
    if got is not None:
        note(name + " believed", got == gold)
