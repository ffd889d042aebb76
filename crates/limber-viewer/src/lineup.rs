//! The characters side by side, with their clips.

use std::{cell::OnceCell, fs::File, io::Read, path::Path, sync::Arc};

use glam::Vec3;
use limber_animation::{
    Character, Clip, ContactTrack, Contacts, Deformation, Face, Fps, Seconds, WorldPose,
};
use limber_api::viewer::MAX_FILES;
use limber_formats::glb::Movement;
use limber_render::{BodyBounds, Bounds};

use crate::{ViewerError, error::file_name, path::Path as JointPath};

/// Size limit of a file, bytes.
const MAX_FILE_BYTES: u64 = 512 * 1024 * 1024;
/// Maximum number of frames sampled to measure the extent of a clip.
const MAX_ROOM_SAMPLES: usize = 60;

/// A named clip of a file.
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) name: String,
    pub(crate) clip: Clip,
    /// Foot contacts, detected on first use, because files do not contain them.
    contacts: OnceCell<ContactTrack>,
    /// Joint paths, computed on first use.
    path: OnceCell<JointPath>,
}

impl Choice {
    const fn new(name: String, clip: Clip) -> Self {
        Self { name, clip, contacts: OnceCell::new(), path: OnceCell::new() }
    }
}

/// A character with its clips, at its place in the row.
#[derive(Debug)]
pub(crate) struct Lane {
    /// Display name: the file name without extension, unless another was given.
    pub(crate) label: String,
    /// Index into the cast.
    pub(crate) character: usize,
    /// Never empty; a file without animation gets its rest pose.
    pub(crate) choices: Vec<Choice>,
    /// Index into `choices`.
    pub(crate) chosen: usize,
    /// Exact evaluation of the file's animation; without it, only the clip is shown.
    movement: Option<Movement>,
    /// Position of the lane.
    pub(crate) offset: Vec3,
    /// Bounds of the body over the whole clip, relative to the floor point below its hips.
    room: Bounds,
}

/// The state of a lane at a point in time.
pub(crate) struct Moment {
    pub(crate) pose: WorldPose,
    pub(crate) face: Face,
    pub(crate) deformation: Option<Deformation>,
    pub(crate) offset: Vec3,
}

/// Maximum length of a display name.
const MAX_NAME: usize = 200;
/// Maximum number of characters in one row in front of one camera; more get an image each.
const LONGEST_ROW: usize = 3;

/// All characters side by side: a few in a row in front of one camera, more in a grid of images.
#[derive(Debug)]
pub(crate) struct Lineup {
    /// All characters without duplicates, however many lanes show them.
    pub(crate) cast: Vec<Arc<Character>>,
    /// Lanes from left to right as seen by the front camera.
    pub(crate) lanes: Vec<Lane>,
    /// If set, only the first lane and this one are shown, overlaid at the same place.
    over: Option<usize>,
}

impl Lineup {
    /// Reads files and lines up their characters.
    pub(crate) fn read<P: AsRef<Path>>(files: &[P]) -> Result<Self, ViewerError> {
        match files.len() {
            0 => return Err(ViewerError::NoFiles),
            count if count > MAX_FILES => return Err(ViewerError::TooManyFiles(count)),
            _ => {}
        }
        let mut lineup = Self { cast: Vec::new(), lanes: Vec::new(), over: None };
        for file in files {
            lineup.add(file.as_ref())?;
        }
        lineup.space_out();
        Ok(lineup)
    }

    fn add(&mut self, path: &Path) -> Result<(), ViewerError> {
        let file = file_name(path);
        let bytes = read_bounded(path)
            .map_err(|reason| ViewerError::Unreadable { file: file.clone(), reason })?;
        let refused = |reason: String| ViewerError::NotShowable { file: file.clone(), reason };
        let read = limber_formats::glb::read_scene(&bytes);
        let limber_formats::glb::Scene { glb, movement } =
            read.map_err(|error| refused(error.to_string()))?;
        let choices = choices(&glb).map_err(refused)?;
        let label = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let character = self.cast_place(glb.character);
        let (offset, room, movement) = (Vec3::ZERO, Bounds::EMPTY, Some(movement));
        let mut lane = Lane { label, character, choices, chosen: 0, movement, offset, room };
        lane.measure(&BodyBounds::of(&self.cast[character]));
        self.lanes.push(lane);
        Ok(())
    }

    /// Adds a character unless it is known: variants of one job share the same body.
    fn cast_place(&mut self, character: Character) -> usize {
        let known = self.cast.iter().position(|other| **other == character);
        known.unwrap_or_else(|| {
            self.cast.push(Arc::new(character));
            self.cast.len() - 1
        })
    }

