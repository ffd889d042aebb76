"""Writes what was learned: eight bits a number, one factor a row, and the lists that the numbers stand for."""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file

from .corpus import corpus, read_line
from .fields import CLIP, REFERENCES, TAGS
from .words import plain

# other scripts than Latin: nobody learned to read them
LATIN = 0x0250


def kept_pieces(ids: dict[str, int]) -> list[str]:
    """The pieces that a prompt in Latin letters can have, in their order."""
    return [p for p in ids if all(ord(c) < LATIN or 0x2000 <= ord(c) < 0x2070 for c in p)
            and not p.startswith("[unused")]


def small(matrix: torch.Tensor):
    """Rows of whole numbers from -127 to 127, and what each row is to be multiplied by."""
    factor = matrix.abs().amax(1).clamp(min=1e-8) / 127
    return (matrix / factor[:, None]).round().to(torch.int8), factor


def export(reader, pieces, root: Path, out: Path, held_out: dict):
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
    known = {plain(w.text) for lines in corpus(root).values() for line in lines for w in read_line(line).words}
    known |= {plain(word) for phrases in fields.phrases.values() for phrase in phrases for word in phrase.split()}
    lists["words"] = sorted(w for w in known if w.isalpha() and len(w) > 3)
    save_file({k: v.contiguous() for k, v in arrays.items()}, out / "reader.safetensors")
    (out / "pieces.txt").write_text("\n".join(kept) + "\n", encoding="utf-8")
    (out / "reader.json").write_text(json.dumps(lists, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    # the library leaves its files closed to others
    (out / "reader.safetensors").chmod(0o644)
