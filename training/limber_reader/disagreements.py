"""Lists the labels that trained weights contradict: `python -m limber_reader.disagreements --root . --work FOLDER`.

A network that was trained on a line and still reads it otherwise often met other labels for the same words
elsewhere (Northcutt et al. 2021, Confident Learning). Each line of the output is JSON: the author, the number of
the line in the author's file, its text, and what is in doubt. `assets/reader/LABELS.md` decides.
"""

import argparse
import json
import sysconfig
from pathlib import Path

import torch

from .__main__ import ENCODER, HELD_OUT_AUTHORS
from .batches import inputs, with_events
from .corpus import corpus, read_line
from .export import load
from .fields import Fields, read_schema
from .measure import spans_of
from .network import Reader
from .words import Pieces

UNLIKELY = 0.1
"""Probability of the label's action below which it is in doubt."""
LIKELY = 0.4
"""Probability of another action, and of a further event, from which on it is worth a look."""
AT_ONCE = 48
"""Lines that are read at once."""


@torch.no_grad()
def doubts(reader: Reader, samples, pieces) -> list[list[str]]:
    """For each sample, in words, what the network reads otherwise."""
    batch = inputs(samples, pieces)
    words, whole = reader.encode(batch)
    triggers, tags = reader.of_words(words)
    labelled = with_events(batch, [[event.span for event in sample.events] for sample in samples])
    chances = reader.of_events(words, whole, tags, labelled)["sense"].softmax(-1)
    found, row = [[] for _ in samples], 0
    for number, sample in enumerate(samples):
        said = lambda span: " ".join(sample.words[word].text for word in span)
        for event in sample.events:
            best = int(chances[row].argmax())
            label = reader.fields.sense_ids[event.sense]
            if chances[row, label] < UNLIKELY and chances[row, best] > LIKELY:
                found[number].append(f"{said(event.span)}: labelled {event.sense}, read as {reader.fields.senses[best]}")
            row += 1
        used = {word for event in sample.events for word in event.span}
        outside = triggers[number].softmax(-1)[:, 0]
        for span in spans_of(triggers[number], len(sample.words)):
            if not used & set(span) and 1 - outside[span[0]] > LIKELY:
                found[number].append(f"{said(span)}: no event in the label")
    return found


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--root", type=Path, required=True)
    options.add_argument("--work", type=Path, required=True)
    chosen = options.parse_args()
    fields = Fields(chosen.root, read_schema(chosen.work / "schema.json"))
    pieces = Pieces(Path(sysconfig.get_path("purelib")) / ENCODER / "vocab.txt")
    weights = chosen.root / "assets/reader/weights"
    layers = json.loads((weights / "reader.json").read_text(encoding="utf-8"))["layers"]
    reader = Reader(fields, layers, len(pieces.ids))
    load(reader, pieces, weights)
    reader.eval()
    for author, lines in corpus(chosen.root).items():
        if author in HELD_OUT_AUTHORS:
            continue
        # lines of similar length together, so that little is padded
        known = [(number, read_line(line)) for number, line in enumerate(lines, 1)]
        known = sorted((pair for pair in known if pair[1].events), key=lambda pair: len(pair[1].words))
        for start in range(0, len(known), AT_ONCE):
            part = known[start : start + AT_ONCE]
            for (number, sample), doubt in zip(part, doubts(reader, [sample for _, sample in part], pieces)):
                if doubt:
                    print(json.dumps({"author": author, "line": number, "text": sample.text, "doubts": doubt}, ensure_ascii=False))


if __name__ == "__main__":
    main()