    /// Distributes the lanes along X around the origin, each as wide as its body needs.
    fn space_out(&mut self) {
        let gap = |lane: &Lane| lane.room.size().y * 0.15;
        let wide = |lane: &Lane| lane.room.size().x + gap(lane);
        let mut x = -self.lanes.iter().map(wide).sum::<f32>() * 0.5;
        for lane in &mut self.lanes {
            let width = wide(lane);
            // centre the bounds, not the origin, in the lane
            let middle = if lane.room.is_empty() { 0.0 } else { lane.room.center().x };
            lane.offset = Vec3::new(x + width * 0.5 - middle, 0.0, 0.0);
            x += width;
        }
        if let [only] = self.lanes.as_mut_slice() {
            only.offset = Vec3::ZERO;
        }
    }

    /// Sets display names in file order. Empty ones are ignored.
    pub(crate) fn name(&mut self, names: &[String]) {
        for (lane, name) in self.lanes.iter_mut().zip(names) {
            let name: String =
                name.chars().filter(|letter| !letter.is_control()).take(MAX_NAME).collect();
            if !name.trim().is_empty() {
                lane.label = name;
            }
        }
    }

    /// Shows another clip of a file.
    pub(crate) fn choose(&mut self, lane: usize, choice: usize) {
        if let Some(lane) = self.lanes.get_mut(lane)
            && choice < lane.choices.len()
        {
            lane.chosen = choice;
            lane.measure(&BodyBounds::of(&self.cast[lane.character]));
        }
        self.space_out();
    }

