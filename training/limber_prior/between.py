"""In-betweening: a hole of a second in takes of held-out people, filled by interpolation alone and with what a
regression on the poses before and behind adds. Measured before anything was built."""

import numpy as np

from . import FPS, augment, body, features, measures, rotations as r
from .clips import Clip

HOLE = 30
# frames before and behind the hole that are seen
SEEN = np.array([0, 2, 4, 7, 11, 16, 22])
CONTEXT = int(SEEN.max()) + 1
# what moves goes on for so long by itself, frames
DECAY = 4.5


def inertialised(take, start, hermite=False):
    """The take with its hole filled: both sides go on with a speed that dies away, one passing over into the
    other; or, as `hermite`, one cubic with the speeds of both ends."""
    first, last, length = start - 1, start + HOLE, HOLE + 1
    along = np.arange(1, length, dtype=float)

    def course(before, begin, end, behind):
        speed_in, speed_out = begin - before, behind - end
        shape = (-1,) + (1,) * begin.ndim
        t = along.reshape(shape)
        share = t / length
        if hermite:
            return ((2 * share**3 - 3 * share**2 + 1) * begin + (share**3 - 2 * share**2 + share) * length * speed_in
                    + (3 * share**2 - 2 * share**3) * end + (share**3 - share**2) * length * speed_out)
        onward = begin + speed_in * DECAY * (1 - np.exp(-t / DECAY))
        backward = end - speed_out * DECAY * (1 - np.exp(-(length - t) / DECAY))
        weight = share**3 * (10 + share * (6 * share - 15))
        return (1 - weight) * onward + weight * backward

    edges = [first - 1, first, last, last + 1]
    place, turns = take.place.copy(), take.turns.copy()
    place[start:last] = course(*(take.place[edge] for edge in edges))
    base = take.turns[first]
    vectors = [r.log(r.multiply(r.inverse(base), take.turns[edge])) for edge in edges]
    turns[start:last] = r.multiply(base[None], r.exp(course(*vectors)))
    return Clip(take.name, place, r.smooth_signs(turns), take.contacts)


class Between:
    """Ridge regression on random Fourier features of the poses around a hole: how people's way through it
    differs from the interpolated one."""

    COMPONENTS, WAVES, PENALTY = 96, 1024, 1e-2

    def __init__(self, takes, seed=0, every=4):
        takes = [both for take in takes for both in (take, augment.mirror(take))]
        rows, wanted = [], []
        for take in takes:
            for start in range(CONTEXT, len(take) - HOLE - CONTEXT, every):
                part = cut(take, start)
                rows.append(self.see(part))
                wanted.append(self.away(inertialised(part, CONTEXT), part))
        rows, wanted = np.array(rows, np.float32), np.array(wanted, np.float32)
        self.mean, self.scale = rows.mean(0), rows.std(0) + 0.02
        normal = (rows - self.mean) / self.scale
        _, _, vectors = np.linalg.svd(normal[::5], full_matrices=False)
        self.basis = vectors[:self.COMPONENTS].T
        codes = normal @ self.basis
        random = np.random.default_rng(seed)
        width = 0.7 * np.sqrt((codes**2).sum(-1).mean())
        self.waves = random.normal(size=(self.COMPONENTS, self.WAVES)) / width
        self.phases = random.uniform(0, 2 * np.pi, self.WAVES)
        lifted = self.lift(codes)
        gram = lifted.T @ lifted / len(lifted) + self.PENALTY * np.eye(lifted.shape[1])
        self.weights = np.linalg.solve(gram, lifted.T @ wanted / len(lifted))
        self.count = len(rows)
        self.explained = 1 - ((wanted - lifted @ self.weights)**2).sum() / (wanted**2).sum()

    @staticmethod
    def see(part):
        """The poses around the hole, and where the second side lies from the first."""
        told = features.guide_features(part)[np.r_[CONTEXT - 1 - SEEN, CONTEXT + HOLE + SEEN]]
        facing = features.heading(part.turns)
        way = r.rotate(r.about_y(-facing[CONTEXT - 1]), part.place[CONTEXT + HOLE] - part.place[CONTEXT - 1])
        return np.concatenate([told.ravel(), 3 * way, [facing[CONTEXT + HOLE] - facing[CONTEXT - 1]]])

    @staticmethod
    def away(guide, part):
        """From the filled part to the take: the hips' way in the first heading, a turn vector per joint."""
        hole = slice(CONTEXT, CONTEXT + HOLE)
        facing = r.about_y(-features.heading(part.turns)[CONTEXT - 1])
        off = r.rotate(facing[None], (part.place - guide.place)[hole])
        turns = r.log(r.multiply(r.inverse(guide.turns[hole]), part.turns[hole]))
        return np.concatenate([off, turns.reshape(HOLE, -1)], -1).ravel()

    def lift(self, codes):
        waves = np.cos(codes @ self.waves + self.phases) * np.sqrt(2 / self.WAVES)
        return np.concatenate([waves, 0.1 * codes / np.sqrt(self.COMPONENTS), np.full((len(codes), 1), 0.3)], -1)

    def fill(self, take, start):
        """The take with its hole filled."""
        part = cut(take, start)
        guide = inertialised(part, CONTEXT)
        codes = (self.see(part) - self.mean) / self.scale @ self.basis
        away = (self.lift(codes[None]) @ self.weights).reshape(HOLE, -1)
        # no change of place or speed at the edges
        near = np.minimum(np.arange(HOLE), np.arange(HOLE)[::-1]) + 1
        share = np.clip(near / 6, 0, 1)
        away *= (share**2 * (3 - 2 * share))[:, None]
        facing = r.about_y(features.heading(part.turns)[CONTEXT - 1])
        filled = inertialised(take, start)
        hole = slice(start, start + HOLE)
        filled.place[hole] += r.rotate(facing[None], away[:, :3])
        vectors = away[:, 3:].reshape(HOLE, -1, 3)
        filled.turns[hole] = r.multiply(guide.turns[CONTEXT:CONTEXT + HOLE], r.exp(vectors))
        return filled


