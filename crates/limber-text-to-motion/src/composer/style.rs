//! Taste (what the seed decides about a person) and style (taste, manner and tempo of one act).

mod looks;

use limber_animation::maths::powf;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::{Act, Seed, Way};

/// What differs from one variant to the next. Signed numbers lie between −1 and 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taste {
    pub(super) tempo: f32,
    pub(super) stride: f32,
    pub(super) size: f32,
    pub(super) stance: f32,
    pub(super) toe_out: f32,
    pub(super) stagger: f32,
    pub(super) weight: f32,
    pub(super) hunch: f32,
    pub(super) head: f32,
    pub(super) out: f32,
    pub(super) elbow: f32,
    pub(super) twist: f32,
    pub(super) swing: f32,
    pub(super) sway: f32,
    /// Alternative ways to do the same, 0 to 1.
    pub(super) choice: f32,
    /// How long this person takes before setting out, 0 to 1.
    pub(super) patience: f32,
    /// Which side when the prompt leaves it open.
    pub(super) other_side: bool,
    /// Where noises begin.
    pub(super) phase: f32,
}

impl Taste {
    /// The taste of a seed. The same seed gives the same taste.
    ///
    /// Seven bearings are told by the character: any two of the eight are of opposite mind in four of
    /// them (a simplex code: the parities of the character's bits). How much, and all else, is chance.
    pub(super) fn of(seed: Seed) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(seed.0);
        let mut signed = || {
            // away from the middle: two people rarely stand the same way
            let value = rng.random_range(-1.0_f32..1.0);
            value.signum() * (0.3 + 0.7 * value.abs())
        };
        let mind = |bearing: u64, value: f32| {
            let is_odd = (seed.character() & bearing).count_ones() % 2 == 1;
            // the less is left to chance, the further the nearest two are apart
            (0.7 + 0.3 * value.abs()) * if is_odd { -1.0 } else { 1.0 }
        };
        let characters = Seed::CHARACTERS;
        // each character has an eighth of these for itself
        let eighth = |factor: u64, value: f32| {
            let place = (seed.character() * factor % characters) as f32;
            (place + 0.5 + 0.5 * value) / characters as f32
        };
        Self {
            tempo: mind(1, signed()),
            // who takes more steps takes shorter ones
            stride: -mind(1, signed()),
            size: signed(),
            stance: mind(2, signed()),
            toe_out: signed(),
            stagger: mind(1, signed()),
            weight: mind(3, signed()),
            hunch: mind(4, signed()),
            head: signed(),
            out: mind(5, signed()),
            elbow: mind(6, signed()),
            twist: mind(7, signed()),
            swing: mind(7, signed()),
            sway: signed(),
            choice: eighth(3, signed()).min(0.999),
            patience: eighth(5, signed()),
            other_side: signed() > 0.6,
            phase: 50.0 * (1.0 + signed()),
        }
    }

    /// Half the distance between the feet of somebody who stands, metres.
    pub(super) fn stance_half_m(&self) -> f32 {
        0.102 + 0.027 * self.stance
    }

    /// How far the toes point outwards, radians.
    pub(super) fn toe_out_rad(&self) -> f32 {
        (9.0 + 6.0 * self.toe_out).to_radians()
    }
}

/// How one act is done: factors around 1, angles in radians added to the posture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Style {
    /// How fast everything goes.
    pub(super) tempo: f32,
    /// How long steps are.
    pub(super) stride: f32,
    /// How big gestures are.
    pub(super) size: f32,
    /// How springy steps and stance are.
    pub(super) bounce: f32,
    /// How high feet are lifted.
    pub(super) lift: f32,
    /// How far arms swing.
    pub(super) swing: f32,
    /// How far the body sways sideways.
    pub(super) sway: f32,
    /// Trunk bent forwards.
    pub(super) hunch: f32,
    /// Head bowed.
    pub(super) head: f32,
    /// Shoulders up.
    pub(super) shrug: f32,
    /// Arms away from the body.
    pub(super) out: f32,
    /// Arms forwards.
    pub(super) arms: f32,
    /// Elbows bent.
    pub(super) elbow: f32,
    /// How far the body trembles.
    pub(super) tremor: f32,
    /// Hands closed.
    pub(super) grip: f32,
    /// Knees bent: how much lower the pelvis is, metres.
    pub(super) sink: f32,
    /// How far apart the feet are.
    pub(super) width: f32,
    /// How much a leg is spared, 0 to 1.
    pub(super) limp: f32,
    /// How much moves come in starts, 0 to 1.
    pub(super) jerk: f32,
    /// How large it was told to be; it is in `size` already.
    pub(super) told: f32,
}

