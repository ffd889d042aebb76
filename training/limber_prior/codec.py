"""The linear codec: windows of motion as 96 numbers each, by principal components; nothing is trained."""

import numpy as np

from . import features, rotations as r
from .clips import Clip

LENGTH = 12
STRIDE = 6
SIZE = 96


class Codec:
    """Turns and height to tokens and back. Travel and heading stay with the clip."""

    def __init__(self, takes):
        rows = np.concatenate([self.windows(self.rows(take)) for take in takes])
        self.mean = rows.mean(0)
        _, values, vectors = np.linalg.svd((rows - self.mean)[::5], full_matrices=False)
        self.basis = vectors[:SIZE].T
        deviation = ((rows - self.mean) @ self.basis).std(0)
        # half-whitened, so that small components are noised before large ones
        self.scale = np.sqrt(deviation * deviation[0])

    @staticmethod
    def rows(clip):
        seen = features.guide_features(clip)
        return np.concatenate([3 * seen[:, :1], seen[:, 8:]], -1)

    @staticmethod
    def windows(rows):
        """Overlapping windows over the whole clip, its ends held."""
        count = max(1, -(-len(rows) // STRIDE)) + 1
        padded = np.pad(rows, ((STRIDE, count * STRIDE + LENGTH - len(rows)), (0, 0)), "edge")
        return np.stack([padded[at * STRIDE:at * STRIDE + LENGTH].ravel() for at in range(count)])

    def encode(self, clip):
        """(N, 96) tokens, five a second."""
        return (self.windows(self.rows(clip)) - self.mean) @ self.basis / self.scale

    def decode(self, tokens, clip):
        """The motion of tokens, on the travel and heading of a clip of the same length."""
        parts = (tokens * self.scale @ self.basis.T + self.mean).reshape(len(tokens), LENGTH, -1)
        shape = np.hanning(LENGTH + 2)[1:-1][:, None]
        total = np.zeros(((len(tokens) + 2) * STRIDE, parts.shape[-1]))
        weight = np.zeros((len(total), 1))
        for number, part in enumerate(parts):
            total[number * STRIDE:number * STRIDE + LENGTH] += shape * part
            weight[number * STRIDE:number * STRIDE + LENGTH] += shape
        rows = (total / np.maximum(weight, 1e-9))[STRIDE:STRIDE + len(clip)]
        turns = r.from_6d(rows[:, 1:].reshape(-1, 22, 6))
        turns[:, 0] = r.multiply(r.about_y(features.heading(clip.turns)), turns[:, 0])
        place = clip.place.copy()
        place[:, 1] = rows[:, 0] / 3
        return Clip(clip.name, place, turns, clip.contacts)
