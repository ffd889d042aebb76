//! Foot plans: when and where each foot is planted, and the swings in between.
//!
//! A plant is one contact of a foot with the floor. It may start on the heel (toes up) or on the
//! ball (heel up), is flat for a while and ends by rolling off over the ball (or, walking
//! backwards, over the heel). The pivot point of the foot stays exactly where it is, so that feet
//! cannot slide.

mod spin;
mod swing_shape;

use glam::{Quat, Vec2, Vec3};
use limber_animation::{
    maths::{powf, sin},
    smooth::smoothstep,
};
pub(super) use spin::Spin;
pub(super) use swing_shape::SwingShape;

/// Height of the ankle above the floor when the foot is flat, as on the canonical skeleton, metres.
pub(super) const ANKLE_HEIGHT: f32 = 0.085;
/// Offset from the ankle to the ball of the foot, in the foot's space, as on the canonical
/// skeleton.
pub(super) const BALL: Vec3 = Vec3::new(0.0, -0.065, 0.135);
/// Offset from the ankle to the contact point of the heel.
pub(super) const HEEL: Vec3 = Vec3::new(0.0, -ANKLE_HEIGHT, -0.045);
/// Offset from the ankle to the tip of straight toes.
pub(super) const TOE_TIP: Vec3 = Vec3::new(0.0, -0.085, 0.205);
/// Height of the ball joint above the sole, metres.
const SOLE_M: f32 = 0.02;
/// If the ball of a foot is lower than this, the toes are bent under, metres.
const TUCKED_BELOW_M: f32 = 0.06;
/// Time after landing and before take-off over which the leg has to reach its foot, seconds.
const BEARING_FADE_S: f32 = 0.10;
/// The same before and after a flight phase.
const FLIGHT_FADE_S: f32 = 0.12;

/// Time after take-off and before landing over which a limp foot becomes free, seconds.
const LIMP_FADE_S: f32 = 0.14;

/// The movement of a foot to a plant.
#[derive(Debug, Clone)]
pub(super) struct Swing {
    /// Deviation from the default trajectory.
    pub(super) shape: SwingShape,
    /// Height of the ankle above the straight line, metres.
    pub(super) lift: f32,
    /// Time of maximum height during the swing, 0 to 1.
    pub(super) peak: f32,
    /// Positions that the ankle passes through instead, for kicks.
    pub(super) through: Vec<Waypoint>,
    /// Whether the whole body is in the air, so that the foot rises and falls freely with it.
    pub(super) in_flight: bool,
    /// Whether the foot keeps its angle to the shin, for legs overhead.
    pub(super) limp: bool,
    /// How far the knee points outwards: 0 as the toes do, 1 to the side.
    pub(super) knee_out: f32,
}

/// A position of the ankle at a time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waypoint {
    pub(super) time_s: f32,
    pub(super) ankle: Vec3,
    /// Pitch of the foot, radians, toes down positive.
    pub(super) pitch: f32,
}

impl Swing {
    /// A swing just above the floor.
    pub(super) const fn low(lift: f32) -> Self {
        Self {
            shape: SwingShape::EVEN,
            lift,
            peak: 0.4,
            through: Vec::new(),
            in_flight: false,
            limp: false,
            knee_out: 0.0,
        }
    }

    /// A swing in a jump, together with the whole body.
    pub(super) fn jump(lift: f32) -> Self {
        Self { peak: 0.5, in_flight: true, ..Self::low(lift) }
    }

    /// A swing through given positions.
    pub(super) fn through(waypoints: Vec<Waypoint>) -> Self {
        Self { peak: 0.5, through: waypoints, ..Self::low(0.0) }
    }

    /// Additional height of the ankle at share `u` of the swing, 0 to 1.
    fn rise(&self, u: f32) -> f32 {
        if self.in_flight {
            self.lift * 4.0 * u * (1.0 - u)
        } else {
            self.lift * bump(u, self.peak)
        }
    }
}

