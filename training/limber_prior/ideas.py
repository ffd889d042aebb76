"""The ideas that were compared before one was chosen. Each answers a guide with a residual (features.py).

`Neighbours`  no training: the fast part of what people did in the nearest recorded windows
`Manifold`    no training: the guide moved towards the affine hull of the nearest recorded windows
`Subspace`    one matrix: what the most likely person looks like, given the guide with Gaussian errors
`Regression`  the mean residual of pairs, by ridge regression on random Fourier features
`Texture`     what people do quickly: its size follows from what they do slowly, its course is drawn
`Flow`        a rectified flow that draws the residual from what pairs show
`Denoise`     a rectified flow over windows of people: the guide is partly noised and denoised
"""

import numpy as np

from . import augment, features, rotations as r
from .clips import Clip

WINDOW = 30
HOP = 10


def fade(length):
    """Weights of a window that is laid over its neighbours."""
    return np.hanning(length + 2)[1:-1]


def overlaid(clip, answer, window=WINDOW, hop=HOP):
    """Lays answers of windows over each other. `answer(start, part)` gives (W, 69) and a trust."""
    total = np.zeros((len(clip), features.RESIDUAL))
    weight = np.full((len(clip), 1), 1e-6)
    starts = list(range(0, max(1, len(clip) - window), hop)) + [max(0, len(clip) - window)]
    for start in starts:
        end = min(start + window, len(clip))
        values = answer(start, end)
        shape = fade(end - start)[:, None] + 1e-3
        total[start:end] += shape * values
        weight[start:end] += shape
    return total / weight


class Bank:
    """Windows of recorded people, found by how the body stands and moves."""

    def __init__(self, takes, every=2):
        self.takes = takes
        seen, self.where = [], []
        for number, take in enumerate(takes):
            described = self.describe(take)
            for start in range(0, len(take) - WINDOW + 1, every):
                seen.append(self.window(described, start))
                self.where.append((number, start))
        seen = np.array(seen, np.float32)
        self.mean, self.scale = seen.mean(0), seen.std() + 1e-6
        _, values, vectors = np.linalg.svd((seen - self.mean)[::7], full_matrices=False)
        self.basis = vectors[:32].T / self.scale
        self.seen = (seen - self.mean) @ self.basis
        self.square = (self.seen**2).sum(-1)

    @staticmethod
    def describe(clip):
        """Joints and speeds, the feet's contacts counting much: they hold the phase of a gait."""
        local = features.local_positions(clip.place, clip.turns)
        moving = np.gradient(local, axis=0) * 30
        return np.concatenate([local.reshape(len(clip), -1), 0.15 * moving.reshape(len(clip), -1),
                               0.1 * clip.contacts, 0.2 * features.speeds(clip.place, clip.turns)], -1)

    @staticmethod
    def window(described, start):
        """A window as one row, every fifth frame; short clips are held."""
        rows = np.minimum(np.arange(start, start + WINDOW, 5), len(described) - 1)
        return described[rows].ravel()

    def nearest(self, described, start, count, apart=20):
        """Places and distances of the nearest windows, not twice the same moment."""
        row = (self.window(described, start) - self.mean) @ self.basis
        distance = self.square - 2 * self.seen @ row + row @ row
        found = []
        for place in np.argsort(distance)[:count * 12]:
            take, at = self.where[place]
            if all(take != other or abs(at - begin) >= apart for other, begin, _ in found):
                found.append((take, at, float(np.sqrt(max(distance[place], 0)))))
            if len(found) == count:
                break
        return found


class Neighbours:
    """Adds what people's joints do faster than about 1 Hz where the guide does less of it."""

    SIGMA = 5

    def __init__(self, takes):
        self.bank = Bank(takes)
        self.fast = [self.fast_part(take) for take in takes]

    def fast_part(self, clip):
        """The motion against its own smoothed course, as a residual."""
        calm = r.unit(features.smooth(clip.turns, self.SIGMA))
        slow = Clip("", features.smooth(clip.place, self.SIGMA), calm, clip.contacts)
        return features.residual(slow, clip)

    def residual(self, guide):
        own = self.fast_part(guide)
        described = self.bank.describe(guide)

        def answer(start, end):
            take, at, _ = self.bank.nearest(described, start, 1)[0]
            theirs = self.fast[take][at:at + end - start]
            energy = (own[start:end] ** 2).mean(0).reshape(-1, 3).sum(-1)
            wanted = (theirs**2).mean(0).reshape(-1, 3).sum(-1)
            # people's phase where they move more; nothing where the guide itself is quick
            lack = np.sqrt(np.clip(1 - energy / np.maximum(wanted, 1e-9), 0, 1))
            return theirs * np.repeat(lack, 3)

        return overlaid(guide, answer)


