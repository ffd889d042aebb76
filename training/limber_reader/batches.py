"""Samples as tensors."""

import torch

from .corpus import Sample
from .fields import CLIP, REFERENCES, TAGS, Fields
from .network import BETWEEN, FAR
from .words import Pieces


NOT_FIRST = 3


def inputs(samples: list[Sample], pieces: Pieces) -> dict:
    """What the encoder sees: pieces, and which of them make a word."""
    cut = [[pieces.of(word.text) for word in sample.words] for sample in samples]
    length = min(512, 2 + max(sum(map(len, known)) for known in cut))
    most = max(map(len, cut))
    ids = torch.zeros(len(samples), length, dtype=torch.long)
    mask = torch.zeros(len(samples), length, dtype=torch.bool)
    pooling = torch.zeros(len(samples), most, length)
    for row, known in enumerate(cut):
        line = [pieces.cls]
        for word, parts in enumerate(known):
            if len(line) + len(parts) >= length:
                break
            pooling[row, word, len(line) : len(line) + len(parts)] = 1 / len(parts)
            line += parts
        line.append(pieces.sep)
        ids[row, : len(line)] = torch.tensor(line)
        mask[row, : len(line)] = True
    is_word = torch.zeros(len(samples), most, dtype=torch.bool)
    for row, sample in enumerate(samples):
        is_word[row, : len(sample.words)] = True
    return {"ids": ids, "mask": mask, "pooling": pooling, "is_word": is_word}


def with_events(batch: dict, spans: list[list[list[int]]]) -> dict:
    """Adds the events, given as the words of each trigger, text by text."""
    rows = [(row, number, span) for row, known in enumerate(spans) for number, span in enumerate(known)]
    most = batch["is_word"].shape[1]
    held = torch.zeros(len(rows), most)
    far = torch.zeros(len(rows), most, dtype=torch.long)
    between = torch.zeros(len(rows), most, dtype=torch.long)
    places = torch.arange(most)
    for index, (row, number, span) in enumerate(rows):
        held[index, span] = 1 / len(span)
        before, after = (places - span[0]).clamp(max=0), (places - span[-1]).clamp(min=0)
        far[index] = (before + after).clamp(-FAR, FAR) + FAR
        steps = torch.zeros(most, dtype=torch.long)
        for other_number, other in enumerate(spans[row]):
            if other_number < number:
                steps -= (places <= other[-1]).long()
            elif other_number > number:
                steps += (places >= other[0]).long()
        between[index] = steps.clamp(-BETWEEN, BETWEEN) + BETWEEN
    return batch | {
        "of": torch.tensor([row for row, _, _ in rows], dtype=torch.long),
        "number": torch.tensor([number for _, number, _ in rows], dtype=torch.long),
        "spans": held, "far": far, "between": between,
    }


def truth(samples: list[Sample], most: int, fields: Fields) -> dict:
    """What the heads ought to say; -100 where nobody knows, `NOT_FIRST` where all that is known is that no event begins."""
    trigger = torch.full((len(samples), most), -100)
    tags = torch.zeros(len(samples), most, len(TAGS))
    known = torch.zeros(len(samples), most, dtype=torch.bool)
    events = [(row, event) for row, sample in enumerate(samples) for event in sample.events]
    first = {}
    link = torch.zeros(len(events), most)
    said = torch.zeros(len(events), most, len(TAGS))
    sense = torch.zeros(len(events), dtype=torch.long)
    values = {name: torch.zeros(len(events), dtype=torch.long) for name in fields.values}
    lists = {name: torch.zeros(len(events), len(members)) for name, members in fields.lists.items()}
    references = {name: torch.zeros(len(events), dtype=torch.long) for name in REFERENCES}
    place = torch.zeros(len(events), dtype=torch.long)
    body = torch.zeros(len(events), dtype=torch.bool)
    for row, sample in enumerate(samples):
        for word, is_known in enumerate(sample.tagged):
            known[row, word] = is_known
            trigger[row, word] = 0 if is_known else NOT_FIRST
    for index, (row, event) in enumerate(events):
        first.setdefault(row, index)
        trigger[row, event.span[0]] = 1
        if samples[row].tagged[event.span[0]]:
            for word in event.span[1:]:
                trigger[row, word] = 2
        for name, places in event.said.items():
            for word in places:
                tags[row, word, TAGS.index(name)] = 1
                said[index, word, TAGS.index(name)] = 1
                link[index, word] = 1
        sense[index] = fields.sense_ids[event.sense]
        place[index] = event.place
        body[index] = "move" in event.values
        for name in values:
            if name in event.values:
                values[name][index] = fields.class_of(name, event.values[name])
        for name, members in fields.lists.items():
            for member in event.values.get(name, ()):
                lists[name][index, members.index(member)] = 1
    for index, (row, event) in enumerate(events):
        for name, other in event.references.items():
            references[name][index] = 1 + first[row] + other
    clip = {name: torch.tensor([options.index(s.clip[name]) for s in samples]) for name, options in CLIP.items()}
    return {"trigger": trigger, "tags": tags, "known": known, "link": link, "said": said, "sense": sense, "values": values,
            "lists": lists, "references": references, "place": place, "body": body, "clip": clip}
