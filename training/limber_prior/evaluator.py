"""The evaluator: an encoder trained on recorded people alone, in whose space distances to people are taken.

It sees one second of joint positions and speeds (no rotations, so conventions of skeletons do not count),
learns to give the window back through 48 numbers and to tell the words of the captions.
"""

import re
from collections import Counter

import numpy as np
import torch
from torch import nn

from . import FPS, body, features

WINDOW = 32
STRIDE = 8
CODE = 48
WORDS = 150


def observe(clip):
    """What is seen of each frame: positions, speeds of joints, speeds of the body: (T, 135)."""
    local = features.local_positions(clip.place, clip.turns).reshape(len(clip), -1)
    positions, _ = body.forward(clip.place, clip.turns)
    back = -features.heading(clip.turns)
    cosine, sine = np.cos(back)[:, None], np.sin(back)[:, None]
    moving = np.gradient(positions, axis=0) * FPS
    x, z = moving[..., 0], moving[..., 2]
    moving = np.stack([cosine * x + sine * z, moving[..., 1], cosine * z - sine * x], -1)
    return np.concatenate([local, moving.reshape(len(clip), -1),
                           features.speeds(clip.place, clip.turns)], -1).astype(np.float32)


def windows(seen, stride=STRIDE):
    """Seconds of a clip; one that is shorter is held at its end."""
    if len(seen) < WINDOW:
        seen = np.concatenate([seen, np.repeat(seen[-1:], WINDOW - len(seen), 0)])
    return np.stack([seen[at:at + WINDOW] for at in range(0, len(seen) - WINDOW + 1, stride)])


def words_of(captions):
    """The words of all captions, once each."""
    return {word for caption in captions for word in re.findall("[a-z]+", caption.lower())}


class Linear:
    """The same without a network: principal components of what is seen, for a look within seconds."""

    def __init__(self, takes):
        seen = np.concatenate([windows(observe(take)) for take in takes])
        self.mean, self.scale = seen.mean((0, 1)), seen.std((0, 1)) + 1e-3
        rows = ((seen - self.mean) / self.scale).reshape(len(seen), -1)
        _, _, vectors = np.linalg.svd(rows, full_matrices=False)
        self.basis = vectors[:CODE].T / np.sqrt(rows.shape[1] / CODE)

    def codes(self, clip, stride=STRIDE):
        """One row per window of a clip."""
        rows = (windows(observe(clip), stride) - self.mean) / self.scale
        return rows.reshape(len(rows), -1) @ self.basis


class Encoder(nn.Module):
    """Convolutions down to a code, and back."""

    def __init__(self, channels, mean, scale):
        super().__init__()
        self.register_buffer("mean", torch.as_tensor(mean))
        self.register_buffer("scale", torch.as_tensor(scale))
        wide = 128
        self.down = nn.Sequential(
            nn.Conv1d(channels, wide, 5, 2, 2), nn.GELU(), nn.Conv1d(wide, wide, 5, 2, 2), nn.GELU(),
            nn.Conv1d(wide, wide, 3, 2, 1), nn.GELU(), nn.Flatten(), nn.Linear(wide * WINDOW // 8, CODE))
        self.up = nn.Sequential(
            nn.Linear(CODE, wide * WINDOW // 8), nn.GELU(), nn.Unflatten(1, (wide, WINDOW // 8)),
            nn.ConvTranspose1d(wide, wide, 4, 2, 1), nn.GELU(), nn.ConvTranspose1d(wide, wide, 4, 2, 1), nn.GELU(),
            nn.ConvTranspose1d(wide, channels, 4, 2, 1))
        self.tell = nn.Linear(CODE, WORDS)

    def normal(self, seen):
        """Windows (B, W, C) to (B, C, W) of unit scale."""
        return ((seen - self.mean) / self.scale).transpose(1, 2)

    @torch.no_grad()
    def codes(self, clip, stride=STRIDE):
        """One row per window of a clip."""
        return self.down(self.normal(torch.as_tensor(windows(observe(clip), stride)))).numpy()


def train(takes, steps=4000, seed=0, log=print):
    """An encoder of these takes; the last of `log` tells how well words of windows are found."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    counts = Counter(word for take in takes for word in words_of(take.captions))
    vocabulary = [word for word, _ in counts.most_common(WORDS)]
    seen, told = [], []
    for take in takes:
        parts = windows(observe(take), 4)
        own = words_of(take.captions)
        seen.append(parts)
        told.append(np.repeat([[word in own for word in vocabulary]], len(parts), 0))
    seen, told = np.concatenate(seen), np.concatenate(told).astype(np.float32)
    told = np.pad(told, ((0, 0), (0, WORDS - told.shape[1])))
    mean, scale = seen.mean((0, 1)), seen.std((0, 1)) + 1e-3
    model = Encoder(seen.shape[-1], mean, scale)
    optimiser = torch.optim.AdamW(model.parameters(), 1e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 1e-3, steps)
    for step in range(steps):
        chosen = random.integers(0, len(seen), 96)
        wanted = model.normal(torch.as_tensor(seen[chosen]))
        code = model.down(wanted + 0.02 * torch.randn_like(wanted))
        given = nn.functional.mse_loss(model.up(code), wanted)
        telling = nn.functional.binary_cross_entropy_with_logits(model.tell(code), torch.as_tensor(told[chosen]))
        # codes of unit size keep distances comparable between trainings
        size = (code.pow(2).mean(0) - 1).pow(2).mean()
        loss = given + 0.5 * telling + 0.1 * size
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 250 == 0 or step + 1 == steps:
            log(f"evaluator {step} back {given.item():.3f} words {telling.item():.3f}")
    return model.eval()
