"""More takes out of few: every function gives a new clip and leaves the old one alone."""

import numpy as np

from . import body, features, rotations as r
from .clips import Clip
from .pairs import resampled

SPLICE = 9
# nobody walks tighter than this, rad/s
MOST_BENDING = 0.8


def like(clip, place, turns, contacts=None, captions=None):
    """Another motion under the same name."""
    return Clip(clip.name, place, turns, clip.contacts if contacts is None else contacts,
                clip.captions if captions is None else captions, clip.split, clip.recorded, clip.source)


def swap_sides(text):
    """The caption of the mirrored take."""
    marks = text.replace("left", "\0").replace("right", "left")
    return marks.replace("\0", "right")


def mirror(clip):
    """In a mirror, captions too."""
    return like(clip, *body.mirrored(clip.place, clip.turns), clip.contacts[:, [2, 3, 0, 1]],
                [swap_sides(text) for text in clip.captions])


def warp_time(clip, factor):
    """Quicker (above 1) or slower."""
    times = np.arange(0, len(clip) - 1, factor)
    return resampled(clip, times)


def bend_path(clip, rate):
    """A constant turn (rad/s, to the left) added to where the body goes. Feet that stand turn with it, so
    only for takes that travel."""
    angles = rate * np.arange(len(clip)) / 30
    steps = np.diff(clip.place, axis=0, prepend=clip.place[:1])
    bent = r.rotate(r.about_y(angles), steps * [1, 0, 1])
    place = np.cumsum(bent, 0) + clip.place[0] * [1, 0, 1] + clip.place * [0, 1, 0]
    turns = clip.turns.copy()
    turns[:, 0] = r.multiply(r.about_y(angles), turns[:, 0])
    return like(clip, place, turns)


def splice(first, second):
    """One take, then another, over nine frames; the second goes on where the first ends."""
    over = min(SPLICE, len(first), len(second))
    turn = features.heading(first.turns)[-over] - features.heading(second.turns)[0]
    facing = r.about_y(turn)
    place = r.rotate(facing, second.place - second.place[0] * [1, 0, 1]) + first.place[-over] * [1, 0, 1]
    turns = second.turns.copy()
    turns[:, 0] = r.multiply(facing, turns[:, 0])
    share = np.linspace(0, 1, over + 2)[1:-1]
    share = share * share * (3 - 2 * share)
    mixed = blend(first.turns[-over:], turns[:over], share[:, None, None])
    between = first.place[-over:] * (1 - share[:, None]) + place[:over] * share[:, None]
    contacts = np.concatenate([first.contacts[:-over], np.minimum(first.contacts[-over:], second.contacts[:over]),
                               second.contacts[over:]])
    captions = [f"{a} and then {b.removeprefix('a person ')}" for a, b in zip(first.captions, second.captions)]
    return like(first, np.concatenate([first.place[:-over], between, place[over:]]),
                r.smooth_signs(np.concatenate([first.turns[:-over], mixed, turns[over:]])), contacts, captions)


def blend(a, b, share):
    """From turn a towards turn b."""
    return r.multiply(a, r.exp(share * r.log(r.multiply(r.inverse(a), b))))


def many(takes, random):
    """All takes as they are, in the mirror, and changed in one of the other ways each."""
    found = list(takes) + [mirror(take) for take in takes]
    for take in takes:
        other = takes[random.integers(len(takes))]
        way = random.integers(4)
        travels = np.linalg.norm((take.place[-1] - take.place[0])[[0, 2]]) > 1
        if way == 0:
            found.append(warp_time(take, random.uniform(0.85, 1.18)))
        elif way == 1 and travels:
            found.append(bend_path(take, random.uniform(-MOST_BENDING, MOST_BENDING)))
        elif way == 2:
            found.append(splice(take, other))
        elif way == 3:
            found.append(recombine(take, other))
    return found


def recombine(lower, upper):
    """The legs and way of one take with the trunk and arms of another."""
    length = min(len(lower), len(upper))
    turns = lower.turns[:length].copy()
    turns[:, body.UPPER] = upper.turns[:length, body.UPPER]
    captions = [f"{a} while {b.removeprefix('a person ')}" for a, b in zip(lower.captions, upper.captions)]
    return like(lower, lower.place[:length], turns, lower.contacts[:length], captions)
