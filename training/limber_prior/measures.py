"""Numbers for sets of clips: how far from people, how jerky, which share of the spectrum."""

import numpy as np

from . import FPS, body, features

BANDS_HZ = [(0.5, 1), (1, 2), (2, 4), (4, 8), (8, 15)]


def frechet(a, b):
    """The Fréchet distance between two sets of codes, each taken as a normal distribution."""
    mean_a, mean_b = a.mean(0), b.mean(0)
    cov_a, cov_b = np.cov(a.T), np.cov(b.T)
    values, vectors = np.linalg.eigh(cov_a)
    root = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
    middle = np.linalg.eigvalsh(root @ cov_b @ root)
    return float(((mean_a - mean_b) ** 2).sum() + np.trace(cov_a) + np.trace(cov_b)
                 - 2 * np.sqrt(np.maximum(middle, 0)).sum())


def nearest(codes, bank, k=3):
    """For every code the mean distance to the k nearest of the bank."""
    found = []
    for part in np.array_split(codes, max(1, len(codes) // 512)):
        square = (part**2).sum(-1)[:, None] + (bank**2).sum(-1) - 2 * part @ bank.T
        found.append(np.sqrt(np.maximum(np.partition(square, k, -1)[:, :k], 0)).mean(-1))
    return np.concatenate(found)


def apart_cm(clip, person):
    """How far the joints of the upper body are from a person's who does the same, over the hips, cm."""
    ours, theirs = (features.local_positions(c.place, c.turns)[:, body.UPPER] for c in (clip, person))
    hips = [features.local_positions(c.place, c.turns)[:, :1] for c in (clip, person)]
    return float(100 * np.linalg.norm(ours - hips[0] - theirs + hips[1], axis=-1).mean())


def jerk(clip):
    """Mean third difference of joint positions, m/s³."""
    positions, _ = body.forward(clip.place, clip.turns)
    return float(np.linalg.norm(np.diff(positions, 3, axis=0), axis=-1).mean() * FPS**3)


def spectrum(clip):
    """Energy of joint speeds per joint and band, heading kept out: (22, bands), or None when too short."""
    if len(clip) < 64:
        return None
    positions, _ = body.forward(clip.place, clip.turns)
    local = positions - positions[:, :1]
    local[:, 0] = positions[:, 0]
    moving = np.diff(local, axis=0) * FPS
    found = []
    for start in range(0, len(moving) - 62, 31):
        part = moving[start:start + 62] - moving[start:start + 62].mean(0)
        power = (np.abs(np.fft.rfft(part * np.hanning(62)[:, None, None], axis=0)) ** 2).sum(-1)
        rates = np.fft.rfftfreq(62, 1 / FPS)
        found.append(np.stack([power[(rates >= low) & (rates < high)].sum(0) for low, high in BANDS_HZ], -1))
    return np.mean(found, 0)


def spectral_gap(clips, others):
    """Mean distance of two sets' spectra in decibels, over joints and bands."""
    def whole(some):
        spectra = [s for s in map(spectrum, some) if s is not None]
        return 10 * np.log10(np.median(spectra, 0) + 1e-9)
    return float(np.abs(whole(clips) - whole(others)).mean())
