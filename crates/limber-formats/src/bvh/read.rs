//! Reads BVH.

use glam::{DQuat, DVec3};

use super::BvhError;

const MAX_BYTES: usize = 200 * 1024 * 1024;
const MAX_JOINTS: usize = 1000;

/// A channel: one value of a joint per frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Position along axis 0, 1 or 2, in file units.
    Position(usize),
    /// Rotation about axis 0, 1 or 2, in degrees.
    Rotation(usize),
}

/// A joint of a BVH. End sites are not listed.
#[derive(Debug, Clone, PartialEq)]
pub struct BvhJoint {
    /// The name in the file.
    pub name: String,
    /// Index of the parent, always smaller than the joint's own.
    pub parent: Option<usize>,
    /// Rest position relative to the parent, in file units.
    pub offset: DVec3,
    /// Channels in the file's order.
    pub channels: Vec<Channel>,
}

/// The content of a BVH file.
#[derive(Debug, Clone, PartialEq)]
pub struct Bvh {
    /// Joints; parents come before children.
    pub joints: Vec<BvhJoint>,
    /// Duration of a frame in seconds.
    pub frame_time_s: f64,
    /// For every frame, the values of all channels of all joints.
    pub frames: Vec<Vec<f64>>,
}

impl Bvh {
    /// Returns the world position of every joint in a frame, in file units. Position channels are
    /// added to offsets.
    ///
    /// # Panics
    /// If there is no such frame.
    #[must_use]
    pub fn world_positions(&self, frame: usize) -> Vec<DVec3> {
        self.world(frame).into_iter().map(|(place, _)| place).collect()
    }

    /// Returns the world position and rotation of every joint in a frame, in file units.
    pub(crate) fn world(&self, frame: usize) -> Vec<(DVec3, DQuat)> {
        let mut values = self.frames[frame].iter();
        let mut world: Vec<(DVec3, DQuat)> = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            let (mut place, mut turn) = (joint.offset, DQuat::IDENTITY);
            for (channel, value) in joint.channels.iter().zip(values.by_ref()) {
                match channel {
                    Channel::Position(axis) => place[*axis] += value,
                    Channel::Rotation(axis) => {
                        turn *= DQuat::from_axis_angle(DVec3::AXES[*axis], value.to_radians());
                    }
                }
            }
            world.push(match joint.parent.map(|parent| world[parent]) {
                Some((above, carried)) => (above + carried * place, carried * turn),
                None => (place, turn),
            });
        }
        world
    }
}

/// Words with their line numbers.
struct Words<'text> {
    words: Box<dyn Iterator<Item = (usize, &'text str)> + 'text>,
    line: usize,
}

impl<'text> Words<'text> {
    fn new(text: &'text str) -> Self {
        let words = text
            .lines()
            .enumerate()
            .flat_map(|(line, words)| words.split_whitespace().map(move |word| (line + 1, word)));
        Self { words: Box::new(words), line: 1 }
    }

    fn wrong(&self, problem: &'static str) -> BvhError {
        BvhError::Damaged { line: self.line, problem }
    }

