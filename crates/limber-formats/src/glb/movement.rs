//! Reads the animations of a file as clips.

use std::{collections::HashMap, sync::Arc};

use glam::{Mat4, Quat, Vec3, Vec4};
use gltf::json::{
    self,
    animation::{Animation, Interpolation, Property},
    validation::Checked::Valid,
};
use limber_animation::{ARKIT_SHAPES, Clip, Face, Fps, Pose, Skeleton};

use super::{MAX_ANIMATION_S, accessor::Data, clip_notes};
use crate::model::{MAX_MORPHS, Node, ReadError, Tree, damaged};

/// Maximum number of joint transforms in one animation.
const MAX_KEYS: usize = 20_000_000;

/// The keys of one property of a node. Cubic spline keys have three values each.
struct Track {
    times: Vec<f32>,
    values: Vec<Vec4>,
    interpolation: Interpolation,
}

/// All keys of an animation, by node.
#[derive(Default)]
pub(super) struct Tracks {
    translations: HashMap<usize, Track>,
    rotations: HashMap<usize, Track>,
    scales: HashMap<usize, Track>,
    /// For nodes with a mesh, one track per morph target.
    shapes: HashMap<usize, Vec<Track>>,
    /// Whether the last key is a closing key and not a separate frame.
    closed: bool,
}

impl Tracks {
    /// Returns the nodes that the animation transforms.
    pub(super) fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        let lists = [&self.translations, &self.rotations, &self.scales];
        lists.into_iter().flat_map(|list| list.keys()).copied()
    }

    /// Whether the animation rotates or translates nodes, which is what a clip can represent.
    pub(super) fn turns(&self) -> bool {
        !self.translations.is_empty() || !self.rotations.is_empty()
    }

    /// Whether nothing is animated.
    pub(super) fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }

    /// Returns the local transform of a node at a time in seconds.
    pub(super) fn local(&self, place: usize, node: &Node, time: f32) -> Mat4 {
        let vector = |list: &HashMap<usize, Track>, rest: Vec3| {
            list.get(&place).map_or(rest, |track| track.translation(time))
        };
        let rotation =
            self.rotations.get(&place).map_or(node.rotation, |track| track.rotation(time));
        Mat4::from_scale_rotation_translation(
            vector(&self.scales, node.scale),
            rotation,
            vector(&self.translations, node.translation),
        )
    }

    /// Returns the morph target weights of a node's mesh at a time; `None` if they are not
    /// animated.
    pub(super) fn weights(&self, node: usize, time: f32) -> Option<Vec<f32>> {
        let shapes = self.shapes.get(&node)?;
        Some(shapes.iter().map(|track| track.weight(time)).collect())
    }

    /// Returns the time of the last key, in seconds.
    pub(super) fn end(&self) -> f32 {
        self.all().map(|track| track.times[track.times.len() - 1]).fold(0.0, f32::max)
    }

    /// Returns the extent of a node's translation.
    pub(super) fn travel(&self, node: usize) -> f32 {
        let Some(track) = self.translations.get(&node) else { return 0.0 };
        let least = track.values.iter().copied().reduce(Vec4::min).unwrap_or_default();
        let most = track.values.iter().copied().reduce(Vec4::max).unwrap_or_default();
        (most - least).length()
    }

    fn all(&self) -> impl Iterator<Item = &Track> {
        let nodes = [&self.translations, &self.rotations, &self.scales];
        let moved = nodes.into_iter().flat_map(|list| list.values());
        moved.chain(self.shapes.values().flatten())
    }
}

