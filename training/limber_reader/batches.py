"""Converts samples to tensors, through NumPy arrays, because writing single tensor elements is slow."""

import numpy as np
import torch

from .corpus import Sample
from .fields import CLIP, REFERENCES, TAGS, Fields
from .network import BETWEEN, FAR
from .words import Pieces


NOT_FIRST = 3


def inputs(samples: list[Sample], pieces: Pieces) -> dict:
    """Encoder inputs: word pieces, and the matrix that averages them to words."""
    cut = [[pieces.of(word.text) for word in sample.words] for sample in samples]
    length = min(512, 2 + max(sum(map(len, known)) for known in cut))
    most = max(map(len, cut))
    ids = np.zeros((len(samples), length), dtype=np.int64)
    mask = np.zeros((len(samples), length), dtype=bool)
    pooling = np.zeros((len(samples), most, length), dtype=np.float32)
    for row, known in enumerate(cut):
        line = [pieces.cls]
        for word, parts in enumerate(known):
            if len(line) + len(parts) >= length:
                break
            pooling[row, word, len(line) : len(line) + len(parts)] = 1 / len(parts)
            line += parts
        line.append(pieces.sep)
        ids[row, : len(line)] = line
        mask[row, : len(line)] = True
    is_word = np.zeros((len(samples), most), dtype=bool)
    for row, sample in enumerate(samples):
        is_word[row, : len(sample.words)] = True
    return tensors({"ids": ids, "mask": mask, "pooling": pooling, "is_word": is_word})


def tensors(arrays: dict) -> dict:
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def with_events(batch: dict, spans: list[list[list[int]]]) -> dict:
    """Adds the events of each text, given as the word indices of their triggers."""
    rows = [(row, number, span) for row, known in enumerate(spans) for number, span in enumerate(known)]
    most = batch["is_word"].shape[1]
    held = np.zeros((len(rows), most), dtype=np.float32)
    far = np.zeros((len(rows), most), dtype=np.int64)
    between = np.zeros((len(rows), most), dtype=np.int64)
    places = np.arange(most)
    for index, (row, number, span) in enumerate(rows):
        held[index, span] = 1 / len(span)
        before, after = (places - span[0]).clip(max=0), (places - span[-1]).clip(min=0)
        far[index] = (before + after).clip(-FAR, FAR) + FAR
        steps = np.zeros(most, dtype=np.int64)
        for other_number, other in enumerate(spans[row]):
            if other_number < number:
                steps -= places <= other[-1]
            elif other_number > number:
                steps += places >= other[0]
        between[index] = steps.clip(-BETWEEN, BETWEEN) + BETWEEN
    return batch | tensors({
        "of": np.array([row for row, _, _ in rows], dtype=np.int64),
        "number": np.array([number for _, number, _ in rows], dtype=np.int64),
        "spans": held, "far": far, "between": between,
    })


def truth(samples: list[Sample], most: int, fields: Fields) -> dict:
    """Targets of the heads. Triggers are -100 for padding, and `NOT_FIRST` if it is only known that no event begins."""
    trigger = np.full((len(samples), most), -100)
    tags = np.zeros((len(samples), most, len(TAGS)), dtype=np.float32)
    known = np.zeros((len(samples), most), dtype=bool)
    events = [(row, event) for row, sample in enumerate(samples) for event in sample.events]
    first = {}
    link = np.zeros((len(events), most), dtype=np.float32)
    said = np.zeros((len(events), most, len(TAGS)), dtype=np.float32)
    whole = lambda: np.zeros(len(events), dtype=np.int64)
    sense, place, body = whole(), whole(), np.zeros(len(events), dtype=bool)
    values = {name: whole() for name in fields.values}
    lists = {name: np.zeros((len(events), len(members)), dtype=np.float32) for name, members in fields.lists.items()}
    references = {name: whole() for name in REFERENCES}
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
                tags[row, word, TAGS.index(name)] = said[index, word, TAGS.index(name)] = 1
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
    clip = {name: np.array([options.index(s.clip[name]) for s in samples]) for name, options in CLIP.items()}
    one = {"trigger": trigger, "tags": tags, "known": known, "link": link, "said": said, "sense": sense, "place": place, "body": body}
    many = {"values": values, "lists": lists, "references": references, "clip": clip}
    return tensors(one) | {name: tensors(arrays) for name, arrays in many.items()}
