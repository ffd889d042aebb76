//! Variation parameters of a performer, derived from the seed, and style: variation, manner and
//! tempo of one act.

mod looks;

use limber_animation::maths::powf;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::{Act, ActionKind, Seed};

/// Variation parameters of a performer. Signed numbers are between −1 and 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct VariationParams {
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
    /// Selects among alternative ways of doing the same, 0 to 1.
    pub(super) choice: f32,
    /// How long the performer waits before setting out, 0 to 1.
    pub(super) patience: f32,
    /// Whether an unspecified side is the left one.
    pub(super) other_side: bool,
    /// Phase of noise.
    pub(super) phase: f32,
}

impl VariationParams {
    /// The parameters for a seed. The same seed gives the same parameters.
    ///
    /// The signs of seven parameters are determined by the performer: any two of the eight
    /// performers differ in four of them (a simplex code: the parities of the performer's bits).
    /// Their magnitudes, and all other parameters, are random.
    pub(super) fn of(seed: Seed) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(seed.0);
        let mut signed = || {
            // away from zero, so that two performers rarely stand the same way
            let value = rng.random_range(-1.0_f32..1.0);
            value.signum() * (0.3 + 0.7 * value.abs())
        };
        let mind = |bearing: u64, value: f32| {
            let is_odd = (seed.character() & bearing).count_ones() % 2 == 1;
            // the smaller the random part, the more the most similar two differ
            (0.7 + 0.3 * value.abs()) * if is_odd { -1.0 } else { 1.0 }
        };
        let characters = Seed::CHARACTERS;
        // each performer has an eighth of the range
        let eighth = |factor: u64, value: f32| {
            let place = (seed.character() * factor % characters) as f32;
            (place + 0.5 + 0.5 * value) / characters as f32
        };
        Self {
            tempo: mind(1, signed()),
            // performers who take more steps take shorter ones
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

    /// Half the stance width, metres.
    pub(super) fn stance_half_m(&self) -> f32 {
        0.102 + 0.027 * self.stance
    }

    /// Outward yaw of the toes, radians.
    pub(super) fn toe_out_rad(&self) -> f32 {
        (9.0 + 6.0 * self.toe_out).to_radians()
    }
}

/// How one act is performed: factors around 1, and angles in radians that are added to the posture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Style {
    /// Speed of everything.
    pub(super) tempo: f32,
    /// Step length.
    pub(super) stride: f32,
    /// Size of gestures.
    pub(super) size: f32,
    /// Vertical bounce of steps and stance.
    pub(super) bounce: f32,
    /// How high feet are lifted.
    pub(super) lift: f32,
    /// Arm swing.
    pub(super) swing: f32,
    /// Lateral sway of the body.
    pub(super) sway: f32,
    /// Forward flexion of the trunk.
    pub(super) hunch: f32,
    /// Head pitch, down positive.
    pub(super) head: f32,
    /// Shoulder elevation.
    pub(super) shrug: f32,
    /// Abduction of the arms.
    pub(super) out: f32,
    /// Forward flexion of the arms.
    pub(super) arms: f32,
    /// Elbow flexion.
    pub(super) elbow: f32,
    /// Amplitude of trembling.
    pub(super) tremor: f32,
    /// How far the hands are closed.
    pub(super) grip: f32,
    /// Knee flexion: how much lower the pelvis is, metres.
    pub(super) sink: f32,
    /// Stance width.
    pub(super) width: f32,
    /// How much a leg is favoured, 0 to 1.
    pub(super) limp: f32,
    /// How jerky movements are, 0 to 1.
    pub(super) jerk: f32,
    /// The requested size factor, which `size` already includes.
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

    /// The style of an act for this performer.
    pub(super) fn of(act: &Act, variation: &VariationParams) -> Self {
        let mut style = Self::USUAL;
        style.tempo = act.tempo.0.clamp(0.3, 2.5) * (1.0 + 0.075 * variation.tempo);
        style.stride = 1.0 + 0.11 * variation.stride;
        style.size = (1.0 + 0.12 * variation.size) * powf(act.tempo.0.clamp(0.5, 2.0), -0.12);
        style.swing = 1.0 + 0.34 * variation.swing;
        style.sway = 1.0 + 0.3 * variation.sway;
        for (manner, much) in &act.manners {
            looks::put_on(&mut style, *manner, much.get() as f32);
        }
        // with several manners at once, movement must not become too slow
        style.tempo = style.tempo.max(0.25);
        // body-part movements scale themselves
        if let Some(size) = act.measures.size.filter(|_| act.action.kind() != ActionKind::Body) {
            style.enlarge(size);
        }
        if let Some(force) = act.measures.force {
            style.put_force(force, act.action.family() == "reactions");
        }
        style
    }

    /// Applies a force factor: more force is faster and larger. A light blow that is taken is over
    /// soon, because there is little to recover from.
    fn put_force(&mut self, force: f32, is_taken: bool) {
        let is_shrugged_off = is_taken && force < 1.0;
        let (faster, larger) = if is_shrugged_off { (-0.6, 0.8) } else { (0.3, 0.35) };
        self.tempo *= powf(force, faster);
        self.size *= powf(force, larger);
        self.told *= powf(force, larger);
        self.lift *= powf(force, 0.25);
    }

    /// Applies a size factor: fully to gestures and jumps, less to steps and arm swing, because the
    /// length of the legs does not change.
    fn enlarge(&mut self, size: f32) {
        self.told *= size;
        self.size *= size;
        self.stride *= powf(size, 0.45);
        self.lift *= powf(size, 0.6);
        self.swing *= powf(size, 0.6);
        // larger movements take longer
        self.tempo *= powf(size, -0.25);
    }

    /// The size, limited to the natural variation between performers, with the requested factor
    /// applied on top.
    pub(super) fn size_within(&self, least: f32, most: f32) -> f32 {
        (self.size / self.told).clamp(least, most) * self.told
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Intensity, Manner};

    #[test]
    fn any_two_of_eight_variants_differ_in_four_parameters() {
        let variations: Vec<[f32; 7]> = (1..=8)
            .map(|variant| VariationParams::of(Seed(5).for_variant(variant)))
            .map(|t| [t.tempo, t.stance, t.weight, t.hunch, t.out, t.elbow, t.twist])
            .collect();
        for first in 0..variations.len() {
            for second in 0..first {
                let pairs = variations[first].iter().zip(&variations[second]);
                assert_eq!(pairs.filter(|(a, b)| a.signum() != b.signum()).count(), 4);
            }
        }
    }

    #[test]
    fn a_tired_person_is_slower_and_bent() {
        let variation = VariationParams::of(Seed(1));
        let mut act = Act::new(Action::named("walk").expect("it is an action"));
        let usual = Style::of(&act, &variation);
        act.manners.insert(Manner::Tired, Intensity::CLEARLY);
        let tired = Style::of(&act, &variation);
        assert!(tired.tempo < usual.tempo && tired.hunch > 0.2 && tired.stride < usual.stride);
    }
}
