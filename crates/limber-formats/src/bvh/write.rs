//! Writes BVH.

use std::{collections::HashSet, f64::consts::PI, fmt::Write as _};

use glam::{DQuat, DVec3, EulerRot};
use limber_animation::{Clip, JointIndex, Skeleton, WorldPose};

use super::BvhError;
use crate::keyed::{self, RootTrack};

/// Options for writing a BVH.
#[derive(Debug, Clone)]
pub struct BvhOptions {
    /// File units per metre: 100 for centimetres.
    pub scale: f32,
    /// The pose in which all rotations are zero; `None` for the skeleton's rest pose. Pass the
    /// T-pose of characters that do not rest in T-pose.
    pub zero_pose: Option<WorldPose>,
    /// The motion of a joint `root` to add above the hips.
    pub root: Option<RootTrack>,
}

impl Default for BvhOptions {
    fn default() -> Self {
        Self { scale: 100.0, zero_pose: None, root: None }
    }
}

/// A joint in file order: depth-first, parents before children.
struct Row {
    name: String,
    parent: Option<usize>,
    depth: usize,
    offset: DVec3,
    /// `None` for the extra root.
    source: Option<JointIndex>,
    moves: bool,
    leaf: bool,
}

/// Writes the hips and all joints below them.
///
/// # Errors
/// See [`BvhError`].
pub fn write(skeleton: &Skeleton, clip: &Clip, options: &BvhOptions) -> Result<String, BvhError> {
    if clip.skeleton().as_ref() != skeleton {
        return Err(BvhError::OtherSkeleton);
    }
    if options.root.as_ref().is_some_and(|root| !root.fits(clip)) {
        return Err(BvhError::RootLength);
    }
    if !options.scale.is_finite() || options.scale <= 0.0 {
        return Err(BvhError::BadScale);
    }
    let zero = options.zero_pose.clone().unwrap_or_else(|| skeleton.rest_world());
    let rows = rows(skeleton, &zero, options.root.is_some());
    let scale = f64::from(options.scale);
    let mut text = String::from("HIERARCHY\n");
    hierarchy(&rows, scale, &mut text);
    let frame_time = 1.0 / f64::from(clip.fps().get());
    let _ = writeln!(text, "MOTION\nFrames: {}\nFrame Time: {frame_time:.8}", clip.len());
    motion(&rows, clip, &zero, options, &mut text);
    Ok(text)
}

fn rows(skeleton: &Skeleton, zero: &WorldPose, with_root: bool) -> Vec<Row> {
    let mut names = HashSet::new();
    let mut rows = Vec::new();
    let mut waiting = vec![(skeleton.hips(), None)];
    if with_root {
        rows.push(Row {
            name: plain_name(&root_name(skeleton), &mut names),
            parent: None,
            depth: 0,
            offset: DVec3::ZERO,
            source: None,
            moves: true,
            leaf: false,
        });
        waiting = vec![(skeleton.hips(), Some(0))];
    }
    while let Some((joint, parent)) = waiting.pop() {
        let place = rows.len();
        let children =
            skeleton.indices().rev().filter(|child| skeleton.joint(*child).parent == Some(joint));
        let before = waiting.len();
        waiting.extend(children.map(|child| (child, Some(place))));
        let moves = joint == skeleton.hips();
        let offset = match skeleton.joint(joint).parent {
            Some(above) if !moves => (zero.position(joint) - zero.position(above)).as_dvec3(),
            _ => DVec3::ZERO,
        };
        rows.push(Row {
            name: plain_name(&skeleton.joint(joint).name, &mut names),
            parent,
            depth: parent.map_or(0, |parent: usize| rows[parent].depth + 1),
            offset,
            source: Some(joint),
            moves,
            leaf: waiting.len() == before,
        });
    }
    rows
}

/// Returns a name that no joint of the character has, including joints above the hips, which are
/// not written.
fn root_name(skeleton: &Skeleton) -> String {
    let names: Vec<&str> =
        skeleton.indices().map(|joint| skeleton.joint(joint).name.as_str()).collect();
    keyed::root_name(&names)
}

/// Returns a unique name without white space and braces.
fn plain_name(name: &str, taken: &mut HashSet<String>) -> String {
    let swap =
        |c: char| if c.is_whitespace() || c.is_control() || "{}".contains(c) { '_' } else { c };
    let wanted: String = name.chars().map(swap).collect();
    let wanted = if wanted.is_empty() { "joint".to_owned() } else { wanted };
    let mut unique = wanted.clone();
    let mut number = 2;
    while !taken.insert(unique.clone()) {
        unique = format!("{wanted}_{number}");
        number += 1;
    }
    unique
}

