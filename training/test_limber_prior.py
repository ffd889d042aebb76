"""Checks of the training that need no data: `python -m unittest` in this folder, with numpy installed."""

import unittest

import numpy as np

from limber_prior import augment, between, body, features, ideas, measures, pairs, rotations as r
from limber_prior.clips import Clip


def swing(frames=90, seed=1):
    """Somebody who sways, turns and swings the arms, one foot after the other on the floor."""
    random = np.random.default_rng(seed)
    time = np.arange(frames)[:, None, None] / 30
    rates, phases = random.uniform(0.3, 1.5, (22, 1)), random.uniform(0, 6, (22, 1))
    turns = r.exp(0.3 * np.sin(2 * np.pi * rates * time + phases) * random.normal(size=(22, 3)))
    place = np.array([0, 0.93, 0]) + time[:, 0] * [0.1, 0, 0.8]
    step = np.arange(frames)[:, None] // 15 % 2
    contacts = np.concatenate([step, step, 1 - step, 1 - step], -1).astype(float)
    return Clip("swing", place, turns, contacts, ["a person waves the left hand"])


class Rotations(unittest.TestCase):
    def test_logarithm_and_six_numbers_go_back(self):
        q = swing().turns
        same = lambda a: np.abs(np.sum(a * q, -1))
        np.testing.assert_allclose(same(r.exp(r.log(q))), 1, atol=1e-12)
        np.testing.assert_allclose(same(r.from_6d(r.to_6d(q))), 1, atol=1e-12)

    def test_between_carries_one_direction_to_the_other(self):
        a, b = np.random.default_rng(0).normal(size=(2, 50, 3))
        b[0] = -a[0]
        np.testing.assert_allclose(r.rotate(r.between(a, b), r.unit(a)), r.unit(b), atol=1e-9)


class Body(unittest.TestCase):
    def test_a_leg_reaches_what_is_in_reach(self):
        clip = swing()
        for side, (hip, _, foot, _) in enumerate(body.LEGS):
            positions, worlds = body.forward(clip.place, clip.turns)
            wanted = positions[:, hip] + 0.9 * (positions[:, foot] - positions[:, hip])
            moved, turned = body.forward(clip.place, body.reach(clip.place, clip.turns, side, wanted, worlds[:, foot]))
            np.testing.assert_allclose(moved[:, foot], wanted, atol=1e-9)
            np.testing.assert_allclose(np.abs(np.sum(turned[:, foot] * worlds[:, foot], -1)), 1, atol=1e-9)


class Residuals(unittest.TestCase):
    def test_no_strength_is_the_guide_itself(self):
        clip = swing()
        values = np.ones((len(clip), features.RESIDUAL))
        self.assertIs(features.apply(clip, values, 0), clip)

    def test_feet_stay_and_limits_hold(self):
        clip = swing()
        values = np.random.default_rng(0).normal(size=(len(clip), features.RESIDUAL))
        moved = features.apply(clip, features.smooth(values, 5) * 5)
        before, _ = body.forward(clip.place, clip.turns)
        after, _ = body.forward(moved.place, moved.turns)
        feet = [16, 20]
        self.assertLess(np.abs(before[:, feet] - after[:, feet]).max(), 0.02)
        turned = np.linalg.norm(r.log(r.multiply(r.inverse(clip.turns), moved.turns)), axis=-1)
        self.assertTrue((turned[:, body.UPPER] <= features.LIMIT_RAD[body.UPPER] + 1e-9).all())
        self.assertGreater(turned[:, body.UPPER].max(), 0.1)

    def test_the_residual_leads_to_the_other(self):
        clip = swing()
        small = np.zeros((len(clip), features.RESIDUAL))
        small[:, 3 + 3 * 8] = 0.05 * np.sin(np.arange(len(clip)) / 5)
        found = features.residual(clip, features.apply(clip, small))
        np.testing.assert_allclose(found[:, 3 + 3 * 8], small[:, 3 + 3 * 8], atol=2e-3)