class Manifold:
    """Moves the guide towards a mix of the nearest windows of people, as far as they resemble it."""

    COUNT = 8

    def __init__(self, takes):
        self.bank = Bank(takes)
        self.usual = np.median([self.bank.nearest(self.bank.describe(take), 0, 2)[-1][2] for take in takes[::5]])

    def residual(self, guide):
        described = self.bank.describe(guide)

        def answer(start, end):
            found = self.bank.nearest(described, start, self.COUNT)
            distance = np.array([d for _, _, d in found])
            weights = np.exp(-0.5 * (distance / self.usual) ** 2) + 1e-9
            part = guide_part(guide, start, end)
            leads = []
            for take, at, _ in found:
                other = self.bank.takes[take]
                leads.append(features.residual(part, guide_part(other, at, at + end - start)))
            trust = 1 / (1 + (distance[0] / (2 * self.usual)) ** 2)
            return trust * np.tensordot(weights / weights.sum(), np.array(leads), 1)

        return overlaid(guide, answer)


def guide_part(clip, start, end):
    """Frames of a clip as they lie."""
    return Clip(clip.name, clip.place[start:end], clip.turns[start:end], clip.contacts[start:end])


class Subspace:
    """The mean of people given the guide: PCA of windows of people, errors of the guide from pairs.

    A window is the joints' turns as six numbers each and the hips' height; with few pairs the errors are
    taken as white in that space."""

    KEPT = 160
    LENGTH = 16

    def __init__(self, takes, pairs):
        rows = np.concatenate([self.rows(take) for take in takes])
        self.mean = rows.mean(0)
        _, values, vectors = np.linalg.svd((rows - self.mean)[::3], full_matrices=False)
        self.basis = vectors[:self.KEPT].T
        energy = values[:self.KEPT] ** 2 / len(rows[::3])
        errors = np.concatenate([self.rows(p.guide) - self.rows(p.person) for p in pairs])
        noise = ((errors @ self.basis) ** 2).mean(0)
        # how much of the guide's own value is believed, component by component
        self.keep = energy / (energy + noise)
        self.bias = -errors.mean(0)

    @classmethod
    def rows(cls, clip):
        """Every second window of a clip."""
        seen = features.guide_features(clip)
        seen = np.concatenate([seen[:, :1] * 3, seen[:, 8:]], -1)
        if len(seen) < cls.LENGTH:
            seen = np.concatenate([seen, np.repeat(seen[-1:], cls.LENGTH - len(seen), 0)])
        starts = range(0, len(seen) - cls.LENGTH + 1, 2)
        return np.stack([seen[s:s + cls.LENGTH].ravel() for s in starts])

    def residual(self, guide):
        def answer(start, end):
            part = guide_part(guide, start, end)
            row = self.rows(part)[0]
            code = (row - self.mean) @ self.basis
            moved = row + self.basis @ ((self.keep - 1) * code) + 0.5 * self.bias
            frames = moved.reshape(self.LENGTH, -1)[:end - start]
            turns = r.from_6d(frames[:, 1:].reshape(-1, 22, 6))
            turns[:, 0] = r.multiply(r.about_y(features.heading(part.turns)), turns[:, 0])
            place = part.place.copy()
            place[:, 1] = frames[:, 0] / 3
            return features.residual(part, Clip("", place, turns, part.contacts))

        return overlaid(guide, answer, self.LENGTH, 4)


class Ridge:
    """Ridge regression on random Fourier features (Rahimi and Recht 2007) of the principal components of a
    second of the guide. Solved, not trained: a few matrices, the same every time."""

    COMPONENTS = 64
    WAVES = 1024
    AROUND = np.arange(-15, 16, 5)
    PENALTY = 3e-3

    def __init__(self, guides, wanted, seed):
        sample = np.concatenate([self.see(guide)[::11] for guide in guides])
        self.mean, self.scale = sample.mean(0), sample.std(0) + 0.02
        _, _, vectors = np.linalg.svd((sample - self.mean) / self.scale, full_matrices=False)
        self.basis = vectors[:self.COMPONENTS].T
        codes = (sample - self.mean) / self.scale @ self.basis
        random = np.random.default_rng(seed)
        # as wide as neighbouring poses are apart
        width = 0.7 * np.sqrt((codes**2).sum(-1).mean())
        self.waves = random.normal(size=(self.COMPONENTS, self.WAVES)) / width
        self.phases = random.uniform(0, 2 * np.pi, self.WAVES)
        gram, right, count = 0, 0, 0
        for guide, target in zip(guides, wanted):
            lifted = self.lift(guide)
            gram, right, count = gram + lifted.T @ lifted, right + lifted.T @ target, count + len(lifted)
        self.inverse = np.linalg.inv(gram / count + self.PENALTY * np.eye(len(gram)))
        self.weights = self.inverse @ right / count

    @classmethod
    def see(cls, guide):
        """The frames around every frame in one row."""
        rows = features.guide_features(guide)
        places = np.clip(np.arange(len(rows))[:, None] + cls.AROUND, 0, len(rows) - 1)
        return rows[places].reshape(len(rows), -1)

    def lift(self, guide):
        codes = (self.see(guide) - self.mean) / self.scale @ self.basis
        waves = np.cos(codes @ self.waves + self.phases) * np.sqrt(2 / self.WAVES)
        return np.concatenate([waves, 0.1 * codes / np.sqrt(self.COMPONENTS), np.full((len(codes), 1), 0.3)], -1)

    def answer(self, guide):
        return self.lift(guide) @ self.weights


