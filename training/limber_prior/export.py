"""Weights for the product: half floats in the safetensors format, and a record of where they come from."""

import hashlib
import json
from pathlib import Path

import numpy as np

from . import features, rotations as r
from .clips import Clip

CREDITS = [
    "The data used in this project was obtained from mocap.cs.cmu.edu. The database was created with funding "
    "from NSF EIA-0196217.",
    "Contains motion from AnimatedDrawings, Copyright (c) Meta Platforms, Inc. and affiliates, MIT License.",
]

RIDGE = ("mean", "scale", "basis", "waves", "phases", "weights")
OWN = ("deviation", "together", "kernel")
# frames of the invented clip that tests compare
COMPARED = [0, 7, 23, 47]


def arrays(idea):
    """What of an idea is written: the objects that hold it, by its name."""
    if hasattr(idea, "ridge"):
        return {name: idea.ridge for name in RIDGE}
    return {name: idea.size for name in RIDGE} | {name: idea for name in OWN}


def rounded(idea):
    """The idea as it is after a way through half floats: what the product computes with."""
    for name, owner in arrays(idea).items():
        setattr(owner, name, getattr(owner, name).astype(np.float16).astype(float))
    return idea


def invented(frames=48):
    """A small clip that is in no data, here slow and there as quick as people, so that texture is drawn in part."""
    time = np.arange(frames)[:, None, None] / 30
    rates = np.linspace(0.05, 0.6, 22)[:, None]
    axes = np.stack([np.cos(np.arange(22)), np.sin(1.7 * np.arange(22)), np.cos(2.3 * np.arange(22))], -1)
    turns = r.exp(0.12 * np.sin(2 * np.pi * rates * time + np.arange(22)[:, None]) * axes)
    turns[:, 0] = r.multiply(r.about_y(1.5 * time[:, 0, 0]), turns[:, 0])
    place = np.array([0, 0.94, 0]) + time[:, 0] * [0.2, 0.01, 0.9]
    step = (np.arange(frames) // 12 % 2)[:, None]
    contacts = np.concatenate([step, step, 1 - step, 1 - step], -1).astype(float)
    return Clip("golden", place, turns, contacts)


def noise(frames):
    """Numbers like chance, for the invented clip's texture; the product's test computes the same."""
    return np.sin(1.3 * np.arange(frames)[:, None] ** 2 + 2.1 * np.arange(features.USED) + 0.4)


def golden(regression, texture, path):
    """The invented clip and what the rounded weights say of it, for the test of the product's own code."""
    clip = invented()
    said = rounded(regression).residual(clip)
    drawn = rounded(texture).drawn(clip, noise(len(clip) + 2 * texture.REACH))[:, :features.USED]
    Path(path).write_text(json.dumps({
        "place": np.round(clip.place, 6).tolist(),
        "turns": np.round(clip.turns[..., [1, 2, 3, 0]], 7).tolist(),
        "contacts": clip.contacts.astype(int).tolist(), "frames": COMPARED,
        "said": np.round(said[COMPARED], 6).tolist(), "drawn": np.round(drawn[COMPARED], 7).tolist()}) + "\n")


def write(idea, path, data):
    """Writes `path` (.safetensors) and `path`.json; returns a line for the log with the checksum."""
    path = Path(path)
    path.write_bytes(safetensors({name: getattr(owner, name) for name, owner in arrays(idea).items()}))
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    record = {"made_by": "cargo xtask train", "sha256": checksum}
    if hasattr(idea, "explained"):
        record["explained"] = round(float(idea.explained), 4)
    record |= {
        "data_sha256": {name: hashlib.sha256((Path(data) / name / "motion.npz").read_bytes()).hexdigest()
                        for name in ("cmu-text", "cc0-clips")},
        "credits": CREDITS,
    }
    path.with_suffix(".json").write_text(json.dumps(record, indent=2) + "\n")
    return f"{path.name}: {path.stat().st_size / 1024:.0f} KiB, sha256 {checksum}"


def safetensors(arrays):
    """The bytes of a safetensors file: length of the header, header, numbers one after the other."""
    header, parts, at = {}, [], 0
    for name, values in arrays.items():
        part = np.ascontiguousarray(values, "<f2").tobytes()
        header[name] = {"dtype": "F16", "shape": list(np.shape(values)), "data_offsets": [at, at + len(part)]}
        parts.append(part)
        at += len(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(parts)