/// One contact of a foot with the floor.
#[derive(Debug, Clone)]
pub(super) struct Plant {
    /// Time of first contact.
    pub(super) on_s: f32,
    /// Flat from this time …
    pub(super) flat_s: f32,
    /// … to this time.
    pub(super) rise_s: f32,
    /// Time of last contact.
    pub(super) off_s: f32,
    /// Position on the floor below the ankle when the foot is flat.
    pub(super) place: Vec2,
    /// Yaw of the foot from +Z to the left.
    pub(super) yaw: f32,
    /// Pitch at first contact, toes down positive; negative lands on the heel.
    pub(super) roll_in: f32,
    /// Pitch at last contact, toes down positive; negative leaves over the heel.
    pub(super) roll_out: f32,
    /// Pitch while it stands, toes down positive.
    pub(super) on_toes: f32,
    /// Time from first contact to full load.
    pub(super) load_s: f32,
    /// Time from the start of unloading to last contact.
    pub(super) unload_s: f32,
    /// The swing that leads to it.
    pub(super) arrival: Swing,
    /// For a foot held in the air instead: position of the ankle and pitch.
    pub(super) held_up: Option<(Vec3, f32)>,
    /// Pivoting while it stands.
    pub(super) spins: Vec<Spin>,
    /// Height of the floor; set by the track.
    pub(super) level: f32,
}

impl Plant {
    /// A foot that has been standing and has no further plans.
    pub(super) const fn standing(place: Vec2, yaw: f32) -> Self {
        Self {
            on_s: -10.0,
            flat_s: -9.9,
            rise_s: 1e6,
            off_s: 1e6 + 1.0,
            place,
            yaw,
            roll_in: 0.0,
            roll_out: 0.0,
            on_toes: 0.0,
            load_s: 0.1,
            unload_s: 0.1,
            arrival: Swing::low(0.0),
            held_up: None,
            spins: Vec::new(),
            level: 0.0,
        }
    }

    /// The same plant on a floor of this height.
    fn raised(mut self, level: f32) -> Self {
        self.level = level;
        if let Some((ankle, _)) = &mut self.held_up {
            ankle.y += level;
        }
        self.arrival.through.iter_mut().for_each(|waypoint| waypoint.ankle.y += level);
        self
    }

    fn pitch(&self, time_s: f32) -> f32 {
        if time_s < self.flat_s {
            let left = (self.flat_s - time_s) / (self.flat_s - self.on_s).max(1e-3);
            self.on_toes + (self.roll_in - self.on_toes) * powf(left.clamp(0.0, 1.0), 1.4)
        } else if time_s > self.rise_s {
            let done = (time_s - self.rise_s) / (self.off_s - self.rise_s).max(1e-3);
            self.on_toes + (self.roll_out - self.on_toes) * powf(done.clamp(0.0, 1.0), 1.9)
        } else {
            self.on_toes
        }
    }

    fn pose(&self, time_s: f32) -> FootPose {
        if let Some((ankle, pitch)) = self.held_up {
            let turn = Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(pitch);
            let ball_m = (ankle + turn * BALL).y - self.level;
            let on_toes = ball_m < TUCKED_BELOW_M && pitch < 1.9;
            return FootPose {
                ankle,
                yaw: self.yaw,
                pitch,
                toe_bend: if on_toes { -pitch.max(0.0) } else { 0.0 },
                heel_down: false,
                ball_down: false,
                bearing: 0.0,
                limp: 0.0,
                knee_out: 0.0,
            };
        }
        let pitch = self.pitch(time_s);
        if let Some(spin) = self.spins.iter().find(|spin| spin.risen(time_s) > 0.0) {
            return self.spinning(spin, pitch, time_s);
        }
        let flat = Vec3::new(self.place.x, self.level + ANKLE_HEIGHT, self.place.y);
        let facing = Quat::from_rotation_y(self.yaw);
        let pivot = if pitch > 0.0 { BALL } else { HEEL };
        let turn = facing * Quat::from_rotation_x(pitch);
        FootPose {
            ankle: flat + facing * pivot - turn * pivot,
            yaw: self.yaw,
            pitch,
            toe_bend: -pitch.max(0.0),
            heel_down: pitch == 0.0,
            ball_down: pitch >= 0.0,
            bearing: 1.0,
            limp: 0.0,
            knee_out: 0.0,
        }
    }

    fn load(&self, time_s: f32) -> f32 {
        if self.held_up.is_some() {
            return 0.0;
        }
        let rising = smoothstep((time_s - self.on_s) / self.load_s.max(1e-3));
        let falling = smoothstep((self.off_s - time_s) / self.unload_s.max(1e-3));
        rising.min(falling)
    }
}