    fn next(&mut self, problem: &'static str) -> Result<&'text str, BvhError> {
        let Some((line, word)) = self.words.next() else { return Err(self.wrong(problem)) };
        self.line = line;
        Ok(word)
    }

    fn expect(&mut self, wanted: &str, problem: &'static str) -> Result<(), BvhError> {
        let word = self.next(problem)?;
        if word.eq_ignore_ascii_case(wanted) { Ok(()) } else { Err(self.wrong(problem)) }
    }

    fn number(&mut self) -> Result<f64, BvhError> {
        let problem = "a finite number is missing";
        let value: f64 = self.next(problem)?.parse().map_err(|_| self.wrong(problem))?;
        if value.is_finite() { Ok(value) } else { Err(self.wrong(problem)) }
    }

    fn offset(&mut self) -> Result<DVec3, BvhError> {
        Ok(DVec3::new(self.number()?, self.number()?, self.number()?))
    }
}

/// Reads a BVH.
///
/// # Errors
/// See [`BvhError`].
pub fn read(text: &str) -> Result<Bvh, BvhError> {
    if text.len() > MAX_BYTES {
        return Err(BvhError::TooLarge("bytes"));
    }
    let mut words = Words::new(text);
    words.expect("HIERARCHY", "the file must start with HIERARCHY")?;
    words.expect("ROOT", "ROOT must follow")?;
    let joints = joints(&mut words)?;
    words.expect("Frames:", "`Frames:` must follow MOTION")?;
    let count = words.number()?;
    words.expect("Frame", "`Frame Time:` must follow")?;
    words.expect("Time:", "`Frame Time:` must follow")?;
    let frame_time_s = words.number()?;
    if frame_time_s <= 0.0 {
        return Err(words.wrong("the frame time must be positive"));
    }
    let width: usize = joints.iter().map(|joint| joint.channels.len()).sum();
    // A value takes at least two characters, so the length of the text limits the frame count.
    // Frames of a skeleton without channels have no text; they count as one value.
    if count < 0.0 || count.fract() != 0.0 || count * width.max(1) as f64 > text.len() as f64 {
        return Err(words.wrong("the number of frames does not match the contents of the file"));
    }
    let mut frames = Vec::with_capacity(count as usize);
    for _ in 0..count as usize {
        frames.push((0..width).map(|_| words.number()).collect::<Result<_, _>>()?);
    }
    Ok(Bvh { joints, frame_time_s, frames })
}

/// Reads everything from the root's name to the word MOTION.
fn joints(words: &mut Words) -> Result<Vec<BvhJoint>, BvhError> {
    let mut joints: Vec<BvhJoint> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut starts = true;
    loop {
        if starts {
            if joints.len() == MAX_JOINTS {
                return Err(BvhError::TooLarge("joints"));
            }
            let name = words.next("a joint has no name")?.to_owned();
            let parent = open.last().copied();
            open.push(joints.len());
            joints.push(BvhJoint { name, parent, offset: DVec3::ZERO, channels: Vec::new() });
            words.expect("{", "a brace must follow the joint's name")?;
        }
        let word = words.next("the hierarchy ends too early")?;
        starts = word.eq_ignore_ascii_case("JOINT");
        let current = open.last().copied();
        match (word.to_ascii_uppercase().as_str(), current) {
            ("JOINT", Some(_)) => {}
            ("OFFSET", Some(at)) => joints[at].offset = words.offset()?,
            ("CHANNELS", Some(at)) => joints[at].channels = channels(words)?,
            ("END", Some(_)) => end_site(words)?,
            ("}", Some(_)) => {
                open.pop();
            }
            ("MOTION", None) => return Ok(joints),
            _ => return Err(words.wrong("the hierarchy contains an unexpected word")),
        }
    }
}

fn end_site(words: &mut Words) -> Result<(), BvhError> {
    words.expect("Site", "`End Site` is incomplete")?;
    words.expect("{", "`End Site` is incomplete")?;
    words.expect("OFFSET", "`End Site` is incomplete")?;
    words.offset()?;
    words.expect("}", "`End Site` is incomplete")
}

fn channels(words: &mut Words) -> Result<Vec<Channel>, BvhError> {
    let count = words.number()?;
    if !(0.0..=6.0).contains(&count) {
        return Err(words.wrong("a joint can have at most six channels"));
    }
    (0..count as usize)
        .map(|_| match words.next("a channel is missing")?.to_ascii_lowercase().as_str() {
            "xposition" => Ok(Channel::Position(0)),
            "yposition" => Ok(Channel::Position(1)),
            "zposition" => Ok(Channel::Position(2)),
            "xrotation" => Ok(Channel::Rotation(0)),
            "yrotation" => Ok(Channel::Rotation(1)),
            "zrotation" => Ok(Channel::Rotation(2)),
            _ => Err(words.wrong("a channel has an unknown name")),
        })
        .collect()
}
