"""Weights for the product: half floats in the safetensors format, and a record of where they come from."""

import hashlib
import json
from pathlib import Path

import numpy as np

CREDITS = [
    "The data used in this project was obtained from mocap.cs.cmu.edu. The database was created with funding "
    "from NSF EIA-0196217.",
    "Contains motion from AnimatedDrawings, Copyright (c) Meta Platforms, Inc. and affiliates, MIT License.",
]


def write(idea, path, data):
    """Writes `path` (.safetensors) and `path`.json; returns a line for the log with the checksum."""
    arrays = {
        "mean": idea.mean, "scale": idea.scale, "basis": idea.basis, "waves": idea.waves,
        "phases": idea.phases, "weights": idea.weights,
    }
    path = Path(path)
    path.write_bytes(safetensors(arrays))
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    record = {
        "made_by": "cargo xtask train", "sha256": checksum,
        "explained": round(float(idea.explained), 4),
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