    /// Shows the clip with this name, or this number from 1, in every file that has it.
    ///
    /// # Errors
    /// If no file has it.
    pub(crate) fn choose_named(&mut self, wanted: &str) -> Result<(), ViewerError> {
        let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let mut found = false;
        for lane in 0..self.lanes.len() {
            let choices = &self.lanes[lane].choices;
            let named = choices.iter().position(|choice| choice.name == wanted);
            let place = named.or(number.filter(|place| *place < choices.len()));
            if let Some(place) = place {
                found = true;
                self.choose(lane, place);
            }
        }
        let names = || {
            let all = self.lanes.iter().flat_map(|lane| &lane.choices);
            all.take(12).map(|choice| choice.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        if found {
            Ok(())
        } else {
            Err(ViewerError::NoSuchClip { clip: wanted.to_owned(), known: names() })
        }
    }

    /// Returns the common timeline: the number of frames of the longest clip, at the frame rate of
    /// the first.
    pub(crate) fn timeline(&self) -> (usize, Fps) {
        let clips = || self.lanes.iter().map(Lane::clip);
        let fps = clips().next().map_or(Fps::DEFAULT, Clip::fps);
        let longest = clips().map(Clip::duration_s).fold(0.0, f32::max);
        (((longest * fps.per_second()).round() as usize).max(1), fps)
    }

    /// Overlays a second lane on the first instead of showing all side by side; `None` ends it.
    /// Lanes that do not exist are ignored.
    pub(crate) fn lay_over(&mut self, second: Option<usize>) {
        if second.is_none_or(|second| (1..self.lanes.len()).contains(&second)) {
            self.over = second;
        }
    }

    /// Returns the lane that is overlaid on the first.
    pub(crate) const fn over(&self) -> Option<usize> {
        self.over
    }

    /// Returns whether every lane has its own image.
    fn is_grid(&self) -> bool {
        self.over.is_none() && self.lanes.len() > LONGEST_ROW
    }

    /// Returns the number of images that show the whole lineup.
    pub(crate) fn cells(&self) -> usize {
        if self.is_grid() { self.lanes.len() } else { 1 }
    }

    /// Returns the lanes shown in an image, with their positions.
    pub(crate) fn shown(&self, cell: usize) -> impl Iterator<Item = (&Lane, Vec3)> + Clone {
        let (over, is_grid) = (self.over, self.is_grid());
        let wanted = move |place: usize| match over {
            Some(second) => place == 0 || place == second,
            None => !is_grid || place == cell,
        };
        let alone = over.is_some() || is_grid;
        let lanes = self.lanes.iter().enumerate().filter(move |(place, _)| wanted(*place));
        lanes.map(move |(_, lane)| (lane, if alone { Vec3::ZERO } else { lane.offset }))
    }

    /// Returns the union of the bodies' bounds over their clips, relative to the floor points below
    /// their hips, over all images.
    pub(crate) fn room(&self) -> Bounds {
        let shown = (0..self.cells()).flat_map(|cell| self.shown(cell));
        shown.fold(Bounds::EMPTY, |all, (lane, base)| all.union(lane.room.moved(base)))
    }

    /// Returns the state of all lanes in an image at a time. `in_place` removes horizontal root
    /// motion.
    pub(crate) fn moments(&self, cell: usize, time_s: Seconds, in_place: bool) -> Vec<Moment> {
        self.shown(cell).map(|(lane, base)| lane.moment(time_s, base, in_place)).collect()
    }

    /// Returns, for each image, the mean horizontal position of the hips at a time, relative to the
    /// lanes.
    pub(crate) fn travels(&self, time_s: Seconds, in_place: bool) -> Vec<Vec3> {
        (0..self.cells()).map(|cell| self.travel(cell, time_s, in_place)).collect()
    }

    fn travel(&self, cell: usize, time_s: Seconds, in_place: bool) -> Vec3 {
        let moments = self.moments(cell, time_s, in_place);
        let sum: Vec3 = self
            .shown(cell)
            .zip(&moments)
            .map(|((lane, base), moment)| {
                under_hips(lane.clip(), &moment.pose) + moment.offset - base
            })
            .sum();
        sum / moments.len().max(1) as f32
    }

    /// Returns the window title.
    pub(crate) fn title(&self) -> String {
        let labels: Vec<_> = self.lanes.iter().map(|lane| lane.label.as_str()).collect();
        match labels.as_slice() {
            [] => "Limber".into(),
            [one] => format!("{one} – Limber"),
            [first, rest @ ..] => format!("{first} and {} more – Limber", rest.len()),
        }
    }
}

impl Lane {
    pub(crate) fn clip(&self) -> &Clip {
        &self.choices[self.chosen].clip
    }

    /// Evaluates joints and vertex deformation at a time.
    fn at(&self, time_s: Seconds) -> (WorldPose, Face, Option<Deformation>) {
        match &self.movement {
            Some(movement) => {
                let (pose, deformation) = movement.at(self.chosen, time_s);
                (pose, Face::UNKNOWN, Some(deformation))
            }
            None => {
                let now = self.clip().sample(time_s);
                (self.clip().skeleton().world(&now), now.face, None)
            }
        }
    }

    /// Returns the lane's state at a time for the position `base`. `in_place` removes horizontal
    /// root motion.
    pub(crate) fn moment(&self, time_s: Seconds, base: Vec3, in_place: bool) -> Moment {
        let (pose, face, deformation) = self.at(time_s);
        let travel = under_hips(self.clip(), &pose);
        let offset = if in_place { base - travel } else { base };
        Moment { pose, face, deformation, offset }
    }

    /// Returns the foot contacts at a time.
    pub(crate) fn contacts(&self, time_s: Seconds) -> Contacts {
        let choice = &self.choices[self.chosen];
        let track = choice.contacts.get_or_init(|| limber_cleanup::contacts_of(&choice.clip));
        let frame = (time_s * choice.clip.fps().per_second() + 1e-3).floor().max(0.0) as usize;
        track.get(frame.min(track.len().saturating_sub(1))).copied().unwrap_or(Contacts::NONE)
    }

    /// Returns the joint paths of the chosen clip.
    pub(crate) fn path(&self) -> &JointPath {
        let choice = &self.choices[self.chosen];
        choice.path.get_or_init(|| JointPath::of(&choice.clip, |time_s| self.at(time_s).0))
    }

    /// Measures the bounds of the chosen clip.
    fn measure(&mut self, bounds: &BodyBounds) {
        let clip = self.clip();
        let stride = clip.len().div_ceil(MAX_ROOM_SAMPLES);
        self.room = (0..clip.len()).step_by(stride).fold(Bounds::EMPTY, |room, frame| {
            let (pose, _, deformation) = self.at(frame as f32 / clip.fps().per_second());
            let flesh = match &deformation {
                Some(deformation) => bounds.deformed(deformation),
                None => bounds.at(&pose),
            };
            room.union(flesh.moved(-under_hips(clip, &pose)))
        });
    }

    /// Returns the point above the head for the label.
    pub(crate) fn top(&self, moment: &Moment) -> Vec3 {
        let top = if self.room.is_empty() { 0.0 } else { self.room.max.y };
        (under_hips(self.clip(), &moment.pose) + moment.offset).with_y(top * 1.04)
    }
}

pub(crate) fn under_hips(clip: &Clip, pose: &WorldPose) -> Vec3 {
    pose.position(clip.skeleton().hips()).with_y(0.0)
}

fn choices(read: &limber_formats::glb::Glb) -> Result<Vec<Choice>, String> {
    let mut choices: Vec<_> = read
        .clips
        .iter()
        .enumerate()
        .map(|(place, named)| {
            let unnamed = || format!("clip {}", place + 1);
            let name = if named.name.is_empty() { unnamed() } else { named.name.clone() };
            Choice::new(name, named.clip.clone())
        })
        .collect();
    if choices.is_empty() {
        let skeleton = Arc::clone(&read.character.skeleton);
        let pose = skeleton.rest_pose();
        let clip =
            Clip::new(skeleton, Fps::DEFAULT, vec![pose]).map_err(|error| error.to_string())?;
        choices.push(Choice::new("at rest".into(), clip));
    }
    Ok(choices)
}

fn read_bounded(path: &Path) -> Result<Vec<u8>, String> {
    let plain = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => "the file does not exist".to_owned(),
        std::io::ErrorKind::PermissionDenied => "you are not allowed to read it".to_owned(),
        std::io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.kind().to_string(),
    };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(plain)?;
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(plain)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("it is larger than {} MB", MAX_FILE_BYTES / 1024 / 1024));
    }
    Ok(bytes)
}