fn hierarchy(rows: &[Row], scale: f64, text: &mut String) {
    let mut open = 0;
    for (place, row) in rows.iter().enumerate() {
        close_down_to(row.depth, &mut open, text);
        let tabs = "\t".repeat(row.depth);
        let kind = if place == 0 { "ROOT" } else { "JOINT" };
        let channels = if row.moves {
            "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
        } else {
            "3 Zrotation Xrotation Yrotation"
        };
        let _ = write!(text, "{tabs}{kind} {}\n{tabs}{{\n{tabs}\tOFFSET ", row.name);
        triple(text, row.offset * scale);
        let _ = write!(text, "\n{tabs}\tCHANNELS {channels}\n");
        open = row.depth + 1;
        if row.leaf {
            let _ = write!(text, "{tabs}\tEnd Site\n{tabs}\t{{\n{tabs}\t\tOFFSET ");
            triple(text, end_offset(row.offset) * scale);
            let _ = write!(text, "\n{tabs}\t}}\n");
        }
    }
    close_down_to(0, &mut open, text);
}

fn close_down_to(depth: usize, open: &mut usize, text: &mut String) {
    while *open > depth {
        *open -= 1;
        let _ = writeln!(text, "{}}}", "\t".repeat(*open));
    }
}

/// Returns the offset of the end site: half the length of the leaf's own offset in the same
/// direction, which suits fingertips.
fn end_offset(offset: DVec3) -> DVec3 {
    if offset.length() > 1e-4 { offset * 0.5 } else { DVec3::new(0.0, 0.05, 0.0) }
}

fn triple(text: &mut String, value: DVec3) {
    for (place, number) in value.to_array().into_iter().enumerate() {
        if place > 0 {
            text.push(' ');
        }
        decimal(text, number);
    }
}

/// Writes six decimals. Goes through integers for speed, because numbers are most of the text.
fn decimal(text: &mut String, number: f64) {
    const MILLION: f64 = 1e6;
    let millionths = (number * MILLION).round();
    if millionths.abs() < 1e15 {
        let whole = millionths.abs() as u64;
        let sign = if millionths < 0.0 { "-" } else { "" };
        let _ = write!(text, "{sign}{}.{:06}", whole / 1_000_000, whole % 1_000_000);
    } else {
        let _ = write!(text, "{number:.6}");
    }
}

fn motion(rows: &[Row], clip: &Clip, zero: &WorldPose, options: &BvhOptions, text: &mut String) {
    let scale = f64::from(options.scale);
    let mut last_angles: Vec<Option<DVec3>> = vec![None; rows.len()];
    for frame in 0..clip.len() {
        let world = keyed::world(clip, frame);
        let root = options.root.as_ref().map(|root| root.frame(frame));
        let places: Vec<(DVec3, DQuat)> = rows
            .iter()
            .map(|row| match (row.source, root) {
                (Some(joint), _) => {
                    let rest = zero.rotation(joint).as_dquat();
                    let turn = world.rotation(joint).as_dquat() * rest.inverse();
                    (world.position(joint).as_dvec3(), turn.normalize())
                }
                (None, Some((position, turn))) => {
                    (position.as_dvec3(), turn.as_dquat().normalize())
                }
                (None, None) => (DVec3::ZERO, DQuat::IDENTITY),
            })
            .collect();
        for (place, row) in rows.iter().enumerate() {
            let (position, turn) = places[place];
            let (above, carried) =
                row.parent.map_or((DVec3::ZERO, DQuat::IDENTITY), |parent| places[parent]);
            let back = carried.inverse();
            let angles = unwrapped(back * turn, last_angles[place]);
            last_angles[place] = Some(angles);
            if place > 0 {
                text.push(' ');
            }
            if row.moves {
                triple(text, back * (position - above) * scale);
                text.push(' ');
            }
            triple(text, angles);
        }
        text.push('\n');
    }
}

/// Returns Euler angles in degrees about Z, X and Y; of all equivalent triples the one nearest to
/// the previous frame.
fn unwrapped(turn: DQuat, last: Option<DVec3>) -> DVec3 {
    let (z, x, y) = turn.to_euler(EulerRot::ZXY);
    let first = DVec3::new(z, x, y);
    // the other triple for the same rotation
    let second = DVec3::new(z + PI, PI - x, y + PI);
    let degrees = |angles: DVec3| angles * (180.0 / PI);
    let Some(last) = last else { return degrees(first) };
    let near = |angles: DVec3| {
        let angles = degrees(angles);
        angles - ((angles - last) / 360.0).round() * 360.0
    };
    let (first, second) = (near(first), near(second));
    if (first - last).length_squared() <= (second - last).length_squared() { first } else { second }
}