class Augmentation(unittest.TestCase):
    def test_twice_in_the_mirror_is_the_take(self):
        clip = swing()
        again = augment.mirror(augment.mirror(clip))
        np.testing.assert_allclose(again.turns, clip.turns)
        self.assertEqual(augment.mirror(clip).captions, ["a person waves the right hand"])
        self.assertEqual(again.captions, clip.captions)

    def test_a_splice_has_no_jump(self):
        first, second = swing(seed=1), swing(seed=2)
        joined = augment.splice(first, second)
        self.assertEqual(len(joined), 2 * 90 - augment.SPLICE)
        steps = np.linalg.norm(np.diff(body.forward(joined.place, joined.turns)[0], axis=0), axis=-1)
        self.assertLess(steps[75:100].max(), 0.25)

    def test_a_bent_path_is_as_long(self):
        clip = swing()
        bent = augment.bend_path(clip, 0.5)
        way = lambda c: np.linalg.norm(np.diff(c.place, axis=0), axis=-1).sum()
        self.assertAlmostEqual(way(bent), way(clip), places=6)
        turned = features.heading(bent.turns) - features.heading(clip.turns)
        self.assertAlmostEqual(turned[-1], 0.5 * 89 / 30, places=2)


class Pairs(unittest.TestCase):
    def test_bending_in_time_finds_a_delayed_take(self):
        clip = swing(120)
        late = pairs.resampled(clip, np.linspace(0, 119, 150))
        pair = pairs.aligned(clip, late)
        middle = slice(20, 100)
        away = features.local_positions(pair.person.place, pair.person.turns)[middle] \
            - features.local_positions(clip.place, clip.turns)[middle]
        self.assertLess(np.linalg.norm(away, axis=-1).mean(), 0.02)


class Textures(unittest.TestCase):
    def test_it_is_drawn_where_little_moves_and_leaves_the_quick_alone(self):
        texture = ideas.Texture([swing(240, seed) for seed in range(4)])
        clip = swing()
        calm = Clip("calm", clip.place * [0, 1, 0], 0 * clip.turns + [1.0, 0, 0, 0], clip.contacts)
        one, other, again = (texture.residual(calm, seed) for seed in (1, 2, 1))
        np.testing.assert_array_equal(one, again)
        self.assertGreater(np.abs(one - other).max(), 1e-5)
        shaken = swing(seed=9)
        shaken.turns = r.multiply(shaken.turns, r.exp(np.random.default_rng(0).normal(size=(90, 22, 3))))
        self.assertLess(np.abs(texture.residual(shaken, 1)).mean(), np.abs(one).mean())


class Between(unittest.TestCase):
    def test_only_the_hole_changes_and_its_edges_meet(self):
        clip, start = swing(120), 45
        for hermite in (False, True):
            filled = between.inertialised(clip, start, hermite)
            outside = np.r_[:start, start + between.HOLE:120]
            np.testing.assert_array_equal(filled.turns[outside] ** 2, clip.turns[outside] ** 2)
            np.testing.assert_array_equal(filled.place[outside], clip.place[outside])
            joints, _ = body.forward(filled.place, filled.turns)
            theirs, _ = body.forward(clip.place, clip.turns)
            steps = lambda places: np.linalg.norm(np.diff(places, axis=0), axis=-1).max(-1)
            for edge in (start - 1, start + between.HOLE - 1):
                self.assertLess(steps(joints)[edge], 2 * steps(theirs)[edge - 3:edge + 3].max())


class Measures(unittest.TestCase):
    def test_the_distance_of_normal_distributions(self):
        random = np.random.default_rng(0)
        a = random.normal(size=(20000, 4))
        self.assertLess(measures.frechet(a, random.normal(size=(20000, 4))), 0.01)
        self.assertAlmostEqual(measures.frechet(a, a + 3), 36, places=1)


if __name__ == "__main__":
    unittest.main()
