//! Taste (what the seed decides about a person) and style (taste, manner and tempo of one act).

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::{Act, Manner, Seed};

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
    /// Which side when the prompt leaves it open.
    pub(super) other_side: bool,
    /// Where noises begin.
    pub(super) phase: f32,
}

impl Taste {
    /// The taste of a seed. The same seed gives the same taste.
    pub(super) fn of(seed: Seed) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(seed.0);
        let mut signed = || {
            // away from the middle: two people rarely stand the same way
            let value = rng.random_range(-1.0_f32..1.0);
            value.signum() * (0.3 + 0.7 * value.abs())
        };
        Self {
            tempo: signed(),
            stride: signed(),
            size: signed(),
            stance: signed(),
            toe_out: signed(),
            stagger: signed(),
            weight: signed(),
            hunch: signed(),
            head: signed(),
            out: signed(),
            elbow: signed(),
            twist: signed(),
            swing: signed(),
            sway: signed(),
            choice: (0.5 + 0.5 * signed()).clamp(0.0, 0.999),
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
    /// Elbows bent.
    pub(super) elbow: f32,
    /// Hands closed.
    pub(super) grip: f32,
    /// Knees bent: how much lower the pelvis is, metres.
    pub(super) sink: f32,
    /// How far apart the feet are.
    pub(super) width: f32,
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
        elbow: 0.0,
        grip: 0.0,
        sink: 0.0,
        width: 1.0,
    };

    /// The style of an act by somebody with this taste.
    pub(super) fn of(act: &Act, taste: &Taste) -> Self {
        let mut style = Self::USUAL;
        style.tempo = act.tempo.0.clamp(0.3, 2.5) * (1.0 + 0.09 * taste.tempo);
        style.stride = 1.0 + 0.11 * taste.stride;
        style.size = (1.0 + 0.12 * taste.size) * act.tempo.0.clamp(0.5, 2.0).powf(-0.12);
        style.swing = 1.0 + 0.34 * taste.swing;
        style.sway = 1.0 + 0.3 * taste.sway;
        for manner in &act.manners {
            style.put_on(*manner);
        }
        style
    }

    fn put_on(&mut self, manner: Manner) {
        let m = Mannerism::of(manner);
        self.tempo *= m.tempo;
        self.stride *= m.stride;
        self.size *= m.size;
        self.bounce *= m.bounce;
        self.lift *= m.lift;
        self.swing *= m.swing;
        self.sway *= m.sway;
        self.hunch += m.hunch.to_radians();
        self.head += m.head.to_radians();
        self.shrug += m.shrug.to_radians();
        self.out += m.out.to_radians();
        self.elbow += m.elbow.to_radians();
        self.grip += m.grip;
        self.sink += m.sink;
        self.width *= m.width;
    }
}

/// One row of the table below. Angles in degrees.
#[derive(Clone, Copy)]
struct Mannerism {
    tempo: f32,
    stride: f32,
    size: f32,
    bounce: f32,
    lift: f32,
    swing: f32,
    sway: f32,
    hunch: f32,
    head: f32,
    shrug: f32,
    out: f32,
    elbow: f32,
    grip: f32,
    sink: f32,
    width: f32,
}

impl Mannerism {
    const PLAIN: Self = Self {
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
        elbow: 0.0,
        grip: 0.0,
        sink: 0.0,
        width: 1.0,
    };