/// Reads the keys of an animation.
pub(super) fn tracks(data: &Data, animation: &Animation) -> Result<Tracks, ReadError> {
    let closed = clip_notes::closed(&animation.extras);
    let mut tracks = Tracks { closed, ..Tracks::default() };
    for channel in &animation.channels {
        let node = channel.target.node.value();
        if node >= data.root.nodes.len() {
            return Err(damaged("an animation moves a node that does not exist"));
        }
        let sampler = animation
            .samplers
            .get(channel.sampler.value())
            .ok_or_else(|| damaged("an animation refers to keys that do not exist"))?;
        match &channel.target.path {
            Valid(Property::Translation) => {
                tracks.translations.insert(node, track::<3>(data, sampler)?);
            }
            Valid(Property::Rotation) => {
                tracks.rotations.insert(node, track::<4>(data, sampler)?);
            }
            Valid(Property::Scale) => {
                tracks.scales.insert(node, track::<3>(data, sampler)?);
            }
            Valid(Property::MorphTargetWeights) => {
                tracks.shapes.insert(node, shape_tracks(data, sampler)?);
            }
            _ => {}
        }
    }
    Ok(tracks)
}

/// Reads morph target weights. Within each key, weights are stored target by target; cubic spline
/// keys store all in-tangents, then all values, then all out-tangents.
fn shape_tracks(data: &Data, sampler: &json::animation::Sampler) -> Result<Vec<Track>, ReadError> {
    let (times, interpolation) = times(data, sampler)?;
    let numbers = data.floats::<1>(sampler.output)?;
    let rows = times.len() * if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let shapes = numbers.len() / rows;
    if shapes > MAX_MORPHS {
        return Err(ReadError::TooLarge("morph targets of one mesh", MAX_MORPHS));
    }
    let of_shape = |shape: usize| {
        let values = (0..rows).map(|row| Vec4::X * numbers[row * shapes + shape][0]).collect();
        checked(Track { times: times.clone(), values, interpolation })
    };
    (0..shapes).map(of_shape).collect()
}

fn track<const N: usize>(
    data: &Data,
    sampler: &json::animation::Sampler,
) -> Result<Track, ReadError> {
    let (times, interpolation) = times(data, sampler)?;
    let values: Vec<Vec4> = data
        .floats::<N>(sampler.output)?
        .into_iter()
        .map(|row| Vec4::from_array(std::array::from_fn(|at| row.get(at).copied().unwrap_or(0.0))))
        .collect();
    checked(Track { times, values, interpolation })
}

/// Reads the times of the keys: at least one, in ascending order.
fn times(
    data: &Data,
    sampler: &json::animation::Sampler,
) -> Result<(Vec<f32>, Interpolation), ReadError> {
    let Valid(interpolation) = sampler.interpolation else {
        return Err(damaged("an animation has an unknown kind of interpolation"));
    };
    let times: Vec<f32> = data.floats::<1>(sampler.input)?.into_iter().map(|[time]| time).collect();
    let ordered = times.windows(2).all(|pair| pair[0] <= pair[1]);
    let usable = times.iter().all(|time| time.is_finite() && *time >= 0.0);
    match times.last() {
        Some(last) if *last > MAX_ANIMATION_S => {
            Err(ReadError::TooLarge("seconds of animation", MAX_ANIMATION_S as usize))
        }
        Some(_) if ordered && usable => Ok((times, interpolation)),
        _ => Err(damaged("the keys of an animation are invalid")),
    }
}

fn checked(track: Track) -> Result<Track, ReadError> {
    let per_key = if track.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let finite = track.values.iter().all(|value| value.is_finite());
    if finite && track.values.len() >= track.times.len() * per_key {
        Ok(track)
    } else {
        Err(damaged("the keys of an animation are invalid"))
    }
}

impl Track {
    /// Returns the index of the last key at or before a time, and the fraction of the way to the
    /// next.
    fn find(&self, time: f32) -> (usize, f32) {
        // tolerance for the rounding of key and frame times
        const SAME_S: f32 = 1e-5;
        let after = self.times.partition_point(|key| *key <= time + SAME_S);
        if after == 0 {
            return (0, 0.0);
        }
        let before = after - 1;
        let start = self.times[before];
        let span = self.times.get(after).map_or(0.0, |next| next - start);
        let passed = time - start;
        if passed <= SAME_S || span <= 0.0 { (before, 0.0) } else { (before, passed / span) }
    }