/// A lineup of one character with a lane for each clip, for tests.
#[cfg(test)]
pub(crate) fn test_lineup(character: Arc<Character>, clips: Vec<Clip>) -> Lineup {
    let bounds = BodyBounds::of(&character);
    let lane = |clip: Clip| Lane {
        label: "walk".into(),
        character: 0,
        room: Bounds::EMPTY,
        choices: vec![Choice::new("walk".into(), clip)],
        chosen: 0,
        movement: None,
        offset: Vec3::ZERO,
    };
    let mut lanes: Vec<_> = clips.into_iter().map(lane).collect();
    lanes.iter_mut().for_each(|lane| lane.measure(&bounds));
    let mut lineup = Lineup { cast: vec![character], lanes, over: None };
    lineup.space_out();
    lineup
}

#[cfg(test)]
mod tests {
    use limber_animation::canonical_skeleton;

    use super::*;

    fn lineup(lengths: &[usize]) -> Lineup {
        let skeleton = canonical_skeleton();
        let character = Character {
            name: String::new(),
            skeleton: skeleton.clone(),
            skins: vec![],
            meshes: vec![],
            materials: vec![],
            images: vec![],
            avatar: Vec::new(),
        };
        let clips = lengths.iter().map(|length| {
            let frames = (0..*length).map(|frame| {
                let mut pose = skeleton.rest_pose();
                pose.hips_translation.z += frame as f32 * 0.1;
                pose
            });
            Clip::new(skeleton.clone(), Fps::DEFAULT, frames.collect())
                .expect("the poses match the skeleton")
        });
        let clips = clips.collect();
        test_lineup(Arc::new(character), clips)
    }

    #[test]
    fn lanes_are_side_by_side_without_touching() {
        let lineup = lineup(&[10, 20, 30]);
        for pair in lineup.lanes.windows(2) {
            let right_of = pair[1].room.moved(pair[1].offset).min.x;
            assert!(pair[0].room.moved(pair[0].offset).max.x < right_of);
        }
        assert!(lineup.room().center().x.abs() < 1e-4);
    }

    #[test]
    fn more_than_a_row_get_separate_views() {
        assert_eq!(lineup(&[10; 3]).cells(), 1);
        let mut four = lineup(&[10; 4]);
        assert_eq!((four.cells(), four.shown(2).count()), (4, 1));
        assert!(
            four.shown(2)
                .all(|(lane, base)| std::ptr::eq(lane, &four.lanes[2]) && base == Vec3::ZERO)
        );
        assert!(
            four.room().size().x < lineup(&[10; 3]).room().size().x * 0.5,
            "no one is next to it"
        );
        four.lay_over(Some(3));
        assert_eq!((four.cells(), four.shown(0).count()), (1, 2));
    }

    #[test]
    fn the_timeline_is_as_long_as_the_longest_clip() {
        assert_eq!(lineup(&[10, 45, 30]).timeline(), (45, Fps::DEFAULT));
    }

    #[test]
    fn in_place_removes_the_travel_and_stops_the_camera() {
        let lineup = lineup(&[30]);
        assert!(lineup.travels(0.9, false)[0].z > 2.0);
        assert!(lineup.travels(0.9, true)[0].length() < 1e-4);
    }

    #[test]
    fn missing_and_invalid_files_are_reported_without_their_folder() {
        let missing = Lineup::read(&["/no/such/folder/walk.glb"]).expect_err("it is missing");
        assert_eq!(missing.to_string(), "“walk.glb” cannot be opened: the file does not exist");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let text = folder.path().join("notes.glb");
        std::fs::write(&text, "not a model").expect("it is writable");
        let error = Lineup::read(&[&text]).expect_err("it is text").to_string();
        assert!(error.starts_with("“notes.glb” cannot be shown: "), "{error}");
        assert!(Lineup::read::<&str>(&[]).is_err());
        assert!(Lineup::read(&["a.glb"; MAX_FILES + 1]).is_err());
    }
}