impl Style {
    const USUAL: Self = Self {
        tempo: 1.0,
        stride: 1.0,
        size: 1.0,
        bounce: 1.0,
        lift: 1.0,
        swing: 1.0,
        sway: 1.0,
        hunch: 0.0,
        head: 0.0,
        shrug: 0.0,
        out: 0.0,
        arms: 0.0,
        elbow: 0.0,
        tremor: 0.0,
        grip: 0.0,
        sink: 0.0,
        width: 1.0,
        limp: 0.0,
        jerk: 0.0,
        told: 1.0,
    };

    /// The style of an act by somebody with this taste.
    pub(super) fn of(act: &Act, taste: &Taste) -> Self {
        let mut style = Self::USUAL;
        style.tempo = act.tempo.0.clamp(0.3, 2.5) * (1.0 + 0.075 * taste.tempo);
        style.stride = 1.0 + 0.11 * taste.stride;
        style.size = (1.0 + 0.12 * taste.size) * powf(act.tempo.0.clamp(0.5, 2.0), -0.12);
        style.swing = 1.0 + 0.34 * taste.swing;
        style.sway = 1.0 + 0.3 * taste.sway;
        for (manner, much) in &act.manners {
            looks::put_on(&mut style, *manner, much.get() as f32);
        }
        // people who have several moods at once still move
        style.tempo = style.tempo.max(0.25);
        // what is told by a part of the body measures itself
        if let Some(size) = act.measures.size.filter(|_| act.action.way() != Way::Body) {
            style.enlarge(size);
        }
        if let Some(force) = act.measures.force {
            style.put_force(force);
        }
        style
    }

    /// Harder or softer than usual: who puts more into it is quicker and goes further.
    fn put_force(&mut self, force: f32) {
        self.tempo *= powf(force, 0.3);
        self.size *= powf(force, 0.35);
        self.told *= powf(force, 0.35);
        self.lift *= powf(force, 0.25);
    }

    /// Larger or smaller than usual, as told: gestures and jumps all of it, steps and swinging arms less, because
    /// legs are as long as they are.
    fn enlarge(&mut self, size: f32) {
        self.told *= size;
        self.size *= size;
        self.stride *= powf(size, 0.45);
        self.lift *= powf(size, 0.6);
        self.swing *= powf(size, 0.6);
        // what is larger takes longer
        self.tempo *= powf(size, -0.25);
    }

    /// The size, kept between what people differ by when they are told nothing, and as told beyond that.
    pub(super) fn size_within(&self, least: f32, most: f32) -> f32 {
        (self.size / self.told).clamp(least, most) * self.told
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Intensity, Manner};

    #[test]
    fn any_two_of_eight_characters_differ_in_four_bearings() {
        let tastes: Vec<[f32; 7]> = (1..=8)
            .map(|variant| Taste::of(Seed(5).for_variant(variant)))
            .map(|t| [t.tempo, t.stance, t.weight, t.hunch, t.out, t.elbow, t.twist])
            .collect();
        for first in 0..tastes.len() {
            for second in 0..first {
                let pairs = tastes[first].iter().zip(&tastes[second]);
                assert_eq!(pairs.filter(|(a, b)| a.signum() != b.signum()).count(), 4);
            }
        }
    }

    #[test]
    fn a_tired_person_is_slower_and_bent() {
        let taste = Taste::of(Seed(1));
        let mut act = Act::new(Action::named("walk").expect("it is an action"));
        let usual = Style::of(&act, &taste);
        act.manners.insert(Manner::Tired, Intensity::CLEARLY);
        let tired = Style::of(&act, &taste);
        assert!(tired.tempo < usual.tempo && tired.hunch > 0.2 && tired.stride < usual.stride);
    }
}