    /// How manners show: after Roether et al. 2009 (critical features of emotional gait) for the
    /// emotions, by eye for the rest.
    const fn of(manner: Manner) -> Self {
        let plain = Self::PLAIN;
        match manner {
            Manner::Happy => Self {
                tempo: 1.1,
                stride: 1.06,
                size: 1.2,
                bounce: 1.8,
                lift: 1.4,
                swing: 1.45,
                sway: 1.4,
                hunch: -4.0,
                head: -7.0,
                out: 5.0,
                elbow: 12.0,
                ..plain
            },
            Manner::Sad => Self {
                tempo: 0.74,
                stride: 0.78,
                size: 0.7,
                bounce: 0.6,
                lift: 0.7,
                swing: 0.4,
                hunch: 14.0,
                head: 26.0,
                shrug: -4.0,
                out: -3.0,
                elbow: -4.0,
                ..plain
            },
            Manner::Tired => Self {
                tempo: 0.68,
                stride: 0.75,
                size: 0.7,
                bounce: 0.8,
                lift: 0.5,
                swing: 0.55,
                sway: 1.7,
                hunch: 20.0,
                head: 22.0,
                shrug: -7.0,
                elbow: -6.0,
                sink: 0.02,
                width: 1.15,
                ..plain
            },
            Manner::Angry => Self {
                tempo: 1.2,
                stride: 1.1,
                size: 1.2,
                bounce: 1.3,
                lift: 1.3,
                swing: 1.3,
                hunch: 9.0,
                head: 6.0,
                shrug: 7.0,
                out: 8.0,
                elbow: 28.0,
                grip: 1.0,
                sink: 0.01,
                ..plain
            },
            Manner::Scared => Self {
                tempo: 1.08,
                stride: 0.7,
                size: 0.75,
                bounce: 0.7,
                swing: 0.3,
                hunch: 15.0,
                head: -4.0,
                shrug: 13.0,
                out: -2.0,
                elbow: 62.0,
                grip: 0.4,
                sink: 0.05,
                width: 0.85,
                ..plain
            },
            Manner::Proud => Self {
                tempo: 0.92,
                stride: 1.06,
                size: 1.12,
                bounce: 1.15,
                swing: 1.15,
                hunch: -9.0,
                head: -6.0,
                shrug: -2.0,
                out: 7.0,
                elbow: 4.0,
                width: 1.1,
                ..plain
            },
            Manner::Drunk => Self {
                tempo: 0.8,
                stride: 0.85,
                size: 1.1,
                bounce: 1.2,
                swing: 1.3,
                sway: 3.6,
                hunch: 8.0,
                head: 10.0,
                out: 14.0,
                elbow: 12.0,
                sink: 0.03,
                width: 1.7,
                ..plain
            },
            Manner::Sneaky => Self {
                tempo: 0.75,
                stride: 0.85,
                size: 0.9,
                bounce: 0.5,
                lift: 2.0,
                swing: 0.3,
                hunch: 22.0,
                head: -6.0,
                shrug: 7.0,
                out: 5.0,
                elbow: 55.0,
                sink: 0.10,
                ..plain
            },
            Manner::Relaxed => Self {
                tempo: 0.88,
                stride: 0.96,
                size: 0.92,
                bounce: 1.1,
                swing: 0.95,
                sway: 1.5,
                hunch: 3.0,
                shrug: -3.0,
                ..plain
            },
            Manner::Energetic => Self {
                tempo: 1.2,
                stride: 1.08,
                size: 1.25,
                bounce: 1.6,
                lift: 1.4,
                swing: 1.5,
                hunch: -2.0,
                head: -4.0,
                elbow: 16.0,
                ..plain
            },
            Manner::Careful => Self {
                tempo: 0.7,
                stride: 0.72,
                size: 0.85,
                bounce: 0.5,
                lift: 1.5,
                swing: 0.5,
                hunch: 8.0,
                head: 14.0,
                out: 12.0,
                elbow: 22.0,
                sink: 0.04,
                width: 1.15,
                ..plain
            },
            Manner::Heavy => Self {
                tempo: 0.78,
                stride: 0.9,
                size: 1.05,
                bounce: 1.5,
                lift: 0.9,
                swing: 0.9,
                sway: 2.3,
                hunch: 8.0,
                head: 2.0,
                shrug: 2.0,
                out: 15.0,
                elbow: 8.0,
                sink: 0.03,
                width: 1.6,
                ..plain
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Action;

    #[test]
    fn a_tired_person_is_slower_and_bent() {
        let taste = Taste::of(Seed(1));
        let mut act = Act::new(Action::Walk);
        let usual = Style::of(&act, &taste);
        act.manners.push(Manner::Tired);
        let tired = Style::of(&act, &taste);
        assert!(tired.tempo < usual.tempo && tired.hunch > 0.2 && tired.stride < usual.stride);
    }
}
