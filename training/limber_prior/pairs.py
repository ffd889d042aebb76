"""Pairs of a person and the engine doing the same: what a prior learns from synthetic to human.

For every captioned take the engine is asked for the same sentence and duration. Where it understands all of
it, the take is bent in time until its feet and limbs go with the engine's (dynamic time warping with an
open beginning and end, at half to double speed).
"""

import json
from dataclasses import dataclass

import numpy as np

from . import features, rotations as r
from .clips import Clip, Folder

SHORTEST_S = 1.0
CAPTIONS_PER_TAKE = 3
# joints that tell what somebody does: head, elbows, hands, knees, feet
TELLING = [5, 8, 9, 12, 13, 15, 16, 19, 20]


@dataclass
class Pair:
    """The engine's clip, the person's in the engine's time, and their mean distance after warping."""

    guide: Clip
    person: Clip
    distance: float


def requests(takes, path, seed=1):
    """Writes what the engine shall make; returns the take of every line."""
    rows, owners = [], []
    for number, take in enumerate(takes):
        seconds = len(take) / 30
        if not take.recorded or seconds < SHORTEST_S:
            continue
        for place, say in enumerate(take.captions[:CAPTIONS_PER_TAKE]):
            # neighbouring seeds are different characters of the engine
            rows.append({"say": say, "seed": seed + number + 3 * place, "duration_s": round(seconds, 3)})
            owners.append(number)
    with open(path, "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return owners


def align(takes, owners, folder):
    """All pairs, the nearest first."""
    folder, found = Folder(folder), []
    for line, owner in zip(folder.lines, owners):
        if "refused" in line or line["warnings"]:
            continue
        pair = aligned(folder.clip(line), takes[owner])
        if pair:
            found.append(pair)
    return sorted(found, key=lambda pair: pair.distance)


def describe(clip):
    """What is compared between the two."""
    local = features.local_positions(clip.place, clip.turns)
    limbs = local[:, TELLING].reshape(len(clip), -1) / 0.25
    moving = np.gradient(local[:, TELLING], axis=0).reshape(len(clip), -1) * 30 / 1.5
    ways = features.speeds(clip.place, clip.turns) / 0.7
    return np.concatenate([limbs, 0.5 * moving, 2 * clip.contacts, ways, local[:, :1, 1] / 0.1], -1)


def aligned(guide, take):
    """The take in the guide's time; None when no bending within the limits does it."""
    if len(guide) < 20 or len(take) < 20:
        return None
    a, b = describe(guide), describe(take)
    cost = np.sqrt(np.maximum((a**2).sum(-1)[:, None] + (b**2).sum(-1) - 2 * a @ b.T, 0)) / np.sqrt(a.shape[1])
    path = warp(cost)
    if path is None:
        return None
    distance = float(np.mean(cost[np.arange(len(path)), path]))
    times = np.clip(features.smooth(path.astype(float)[:, None], 4)[:, 0], 0, len(take) - 1)
    return Pair(guide, resampled(take, times), distance)


def warp(cost):
    """For every row the column of the cheapest path; both may run at half to double speed."""
    rows, columns = cost.shape
    total = np.full((rows, columns), np.inf)
    step = np.zeros((rows, columns), int)
    total[0] = cost[0]
    for row in range(1, rows):
        options = np.full((3, columns), np.inf)
        options[0, 1:] = total[row - 1, :-1] + cost[row, 1:]
        options[1, 2:] = total[row - 1, :-2] + cost[row, 2:] * 1.1
        if row > 1:
            options[2, 1:] = total[row - 2, :-1] + 1.1 * (cost[row - 1, 1:] + cost[row, 1:])
        step[row] = np.argmin(options, 0)
        total[row] = np.min(options, 0)
    column = int(np.argmin(total[-1]))
    if not np.isfinite(total[-1, column]):
        return None
    path, row = np.zeros(rows, int), rows - 1
    while row > 0:
        path[row] = column
        if step[row, column] == 2:
            path[row - 1] = column
            row -= 1
            column -= 1
        else:
            column -= 1 + step[row, column]
        row -= 1
    path[0] = column
    return path


def resampled(clip, times):
    """The clip at these (fractional) frames."""
    before = np.minimum(times.astype(int), len(clip) - 2)
    amount = (times - before)[:, None]
    place = clip.place[before] * (1 - amount) + clip.place[before + 1] * amount
    first, second = clip.turns[before], clip.turns[before + 1]
    turns = r.multiply(first, r.exp(amount[..., None] * r.log(r.multiply(r.inverse(first), second))))
    contacts = clip.contacts[np.round(times).astype(int)]
    return Clip(clip.name, place, r.smooth_signs(r.unit(turns)), contacts, clip.captions, clip.split,
                clip.recorded, clip.source)