/// The pose of a foot at one time.
#[derive(Debug, Clone, Copy)]
pub(super) struct FootPose {
    pub(super) ankle: Vec3,
    pub(super) yaw: f32,
    /// Pitch of the foot, toes down positive.
    pub(super) pitch: f32,
    /// Flexion of the toes relative to the foot, down positive.
    pub(super) toe_bend: f32,
    pub(super) heel_down: bool,
    pub(super) ball_down: bool,
    /// How strictly the leg must reach: 1 on the floor, 0 in the air.
    pub(super) bearing: f32,
    /// How far the foot keeps its angle to the shin, 0 to 1.
    pub(super) limp: f32,
    /// How far the knee points outwards, 0 to 1.
    pub(super) knee_out: f32,
}

impl FootPose {
    /// Raises a foot in the air so that no part of it is below the floor.
    fn above(mut self, floor: f32) -> Self {
        if !self.heel_down && !self.ball_down {
            let turn = self.rotation();
            let toes = turn * Quat::from_rotation_x(self.toe_bend) * (TOE_TIP - BALL);
            let ball = turn * BALL;
            let lowest = (turn * HEEL).y.min(ball.y - SOLE_M).min((ball + toes).y);
            self.ankle.y = self.ankle.y.max(floor - lowest);
        }
        self
    }

    /// World rotation of the foot.
    pub(super) fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(self.pitch)
    }
}

/// All plants of one foot, in order.
#[derive(Debug)]
pub(super) struct FootTrack {
    plants: Vec<Plant>,
    level: f32,
}

impl FootTrack {
    pub(super) fn new(place: Vec2, yaw: f32) -> Self {
        Self { plants: vec![Plant::standing(place, yaw)], level: 0.0 }
    }

    /// The last planned plant.
    pub(super) fn last(&self) -> &Plant {
        &self.plants[self.plants.len() - 1]
    }

    /// Lets the foot leave the floor.
    pub(super) fn leave(&mut self, rise_s: f32, off_s: f32, roll_out: f32, unload_s: f32) {
        let last = self.plants.len() - 1;
        let plant = &mut self.plants[last];
        plant.off_s = off_s.max(plant.flat_s + 0.02);
        plant.rise_s = rise_s.clamp(plant.flat_s, plant.off_s - 0.01);
        plant.roll_out = roll_out;
        plant.unload_s = unload_s;
    }

    /// Lets the foot pivot about its ball where it stands.
    pub(super) fn spin(&mut self, spin: Spin) {
        let last = self.plants.len() - 1;
        self.plants[last].spins.push(spin);
    }

    /// Raises the floor on which the foot lands from now on.
    pub(super) fn climb(&mut self, by: f32) {
        self.level += by;
    }

    /// The lowest floor on which the foot stands.
    pub(super) fn lowest_level(&self) -> f32 {
        self.plants.iter().map(|plant| plant.level).fold(f32::MAX, f32::min)
    }

    /// Plants the foot again. [`Self::leave`] must come first.
    pub(super) fn land(&mut self, plant: Plant) {
        let plant = plant.raised(self.level);
        // in a very tight schedule, every foot still leaves the floor for a moment
        let late = (self.last().off_s + 0.06 - plant.on_s).max(0.0);
        self.plants.push(Plant { on_s: plant.on_s + late, flat_s: plant.flat_s + late, ..plant });
    }

    /// Continues to another position in the air without stopping at the last one, where the foot is
    /// held up.
    pub(super) fn pass(&mut self, plant: Plant) {
        let held_up = self.last().held_up;
        let (Some((ankle, pitch)), true) = (held_up, self.plants.len() > 1) else {
            return self.land(plant);
        };
        let Some(passed) = self.plants.pop() else { return };
        let mut through = passed.arrival.through;
        through.push(Waypoint { time_s: passed.on_s, ankle, pitch });
        let plant = plant.raised(self.level);
        self.plants.push(Plant { arrival: Swing::through(through), ..plant });
    }

    /// Share of the body's weight on this foot at a time, 0 to 1.
    pub(super) fn load(&self, time_s: f32) -> f32 {
        self.plants.iter().map(|plant| plant.load(time_s)).fold(0.0, f32::max)
    }

    /// The pose of the foot at a time.
    pub(super) fn pose(&self, time_s: f32) -> FootPose {
        let next = self.plants.partition_point(|plant| plant.on_s <= time_s);
        let before = &self.plants[next.saturating_sub(1)];
        let (pose, floor) = match self.plants.get(next) {
            Some(after) if time_s > before.off_s => {
                (swing(before, after, time_s), before.level.min(after.level))
            }
            _ => (before.pose(time_s.min(before.off_s)), before.level),
        };
        pose.above(floor)
    }
}

