"""What models see of a motion, and the form in which they all answer: a residual on the guide.

The guide is the clip of the script engine. A residual has 69 numbers a frame: how far the hips are off
(across, up, along the heading; metres), how the hips are tilted, and one turn vector per other joint
(radians, in the joint's own space). The way over the ground and the heading are the guide's.
"""

from functools import lru_cache

import numpy as np

from . import FPS, body, rotations as r

RESIDUAL = 3 + 3 * 22
# legs follow the feet, so only the numbers before theirs are used
USED = 3 + 3 * 14
# how far a residual may go, whatever a model says: metres, then radians per joint
LIMIT_M = np.array([0.02, 0.02, 0.02])
LIMIT_RAD = np.radians([5, 6, 6, 6, 6, 8, 8, 14, 14, 14, 8, 14, 14, 14] + [8, 8, 8, 8] * 2)


@lru_cache(maxsize=512)
def bell(frames, sigma):
    """What a Gaussian over frames does, as a matrix; the ends are held."""
    reach = int(3 * sigma) + 1
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    places = np.clip(np.arange(frames)[:, None] + np.arange(-reach, reach + 1), 0, frames - 1)
    matrix = np.zeros((frames, frames))
    np.add.at(matrix, (np.arange(frames)[:, None], places), weights / weights.sum())
    return matrix


def smooth(values, sigma):
    """A Gaussian over frames."""
    return np.tensordot(bell(len(values), sigma), values, 1)


def heading(turns):
    """Where the body faces, radians, without jumps."""
    return np.unwrap(r.yaw(turns[:, 0]))


def local_positions(place, turns):
    """Joints over the ground point below the hips, turned to face +Z: (T, 22, 3)."""
    positions, _ = body.forward(place, turns)
    back = r.about_y(-heading(turns))[:, None]
    return r.rotate(np.broadcast_to(back, positions.shape[:2] + (4,)), positions - (place * [1, 0, 1])[:, None])


def speeds(place, turns):
    """Across, along (m/s) and turning (rad/s) of the heading's frame: (T, 3)."""
    facing = heading(turns)
    step = np.gradient(place, axis=0) * FPS if len(place) > 1 else np.zeros_like(place)
    local = r.rotate(r.about_y(-facing), step)
    turning = np.gradient(facing) * FPS if len(place) > 1 else np.zeros(len(place))
    return np.stack([local[:, 0], local[:, 2], turning], -1)


def tilt(turns):
    """The hips without their heading."""
    return r.multiply(r.about_y(-heading(turns)), turns[:, 0])


def guide_features(clip):
    """What models see of a clip: height, speeds, contacts, every joint as 6 numbers: (T, 140)."""
    turns = clip.turns.copy()
    turns[:, 0] = tilt(clip.turns)
    sixes = r.to_6d(turns).reshape(len(clip), -1)
    return np.concatenate([clip.place[:, 1:2], speeds(clip.place, clip.turns), clip.contacts, sixes], -1)


def residual(guide, other):
    """What leads from the guide to another clip of the same length."""
    turns = r.log(r.multiply(r.inverse(guide.turns), other.turns))
    turns[:, 0] = r.log(r.multiply(r.inverse(tilt(guide.turns)), tilt(other.turns)))
    ways = []
    for clip in (guide, other):
        # where the hips are over their own smoothed way: sway, neither travel nor how tall somebody stands,
        # which differs with the measures of bodies and would bend every knee
        off = clip.place - smooth(clip.place, 9)
        ways.append(r.rotate(r.about_y(-heading(clip.turns)), off))
    off = ways[1] - ways[0]
    return np.concatenate([off, turns.reshape(len(guide), -1)], -1)


def bounded(values, limit):
    """Small values stay, large ones come no further than the limit."""
    return limit * np.tanh(values / limit)


# a hand nearer than this to trunk, head, thigh or other hand touches it, or means to; metres
TOUCHING_M, FREE_M = 0.32, 0.50
# frames before and after a touch
BETWEEN = 8
# what a hand may be near to: joints of the other side's arm and leg come in the loop
NEAR_HANDS = [0, 1, 2, 3, 5]