    fn translation(&self, time: f32) -> Vec3 {
        let (key, share) = self.find(time);
        match self.interpolation {
            Interpolation::Linear if share > 0.0 => {
                self.values[key].lerp(self.values[key + 1], share).truncate()
            }
            Interpolation::CubicSpline => self.cubic(key, share).truncate(),
            Interpolation::Linear | Interpolation::Step => self.values[key].truncate(),
        }
    }

    /// Returns the value of a track of single numbers, such as morph target weights.
    fn weight(&self, time: f32) -> f32 {
        self.translation(time).x
    }

    fn rotation(&self, time: f32) -> Quat {
        let (key, share) = self.find(time);
        let turn = |value: Vec4| {
            let turn = Quat::from_vec4(value);
            let length = turn.length();
            if (length - 1.0).abs() < 1e-6 {
                turn
            } else if length > 1e-6 {
                turn.normalize()
            } else {
                Quat::IDENTITY
            }
        };
        match self.interpolation {
            Interpolation::Linear if share > 0.0 => {
                let (from, to) = (turn(self.values[key]), turn(self.values[key + 1]));
                from.slerp(if from.dot(to) < 0.0 { -to } else { to }, share).normalize()
            }
            Interpolation::CubicSpline => turn(self.cubic(key, share)),
            Interpolation::Linear | Interpolation::Step => turn(self.values[key]),
        }
    }

    /// Evaluates a Hermite spline (glTF 2.0, appendix C). Each key consists of in-tangent, value
    /// and out-tangent.
    fn cubic(&self, key: usize, share: f32) -> Vec4 {
        let value = self.values[key * 3 + 1];
        if share <= 0.0 {
            return value;
        }
        let span = self.times[key + 1] - self.times[key];
        let (leave, arrive) = (self.values[key * 3 + 2] * span, self.values[key * 3 + 3] * span);
        let next = self.values[key * 3 + 4];
        let (t, t2, t3) = (share, share * share, share * share * share);
        value * (2.0 * t3 - 3.0 * t2 + 1.0)
            + leave * (t3 - 2.0 * t2 + t)
            + next * (3.0 * t2 - 2.0 * t3)
            + arrive * (t3 - t2)
    }
}

/// Returns a frame rate at which every key of an evenly spaced animation is on a frame, otherwise
/// 30 fps. Rates below 24 are multiplied, because motion between frames is interpolated.
pub(super) fn rate(tracks: &Tracks) -> Fps {
    const FEWEST: u16 = 24;
    let keys = rate_of_keys(tracks).get();
    Fps::new(keys * FEWEST.div_ceil(keys)).unwrap_or(Fps::DEFAULT)
}

fn rate_of_keys(tracks: &Tracks) -> Fps {
    let longest = tracks.all().max_by_key(|track| track.times.len());
    let even = longest.filter(|track| track.times.len() > 1).and_then(|track| {
        let (first, count) = (track.times[0], track.times.len());
        let step = (track.times[count - 1] - first) / (count - 1) as f32;
        let per_second = (1.0 / step).round();
        let spaced = track.times.iter().enumerate().all(|(at, time)| {
            (time - first - at as f32 / per_second).abs() < 1e-3 / per_second.max(1.0)
        });
        let near = (first * per_second).round() / per_second;
        (spaced && (1.0..=240.0).contains(&per_second) && (first - near).abs() < 1e-4)
            .then(|| Fps::new(per_second as u16))
            .flatten()
    });
    even.unwrap_or(Fps::DEFAULT)
}