class Regression:
    """The mean residual of pairs: how people hold themselves and time what they do."""

    # frames; a mean has no texture of its own: what is quick in it is the noise of few pairs
    CALM = 2.0

    def __init__(self, pairs, seed=0):
        pairs = [both for pair in pairs for both in (pair, mirrored_pair(pair))]
        wanted = [features.residual(p.guide, p.person) for p in pairs]
        self.ridge = Ridge([p.guide for p in pairs], wanted, seed)
        left = sum(((w - self.ridge.answer(p.guide)) ** 2).sum() for w, p in zip(wanted, pairs))
        self.explained = 1 - left / sum((w**2).sum() for w in wanted)

    def residual(self, guide):
        return features.smooth(self.ridge.answer(guide), self.CALM)


class Sizes(Ridge):
    """A smaller one, for what varies slowly."""

    WAVES = 256


class Texture:
    """What people do quicker than about 2 Hz, learned from takes beside their own calmed motion. Next to nothing
    of it follows from the calm motion (1.5 %), so its size is predicted and its course drawn, with people's
    spectrum and people's joints moving together."""

    SIGMA = 2.5
    REACH = 15
    FASTEST_HZ = 5
    # of people's own size: with more, jerk passes people's where little is done
    AMOUNT = 0.3

    def __init__(self, takes, seed=0):
        takes = [both for take in takes for both in (take, augment.mirror(take))][::2]
        calm = [self.calm(take) for take in takes]
        quick = [features.residual(c, t)[:, :features.USED] for c, t in zip(calm, takes)]
        self.deviation = np.sqrt(np.mean([(q**2).mean(0) for q in quick], 0))
        # in logarithms: standing and running are far apart
        usual = self.deviation**2
        self.size = Sizes(calm, [np.log(features.smooth(q**2, 6) / usual + 1e-4) for q in quick], seed)
        shaped = [q / self.expected(c) for q, c in zip(quick, calm)]
        values, vectors = np.linalg.eigh(np.cov(np.concatenate(shaped).T))
        self.together = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
        self.kernel = self.course(shaped)

    def calm(self, clip):
        turns = r.unit(features.smooth(clip.turns, self.SIGMA))
        return Clip(clip.name, features.smooth(clip.place, self.SIGMA), turns, clip.contacts)

    def expected(self, calm):
        """How large it is in every frame and number, on average."""
        size = np.clip(features.smooth(self.size.answer(calm), self.SIGMA), -9, 1.4)
        return self.deviation * np.exp(0.5 * size)

    def course(self, rows):
        """The zero-phase filter that gives white noise people's spectrum."""
        length = 64
        parts = [w[s:s + length] for w in rows for s in range(0, len(w) - length + 1, length)]
        power = np.mean([(np.abs(np.fft.rfft(p * np.hanning(length)[:, None], axis=0)) ** 2).mean(-1)
                         for p in parts], 0)
        # what trembles quicker is the noise of markers
        power /= 1 + (np.fft.rfftfreq(length, 1 / 30) / self.FASTEST_HZ) ** 4
        kernel = np.fft.fftshift(np.fft.irfft(np.sqrt(power), length))
        kernel = kernel[length // 2 - self.REACH:length // 2 + self.REACH + 1] * np.hanning(2 * self.REACH + 3)[1:-1]
        return kernel / np.sqrt((kernel**2).sum())

    def residual(self, guide, seed=0):
        random = np.random.default_rng(seed)
        return self.drawn(guide, random.normal(size=(len(guide) + 2 * self.REACH, features.USED)))

    def drawn(self, guide, noise):
        """The texture that white noise becomes: a row per frame, and `REACH` more at either end."""
        calm = self.calm(guide)
        noise = np.stack([np.convolve(column, self.kernel, "valid") for column in noise.T], -1) @ self.together
        values = self.AMOUNT * noise * self.expected(calm)
        # nothing where the guide itself is as quick as people are
        energy = features.smooth(per_joint(features.residual(calm, guide)[:, :features.USED]), 6)
        wanted = features.smooth(per_joint(values), 6)
        values *= np.repeat(np.sqrt(np.clip(1 - energy / np.maximum(wanted, 1e-12), 0, 1)), 3, -1)
        return np.pad(values, ((0, 0), (0, features.RESIDUAL - features.USED)))


def per_joint(values):
    """Square size of every joint's part of a residual, the hips' way first."""
    return (values**2).reshape(len(values), -1, 3).sum(-1)


def mirrored_pair(pair):
    """A pair in the mirror."""
    return type(pair)(augment.mirror(pair.guide), augment.mirror(pair.person), pair.distance)


class Sum:
    """Two ideas on top of each other."""

    def __init__(self, first, second):
        self.first, self.second = first, second

    def residual(self, guide):
        return self.first.residual(guide) + self.second.residual(guide)
