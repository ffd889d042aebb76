"""Exports the weights, quantised to 8 bits with one scale per row, with the vocabulary and the label lists."""

import json
from collections import Counter
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from .corpus import corpus, read_line
from .fields import CLIP, REFERENCES, TAGS
from .words import plain

USUAL = 5
"""Minimum number of occurrences of a common word."""
# end of the Latin code points; the reader is not trained on other scripts
LATIN = 0x0250


def kept_pieces(ids: dict[str, int]) -> list[str]:
    """Word pieces that can occur in a prompt in Latin script, in vocabulary order."""
    return [p for p in ids if all(ord(c) < LATIN or 0x2000 <= ord(c) < 0x2070 for c in p)
            and not p.startswith("[unused")]


def small(matrix: torch.Tensor):
    """Quantises each row to integers from -127 to 127; returns them with the scale of each row."""
    factor = matrix.abs().amax(1).clamp(min=1e-8) / 127
    return (matrix / factor[:, None]).round().to(torch.int8), factor


def load(reader, pieces, folder: Path) -> set[str]:
    """Loads exported weights into a reader, matching senses and pieces by name; returns the senses they contain."""
    lists = json.loads((folder / "reader.json").read_text(encoding="utf-8"))
    fields = reader.fields
    same = {"tags": TAGS, "values": fields.values, "lists": fields.lists, "layers": len(reader.encoder.layers)}
    for name, known in same.items():
        if lists[name] != known:
            raise SystemExit(f"the weights in {folder} were made with other {name}; learn from the beginning")
    arrays, state = load_file(folder / "reader.safetensors"), reader.state_dict()
    senses = {sense: number for number, sense in enumerate(lists["senses"])}
    known = [sense for sense in fields.senses if sense in senses]
    rows = {"encoder.pieces.weight": ([pieces.ids[p] for p in kept_pieces(pieces.ids)], slice(None))}
    for name in ("senses.weight", "senses.bias"):
        rows[name] = ([fields.sense_ids[sense] for sense in known], [senses[sense] for sense in known])
    for name, values in state.items():
        saved = arrays[name].float()
        if name + ".factor" in arrays:
            saved = saved * arrays[name + ".factor"][:, None]
        to, taken = rows.get(name, (slice(None), slice(None)))
        values[to] = (saved if name in rows else saved.view_as(values))[taken]
    return set(known)


def known_words(root: Path, fields, pieces) -> list[str]:
    """Words of the sentences and phrases, without deliberate typos, which the spelling correction would then accept. A
    word counts as a typo if it occurs once, is one edit from a common word, and is not in the encoder's vocabulary."""
    said = Counter(plain(w.text) for lines in corpus(root).values() for line in lines for w in read_line(line).words)
    phrases = {plain(word) for known in fields.phrases.values() for phrase in known for word in phrase.split()}
    usual = {word for word, times in said.items() if times >= USUAL} | phrases
    is_word = lambda word, times: times > 1 or word in pieces.ids or usual.isdisjoint(slips(word))
    known = {word for word, times in said.items() if is_word(word, times)} | phrases
    return sorted(w for w in known if w.isalpha() and len(w) > 3)


def slips(word: str) -> set[str]:
    """Words that `word` may be a typo of: letters swapped, one letter too many or too few."""
    cuts = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    swapped = {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1 and b[0] != b[1]}
    # not at the end of the word, where a missing or extra letter may be an inflection
    shorter = {a + b[1:] for a, b in cuts if len(b) > 1}
    letters = "abcdefghijklmnopqrstuvwxyz"
    longer = {a + c + b for a, b in cuts if len(b) > 1 for c in letters}
    return (swapped | shorter | longer) - {word}


def export(reader, pieces, root: Path, out: Path, held_out: list[str]):
    arrays = {}
    kept = kept_pieces(pieces.ids)
    for name, values in reader.state_dict().items():
        if name == "encoder.pieces.weight":
            values = values[[pieces.ids[p] for p in kept]]
        if values.dim() == 2 and values.shape[1] > 1:
            arrays[name], arrays[name + ".factor"] = small(values)
        else:
            arrays[name] = values.flatten().clone()
    fields = reader.fields
    lists = {"senses": fields.senses, "tags": TAGS, "values": fields.values, "lists": fields.lists,
             "references": [*REFERENCES, "order"], "clip": CLIP, "layers": len(reader.encoder.layers), "held_out": held_out}
    lists["words"] = known_words(root, fields, pieces)
    save_file({k: v.contiguous() for k, v in arrays.items()}, out / "reader.safetensors")
    (out / "pieces.txt").write_text("\n".join(kept) + "\n", encoding="utf-8")
    (out / "reader.json").write_text(json.dumps(lists, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    # safetensors writes files that only their owner can read
    (out / "reader.safetensors").chmod(0o644)