/// The foot in the air. Its velocity matches that of the plants at both ends.
fn swing(from: &Plant, to: &Plant, time_s: f32) -> FootPose {
    const STEP_S: f32 = 0.01;
    let duration = (to.on_s - from.off_s).max(1e-3);
    let u = (time_s - from.off_s) / duration;
    let (start, end) = (from.pose(from.off_s), to.pose(to.on_s));
    let leaving = from.pose(from.off_s - STEP_S);
    let landing = to.pose(to.on_s + STEP_S);
    let rate = duration / STEP_S;

    let pitch = if to.arrival.through.is_empty() {
        let off_rate = ((start.pitch - leaving.pitch) * rate).clamp(-1.3, 1.3);
        let on_rate = ((landing.pitch - end.pitch) * rate).clamp(-1.2, 1.2);
        hermite(start.pitch, off_rate, end.pitch, on_rate, u)
            + SwingShape::at(to.arrival.shape.pitch, u)
    } else {
        along(&to.arrival.through, (from.off_s, start.pitch), (to.on_s, end.pitch), time_s, |w| {
            w.pitch
        })
    };
    let mut ankle = if to.arrival.through.is_empty() {
        let off_rate = ((start.ankle - leaving.ankle) * rate).clamp_length_max(0.8);
        let on_rate = ((landing.ankle - end.ankle) * rate).clamp_length_max(0.5);
        Vec3::from_array(std::array::from_fn(|axis| {
            hermite(start.ankle[axis], off_rate[axis], end.ankle[axis], on_rate[axis], u)
        })) + Vec3::Y * (to.arrival.rise(u) + SwingShape::at(to.arrival.shape.up_m, u))
            + (end.ankle - start.ankle).with_y(0.0) * SwingShape::at(to.arrival.shape.along, u)
    } else {
        Vec3::from_array(std::array::from_fn(|axis| {
            let (a, b) = ((from.off_s, start.ankle[axis]), (to.on_s, end.ankle[axis]));
            along(&to.arrival.through, a, b, time_s, |waypoint| waypoint.ankle[axis])
        }))
    };
    let yaw = from.yaw + shortest_angle(to.yaw - from.yaw) * smoothstep(u);
    let lifted = from.held_up.is_some() || to.held_up.is_some();
    let floor = from.level + (to.level - from.level) * smoothstep(u);
    ankle.y += clearance(ankle - Vec3::Y * floor, yaw, pitch, u, lifted);
    let since = if from.held_up.is_some() { 1e3 } else { time_s - from.off_s };
    let until = if to.held_up.is_some() { 1e3 } else { to.on_s - time_s };
    let free = smoothstep((since / LIMP_FADE_S).min(until / (1.5 * LIMP_FADE_S)));
    FootPose {
        ankle,
        yaw,
        pitch,
        toe_bend: start.toe_bend * smoothstep(1.0 - u / 0.45)
            + end.toe_bend * smoothstep(2.5 * u - 1.5),
        heel_down: false,
        ball_down: false,
        bearing: if to.arrival.in_flight {
            // in flight, the body leaves the floor with extended legs and lands with legs ready to
            // absorb
            smoothstep(1.0 - since.min(until) / FLIGHT_FADE_S)
        } else {
            (1.0 - since.min(until) / BEARING_FADE_S).clamp(0.0, 1.0)
        },
        limp: if to.arrival.limp { free } else { 0.0 },
        knee_out: to.arrival.knee_out * smoothstep(since.min(until) / 0.25),
    }
}

/// How much the foot has to be raised for ball and heel to clear the floor.
fn clearance(ankle: Vec3, yaw: f32, pitch: f32, u: f32, lifted: bool) -> f32 {
    let turn = Quat::from_rotation_y(yaw) * Quat::from_rotation_x(pitch);
    let rounded = (4.0 * u * (1.0 - u)).clamp(0.0, 1.0).sqrt();
    let ball = (ankle + turn * BALL).y - SOLE_M;
    let heel = (ankle + turn * HEEL).y;
    // coming down from behind a knee, the toes are lowest
    let toes = if lifted { (ankle + turn * TOE_TIP).y } else { ball };
    let missing = 0.022 * rounded - ball.min(heel).min(toes);
    // a smooth maximum instead of max(0, missing)
    let soft = 0.008 * rounded;
    0.5 * (missing + (missing * missing + soft * soft).sqrt()) * rounded.min(1.0)
}