def freedom(guide):
    """How far each arm may be changed, 0 to 1: not where the hand is at the body. (T, 2)"""
    positions, _ = body.forward(guide.place, guide.turns)
    found = []
    for side, arm in enumerate(body.ARMS):
        other, leg = body.ARMS[1 - side], body.LEGS[side]
        hand = positions[:, arm[-1]]
        spots = positions[:, NEAR_HANDS + [other[-1], other[-2], leg[1]]].copy()
        spots[:, 4, 1] += 0.08
        near = np.linalg.norm(spots - hand[:, None], axis=-1).min(-1)
        found.append(np.clip((near - TOUCHING_M) / (FREE_M - TOUCHING_M), 0, 1))
    # a hand that hangs beside the hip is free
    found = np.stack(found, -1)
    hanging = np.stack([positions[:, arm[-1], 1] < positions[:, 0, 1] - 0.02 for arm in body.ARMS], -1)
    free = np.where(hanging, 1.0, found)
    # between two touches a hand is not free either
    padded = np.pad(free, ((BETWEEN, BETWEEN), (0, 0)), "edge")
    least = np.lib.stride_tricks.sliding_window_view(padded, 2 * BETWEEN + 1, 0).min(-1)
    return np.clip(smooth(least, 3), 0, 1)


def upright(guide):
    """How upright the chest is, 0 to 1: who lies, crawls or stands on the hands is left alone. (T,)"""
    _, worlds = body.forward(guide.place, guide.turns)
    up = r.rotate(worlds[:, 3], np.array([0, 1.0, 0]))[:, 1]
    return smooth(np.clip((up - 0.55) / 0.25, 0, 1), 3)


def apply(guide, values, strength=1.0):
    """The guide with a residual. Feet stay where the guide has them, to the bit of the inverse kinematics, and
    so do arms whose hands are at the body; strength 0 gives the guide itself."""
    if strength == 0:
        return guide
    strength = strength * upright(guide)[:, None]
    off = strength * bounded(values[:, :3], LIMIT_M)
    vectors = values[:, 3:].reshape(-1, 22, 3)
    size = np.linalg.norm(vectors, axis=-1, keepdims=True)
    limit = LIMIT_RAD[:, None]
    vectors = strength[..., None] * vectors * np.where(size > 1e-6, bounded(size, limit) / np.maximum(size, 1e-6), 1.0)
    for arm, free in zip(body.ARMS, freedom(guide).T):
        vectors[:, arm] *= free[:, None, None]
    turns = guide.turns.copy()
    for joint in [0] + body.UPPER:
        turns[:, joint] = r.multiply(guide.turns[:, joint], r.exp(vectors[:, joint]))
    place = guide.place + r.rotate(r.about_y(heading(guide.turns)), off)
    place, turns = keep_feet(guide, place, turns)
    return type(guide)(guide.name, place, turns, guide.contacts, guide.captions, guide.split,
                       guide.recorded, guide.source)


def keep_feet(guide, place, turns):
    """Both ankles where the guide has them; the hips come down where a leg is too short."""
    positions, worlds = body.forward(guide.place, guide.turns)
    leg = body.LEG_M * 0.995
    lower = np.zeros(len(place))
    now, _ = body.forward(place, turns)
    for hip, _, foot, _ in body.LEGS:
        longest = np.maximum(leg, np.linalg.norm(positions[:, hip] - positions[:, foot], axis=-1))
        away = now[:, hip] - positions[:, foot]
        beside = away[:, 0] ** 2 + away[:, 2] ** 2
        height = np.sqrt(np.maximum(longest**2 - beside, 0))
        lower = np.maximum(lower, np.clip(away[:, 1] - height, 0, 0.05))
    place = place - np.stack([0 * lower, cover(lower, 3), 0 * lower], -1)
    for side, (_, _, foot, toes) in enumerate(body.LEGS):
        turns = body.reach(place, turns, side, positions[:, foot], worlds[:, foot])
        turns[:, toes] = guide.turns[:, toes]
    return place, turns


def cover(values, half):
    """A smooth curve that is nowhere below the values."""
    padded = np.pad(values, 2 * half, "edge")
    highest = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1).max(-1)
    kernel = np.hanning(2 * half + 3)[1:-1]
    return np.convolve(highest, kernel / kernel.sum(), "valid")
