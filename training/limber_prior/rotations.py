"""Quaternions (w, x, y, z) and what is computed with them; every function works on stacks of them."""

import numpy as np


def unit(q):
    """Of length one."""
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def multiply(a, b):
    """First turn by b, then by a."""
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack([
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ], -1)


def inverse(q):
    """The turn back."""
    return q * np.array([1, -1, -1, -1], q.dtype)


def rotate(q, v):
    """The vector after the turn."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    a, b, c = np.moveaxis(np.asarray(v), -1, 0)
    # written out: np.cross takes several times as long
    p, s, t = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)
    return np.stack([a + w * p + y * t - z * s, b + w * s + z * p - x * t, c + w * t + x * s - y * p], -1)


def log(q):
    """The turn as axis times angle (radians), at most half a turn."""
    q = np.where(q[..., :1] < 0, -q, q)
    length = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(length, q[..., :1])
    return q[..., 1:] * np.where(length > 1e-8, angle / np.maximum(length, 1e-8), 2.0)


def exp(v):
    """The inverse of `log`."""
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    sine = np.where(angle > 1e-8, np.sin(angle / 2) / np.maximum(angle, 1e-8), 0.5)
    return np.concatenate([np.cos(angle / 2), v * sine], -1)


def between(a, b):
    """The smallest turn that carries direction a to direction b."""
    a, b = unit(a), unit(b)
    w = 1 + np.sum(a * b, -1, keepdims=True)
    axis = np.cross(a, b)
    # opposite directions: any axis across
    side = np.cross(a, np.where(np.abs(a[..., :1]) < 0.9, [1.0, 0, 0], [0, 1.0, 0]))
    return unit(np.where(w > 1e-6, np.concatenate([w, axis], -1), np.concatenate([0 * w, side], -1)))


def yaw(q):
    """The part of a turn that is about the vertical, radians: the twist of its swing and twist."""
    return 2 * np.arctan2(q[..., 2], q[..., 0])


def about_y(angle):
    """A turn about the vertical."""
    half = np.asarray(angle) / 2
    zero = np.zeros_like(half)
    return np.stack([np.cos(half), zero, np.sin(half), zero], -1)


def smooth_signs(q):
    """The same turns, along axis 0 without jumps of sign."""
    flips = np.sum(q[1:] * q[:-1], -1, keepdims=True) < 0
    signs = np.where(np.cumsum(flips, 0) % 2 == 1, -1.0, 1.0)
    return np.concatenate([q[:1], q[1:] * signs], 0)


def to_6d(q):
    """The first two columns of the matrix: what networks take turns as."""
    x, y = np.array([1.0, 0, 0]), np.array([0, 1.0, 0])
    return np.concatenate([rotate(q, np.broadcast_to(x, q.shape[:-1] + (3,))),
                           rotate(q, np.broadcast_to(y, q.shape[:-1] + (3,)))], -1)


def from_6d(d):
    """The nearest turn to two columns of a matrix."""
    x = unit(d[..., :3])
    y = d[..., 3:]
    y = unit(y - np.sum(x * y, -1, keepdims=True) * x)
    return from_matrix(np.stack([x, y, np.cross(x, y)], -1))


def from_matrix(m):
    """Quaternions of rotation matrices."""
    trace = [m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2], m[..., 0, 0] - m[..., 1, 1] - m[..., 2, 2],
             m[..., 1, 1] - m[..., 0, 0] - m[..., 2, 2], m[..., 2, 2] - m[..., 0, 0] - m[..., 1, 1]]
    d = [m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]]
    s = [m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1]]
    candidates = np.stack([
        np.stack([1 + trace[0], d[0], d[1], d[2]], -1), np.stack([d[0], 1 + trace[1], s[0], s[1]], -1),
        np.stack([d[1], s[0], 1 + trace[2], s[2]], -1), np.stack([d[2], s[1], s[2], 1 + trace[3]], -1)], -2)
    best = np.argmax(np.stack(trace, -1), -1)
    return unit(np.take_along_axis(candidates, best[..., None, None], -2)[..., 0, :])