fn hermite(from: f32, from_rate: f32, to: f32, to_rate: f32, u: f32) -> f32 {
    let (u2, u3) = (u * u, u * u * u);
    from * (2.0 * u3 - 3.0 * u2 + 1.0)
        + from_rate * (u3 - 2.0 * u2 + u)
        + to * (3.0 * u2 - 2.0 * u3)
        + to_rate * (u3 - u2)
}

/// 0 at both ends with zero velocity, 1 at `peak`.
fn bump(u: f32, peak: f32) -> f32 {
    let u = u.clamp(0.0, 1.0);
    let warped = if u < peak { 0.5 * u / peak } else { 0.5 + 0.5 * (u - peak) / (1.0 - peak) };
    sin(std::f32::consts::PI * warped).powi(2)
}

/// Monotone cubic interpolation of the waypoints (Fritsch & Carlson 1980), at rest at both ends.
fn along(
    waypoints: &[Waypoint],
    start: (f32, f32),
    end: (f32, f32),
    time_s: f32,
    value: impl Fn(&Waypoint) -> f32,
) -> f32 {
    let mut keys = Vec::with_capacity(waypoints.len() + 2);
    keys.push(start);
    keys.extend(waypoints.iter().map(|waypoint| (waypoint.time_s, value(waypoint))));
    keys.push(end);
    let slope = |i: usize| (keys[i + 1].1 - keys[i].1) / (keys[i + 1].0 - keys[i].0).max(1e-3);
    let tangent = |i: usize| {
        if i == 0 || i + 1 == keys.len() {
            return 0.0;
        }
        let (a, b) = (slope(i - 1), slope(i));
        if a * b <= 0.0 { 0.0 } else { 2.0 * a * b / (a + b) }
    };
    let i = (0..keys.len() - 2).find(|i| time_s < keys[i + 1].0).unwrap_or(keys.len() - 2);
    let span = (keys[i + 1].0 - keys[i].0).max(1e-3);
    let u = ((time_s - keys[i].0) / span).clamp(0.0, 1.0);
    hermite(keys[i].1, tangent(i) * span, keys[i + 1].1, tangent(i + 1) * span, u)
}

/// The angle wrapped to between −π and π.
pub(super) fn shortest_angle(angle: f32) -> f32 {
    let turn = std::f32::consts::TAU;
    let wrapped = angle.rem_euclid(turn);
    if wrapped > turn / 2.0 { wrapped - turn } else { wrapped }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walking_foot() -> FootTrack {
        let mut track = FootTrack::new(Vec2::ZERO, 0.0);
        track.leave(0.3, 0.5, 0.9, 0.2);
        track.land(Plant {
            on_s: 0.9,
            flat_s: 1.0,
            roll_in: -0.3,
            arrival: Swing::low(0.03),
            ..Plant::standing(Vec2::new(0.0, 1.4), 0.1)
        });
        track
    }

    #[test]
    fn a_foot_rolls_off_about_a_ball_that_does_not_move() {
        let track = walking_foot();
        let ball = |time_s| {
            let pose: FootPose = track.pose(time_s);
            pose.ankle + pose.rotation() * BALL
        };
        for step in 0..10 {
            assert!(ball(0.3).distance(ball(0.3 + 0.02 * step as f32)) < 1e-5);
        }
        assert!(track.pose(0.49).ankle.y > 0.14);
    }

    #[test]
    fn a_swing_connects_plants_without_a_jump() {
        let track = walking_foot();
        for edge in [0.5, 0.9] {
            let (before, after) = (track.pose(edge - 1e-3), track.pose(edge + 1e-3));
            assert!(before.ankle.distance(after.ankle) < 0.01, "{edge}");
            assert!((before.pitch - after.pitch).abs() < 0.05, "{edge}");
        }
    }

    #[test]
    fn the_ball_stays_above_the_floor_in_the_air() {
        let track = walking_foot();
        for step in 0..=40 {
            let pose = track.pose(0.5 + 0.01 * step as f32);
            assert!((pose.ankle + pose.rotation() * BALL).y > 0.015);
        }
    }
}
