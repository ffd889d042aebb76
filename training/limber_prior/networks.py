"""The ideas that draw: `Flow` and `Denoise` (see ideas.py), both of one backbone."""

import time

import numpy as np
import torch
from torch import nn

from . import augment, body, features, rotations as r
from .clips import Clip
from .codec import Codec
from .ideas import mirrored_pair

WIDE = 112
SPAN = 64


class Block(nn.Module):
    """Looks along time, then mixes channels; scale and shift come from the noise level."""

    def __init__(self, wide, gap, levels):
        super().__init__()
        self.along = nn.Conv1d(wide, wide, 7, padding=3 * gap, dilation=gap, groups=wide)
        self.norm = nn.LayerNorm(wide)
        self.mix = nn.Sequential(nn.Linear(wide, 2 * wide), nn.GELU(), nn.Linear(2 * wide, wide))
        self.tune = nn.Linear(levels, 2 * wide) if levels else None

    def forward(self, x, level):
        seen = self.norm(self.along(x.transpose(1, 2)).transpose(1, 2))
        if self.tune is not None:
            scale, shift = self.tune(level)[:, None].chunk(2, -1)
            seen = seen * (1 + scale) + shift
        return x + self.mix(seen)


class Backbone(nn.Module):
    """Rows of frames in, rows of frames out; sees a second to both sides."""

    def __init__(self, inputs, outputs, levels=0, wide=WIDE, gaps=(1, 2, 4, 1, 2)):
        super().__init__()
        self.enter = nn.Linear(inputs, wide)
        self.levels = levels
        self.blocks = nn.ModuleList(Block(wide, gap, levels) for gap in gaps)
        self.leave = nn.Linear(wide, outputs)
        nn.init.zeros_(self.leave.weight)
        nn.init.zeros_(self.leave.bias)

    def forward(self, x, level=None):
        if self.levels:
            rates = 2.0 ** torch.arange(self.levels // 2) * np.pi / 2
            angle = level[:, None] * rates
            level = torch.cat([angle.sin(), angle.cos()], -1)
        x = self.enter(x)
        for block in self.blocks:
            x = block(x, level)
        return self.leave(x)


# what rotations.py does, where gradients are wanted
def t_multiply(a, b):
    aw, av, bw, bv = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    w = aw * bw - (av * bv).sum(-1, keepdim=True)
    return torch.cat([w, aw * bv + bw * av + torch.linalg.cross(av, bv)], -1)


def t_rotate(q, v):
    t = 2 * torch.linalg.cross(q[..., 1:], v.expand(q.shape[:-1] + (3,)))
    return v + q[..., :1] * t + torch.linalg.cross(q[..., 1:], t)


def t_exp(v):
    angle = (v.pow(2).sum(-1, keepdim=True) + 1e-12).sqrt()
    return torch.cat([(angle / 2).cos(), v * (angle / 2).sin() / angle], -1)


def t_upper_body(turns, values):
    """Joints of the upper body over the hips for a guide's turns (…, 22, 4) and bounded residuals."""
    vectors = values[..., 3:].reshape(values.shape[:-1] + (22, 3))
    limit = torch.as_tensor(features.LIMIT_RAD, dtype=torch.float32)[:, None]
    size = (vectors.pow(2).sum(-1, keepdim=True) + 1e-12).sqrt()
    turned = t_multiply(turns, t_exp(vectors * limit * (size / limit).tanh() / size))
    worlds, positions = [turned[..., 0, :]], [torch.zeros(turned.shape[:-2] + (3,))]
    for joint in range(1, 14):
        above = body.PARENTS[joint]
        positions.append(positions[above] + t_rotate(worlds[above], torch.as_tensor(body.PLACES[joint]).float()))
        worlds.append(t_multiply(worlds[above], turned[..., joint, :]))
    return torch.stack(positions, -2)


class Lessons:
    """Spans of pairs, and of people beside their own calmed motion, both mirrored half the time."""

    def __init__(self, pairs, takes, calm_share, seed):
        self.random = np.random.default_rng(seed)
        self.calm_share = calm_share
        self.spans = [self.lesson(p.guide, p.person) for p in self.both(pairs)]
        self.calm = [self.lesson(c, t) for t in takes if len(t) >= SPAN and calm_share
                     for c in [calmed(t, self.random.uniform(2, 6))]]
        seen = np.concatenate([s[0] for s in self.spans])
        given = np.concatenate([s[1] for s in self.spans])
        self.in_mean, self.in_scale = seen.mean(0), seen.std(0) + 1e-2
        # what is said goes through the limits later, so that what is learned does too
        self.scale = np.sqrt((given**2).mean(0)) + 1e-3

    @staticmethod
    def both(pairs):
        for pair in pairs:
            yield pair
            yield mirrored_pair(pair)

    @staticmethod
    def lesson(guide, person):
        turns = guide.turns.copy()
        turns[:, 0] = features.tilt(guide.turns)
        return (features.guide_features(guide).astype(np.float32), features.residual(guide, person).astype(np.float32),
                turns.astype(np.float32))

    def batch(self, count):
        """Inputs, wanted residuals, the guide's turns."""
        rows = []
        while len(rows) < count:
            own = self.calm if self.calm and self.random.random() < self.calm_share else self.spans
            lesson = own[self.random.integers(len(own))]
            if len(lesson[0]) >= SPAN:
                at = self.random.integers(len(lesson[0]) - SPAN + 1)
                rows.append([part[at:at + SPAN] for part in lesson])
        seen, wanted, turns = (torch.as_tensor(np.stack(parts)) for parts in zip(*rows))
        seen = (seen - torch.as_tensor(self.in_mean)) / torch.as_tensor(self.in_scale)
        return seen.float(), wanted, turns


def calmed(take, sigma):
    """A take without what people do quickly; its feet and contacts stay."""
    turns = r.unit(features.smooth(take.turns, sigma))
    place = features.smooth(take.place, sigma)
    return Clip(take.name, place, turns, take.contacts, take.captions, take.split)


def optimise(model, step_loss, minutes, seed, log, rate=6e-4):
    """Trains for some minutes of one core; the kept weights are a running mean."""
    torch.manual_seed(seed)
    optimiser = torch.optim.AdamW(model.parameters(), rate, weight_decay=1e-2)
    mean = {name: value.clone() for name, value in model.state_dict().items()}
    started, step, recent = time.process_time(), 0, []
    while (share := (time.process_time() - started) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 100) * 0.5 * (1 + np.cos(np.pi * share))
        loss = step_loss()
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        recent.append(loss.item())
        keep = min(0.995, step / (step + 20))
        for name, value in model.state_dict().items():
            mean[name] = keep * mean[name] + (1 - keep) * value
        step += 1
        if step % 100 == 0:
            log(f"step {step} share {share:.2f} loss {np.mean(recent[-100:]):.4f}")
    model.load_state_dict(mean)
    return model.eval()


def placed(turns, given, wanted):
    """How far the upper body's joints are from where people's are, and their speeds; metres, m/s / 10."""
    ours, theirs = t_upper_body(turns, given), t_upper_body(turns, wanted)
    return 10 * (ours - theirs).abs().mean() + 30 * (ours.diff(dim=1) - theirs.diff(dim=1)).abs().mean()


class Flow:
    """Draws the residual: a rectified flow from noise, given the guide."""

    STEPS = 8

    def __init__(self, pairs, takes, minutes=4, seed=0, calm_share=0.3, log=print):
        self.lessons = Lessons(pairs, takes, calm_share, seed)
        torch.manual_seed(seed)
        self.model = Backbone(140 + features.RESIDUAL, features.RESIDUAL, levels=16)
        self.scale = torch.as_tensor(self.lessons.scale).float()

        def loss():
            seen, wanted, turns = self.lessons.batch(16)
            clean, noise = wanted / self.scale, torch.randn_like(wanted)
            level = torch.sigmoid(torch.randn(len(seen)))
            at = level[:, None, None]
            speed = self.model(torch.cat([seen, (1 - at) * noise + at * clean], -1), level)
            given = ((1 - at) * noise + at * clean + (1 - at) * speed) * self.scale
            return (speed - (clean - noise)).pow(2).mean() + 0.3 * placed(turns, given, wanted)

        optimise(self.model, loss, minutes, seed, log)

    @torch.no_grad()
    def residual(self, guide, seed=0):
        seen = (features.guide_features(guide) - self.lessons.in_mean) / self.lessons.in_scale
        seen = torch.as_tensor(seen).float()[None]
        # less than full noise: nearer to what is usual
        x = 0.7 * torch.randn((1, len(guide), features.RESIDUAL), generator=torch.Generator().manual_seed(seed))
        for step in range(self.STEPS):
            level = torch.full((1,), step / self.STEPS)
            x = x + self.model(torch.cat([seen, x], -1), level) / self.STEPS
        return (x * self.scale)[0].numpy().astype(float)


class Denoise:
    """A flow over people's motion as tokens of the linear codec: the guide's tokens are noised up to a
    level and denoised from there."""

    FROM = 0.6
    STEPS = 6

    def __init__(self, takes, minutes=4, seed=0, log=print):
        random = np.random.default_rng(seed)
        both = augment.many(takes, random)
        self.codec = Codec(both)
        tokens = [torch.as_tensor(self.codec.encode(take)).float() for take in both]
        tokens = [t for t in tokens if len(t) >= 16]
        torch.manual_seed(seed)
        size = tokens[0].shape[-1]
        self.model = Backbone(size, size, levels=16, wide=144)

        def loss():
            rows = []
            for _ in range(32):
                one = tokens[random.integers(len(tokens))]
                at = random.integers(len(one) - 15)
                rows.append(one[at:at + 16])
            clean = torch.stack(rows)
            noise = torch.randn_like(clean)
            level = torch.sigmoid(torch.randn(len(clean)))
            at = level[:, None, None]
            return (self.model((1 - at) * noise + at * clean, level) - (clean - noise)).pow(2).mean()

        optimise(self.model, loss, minutes, seed, log)

    @torch.no_grad()
    def residual(self, guide, seed=0):
        clean = torch.as_tensor(self.codec.encode(guide)).float()[None]
        noise = torch.randn(clean.shape, generator=torch.Generator().manual_seed(seed))
        x = (1 - self.FROM) * noise + self.FROM * clean
        levels = np.linspace(self.FROM, 1, self.STEPS + 1)
        for now, then in zip(levels, levels[1:]):
            x = x + (then - now) * self.model(x, torch.full((1,), float(now)))
        return features.residual(guide, self.codec.decode(x[0].numpy(), guide))