/// Samples the animation as poses of the skeleton whose joints are `nodes`. Only the hips
/// translate; other joints keep their rest translation, as in all of Limber.
pub(super) fn clip(
    tracks: &Tracks,
    tree: &Tree,
    nodes: &[usize],
    skeleton: &Arc<Skeleton>,
    faces: &[MeshFace],
) -> Result<Clip, ReadError> {
    let fps = rate(tracks);
    let steps = (tracks.end() * fps.per_second()).round() as usize;
    let frames = if tracks.closed { steps.max(1) } else { steps + 1 };
    if frames.saturating_mul(nodes.len()) > MAX_KEYS {
        return Err(ReadError::TooLarge("animation keys", MAX_KEYS));
    }
    let poses = (0..frames)
        .map(|frame| {
            let time = frame as f32 / fps.per_second();
            let mut pose = pose(tracks, tree, nodes, skeleton, time);
            pose.face = face(tracks, faces, time);
            pose
        })
        .collect();
    Clip::new(Arc::clone(skeleton), fps, poses).map_err(|error| damaged(error.to_string()))
}

/// A mesh with facial blend shapes: its node, and the ARKit shape of each morph target.
pub(super) struct MeshFace {
    pub(super) node: usize,
    pub(super) shapes: Vec<Option<usize>>,
}

/// Returns the facial expression at a time; if several meshes have the same shape, the largest
/// weight counts.
fn face(tracks: &Tracks, faces: &[MeshFace], time: f32) -> Face {
    let moving = faces.iter().filter_map(|face| Some((face, tracks.shapes.get(&face.node)?)));
    let mut weights: Option<[f32; ARKIT_SHAPES.len()]> = None;
    for (face, shapes) in moving {
        let weights = weights.get_or_insert([0.0; ARKIT_SHAPES.len()]);
        for (shape, track) in face.shapes.iter().zip(shapes) {
            if let Some(shape) = shape {
                weights[*shape] = weights[*shape].max(track.weight(time));
            }
        }
    }
    weights.map_or(Face::UNKNOWN, Face::new)
}

fn pose(tracks: &Tracks, tree: &Tree, nodes: &[usize], skeleton: &Skeleton, time: f32) -> Pose {
    let rotations = nodes
        .iter()
        .map(|node| match tracks.rotations.get(node) {
            Some(track) => track.rotation(time),
            None => tree.nodes[*node].rotation,
        })
        .collect();
    let mut pose = Pose { hips_translation: Vec3::ZERO, rotations, face: Face::UNKNOWN };
    pose.hips_translation = hips_translation(tracks, tree, nodes, skeleton, &pose, time);
    pose
}

fn hips_translation(
    tracks: &Tracks,
    tree: &Tree,
    nodes: &[usize],
    skeleton: &Skeleton,
    pose: &Pose,
    time: f32,
) -> Vec3 {
    let node = nodes[skeleton.hips().get()];
    let mut chain = vec![node];
    while let Some(parent) = tree.parent(chain[chain.len() - 1]) {
        chain.push(parent);
    }
    let moved = |node: &usize| match tracks.translations.get(node) {
        Some(track) => track.translation(time),
        None => tree.nodes[*node].translation,
    };
    let still_above = chain[1..].iter().all(|above| !tracks.translations.contains_key(above));
    if tree.plain[node] && still_above {
        return moved(&node);
    }
    // Translation and scale of the nodes above the hips are folded into the hips' translation.
    let world = chain.iter().rev().fold(Mat4::IDENTITY, |world, node| {
        let turned = tracks
            .rotations
            .get(node)
            .map_or(tree.nodes[*node].rotation, |track| track.rotation(time));
        let scale = tree.nodes[*node].scale;
        world * Mat4::from_scale_rotation_translation(scale, turned, moved(node))
    });
    let position = world.w_axis.truncate();
    match skeleton.joint(skeleton.hips()).parent {
        None => position,
        Some(parent) => {
            let above = skeleton.world(pose);
            above.rotation(parent).inverse() * (position - above.position(parent))
        }
    }
}