def cut(take, start):
    """The hole with what is seen of either side."""
    rows = slice(start - CONTEXT, start + HOLE + CONTEXT)
    return Clip(take.name, take.place[rows], take.turns[rows], take.contacts[rows])


def measured(take, filled, start):
    """Joint error, cm; the same without the way, cm; skating of standing feet, cm/s; the greatest change of speed at
    an edge as a multiple of the take's own; jerk, m/s³."""
    hole = slice(start, start + HOLE)
    (theirs, _), (ours, _) = body.forward(take.place, take.turns), body.forward(filled.place, filled.turns)
    apart = np.linalg.norm(ours - theirs, axis=-1)[hole].mean()
    local = np.linalg.norm(ours - ours[:, :1] - theirs + theirs[:, :1], axis=-1)[hole].mean()
    feet = [16, 17, 20, 21]
    speed = np.linalg.norm(np.diff(ours[:, feet], axis=0)[:, :, [0, 2]], axis=-1) * FPS
    stands = (take.contacts[1:] > 0.5) & (take.contacts[:-1] > 0.5)
    stands[:start] = stands[start + HOLE:] = False
    skate = speed[stands].mean() if stands.any() else np.nan
    bend = lambda joints: np.linalg.norm(np.diff(joints, 2, axis=0), axis=-1).mean(-1)
    edges = [start - 2, start - 1, start + HOLE - 2, start + HOLE - 1]
    seam = bend(ours)[edges].max() / np.maximum(bend(theirs)[edges].max(), 1e-4)
    inner = Clip("", filled.place[hole], filled.turns[hole], filled.contacts[hole])
    return 100 * apart, 100 * local, 100 * skate, seam, measures.jerk(inner)


def compared(takes, train, count=50, seed=0):
    """A table in Markdown over `count` takes of held-out people, holes in their middle."""
    model = Between(train, seed)
    long = [take for take in takes if len(take) >= HOLE + 2 * CONTEXT + 2]
    chosen = [long[place] for place in np.linspace(0, len(long) - 1, min(count, len(long))).astype(int)]
    ways = {"recorded": lambda take, start: take,
            "cubic": lambda take, start: inertialised(take, start, hermite=True),
            "inertialised": inertialised, "regression on it": model.fill}
    lines = [f"{len(chosen)} takes; learned from {model.count} holes, {model.explained:.1%} explained there.", "",
             "| way | joints cm | over the hips cm | skate cm/s | seam | jerk m/s³ | nearer than inertialised |",
             "|---|---|---|---|---|---|---|"]
    rows = {name: np.array([measured(take, way(take, len(take) // 2 - HOLE // 2), len(take) // 2 - HOLE // 2)
                            for take in chosen]) for name, way in ways.items()}
    for name, row in rows.items():
        nearer = (row[:, 0] < rows["inertialised"][:, 0]).mean()
        told = "–" if name in ("recorded", "inertialised") else f"{nearer:.0%}"
        mean = np.nanmean(row, 0)
        lines.append(f"| {name} | " + " | ".join(f"{value:.2f}" for value in mean[:4]) + f" | {mean[4]:.0f} | {told} |")
    return "\n".join(lines)
