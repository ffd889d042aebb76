//! What is drawn at a given time: bodies, onion skins, trails and labels.

use glam::Vec3;
use limber_animation::{Contacts, Seconds};
use limber_render::{Actor, Camera, Finish, Look, Scene, Trail};

use crate::{
    lineup::{Lane, Moment},
    session::Session,
};

/// Time between two onion skins.
const GHOST_STEP_S: Seconds = 0.25;
/// Number of onion skins before and after the current frame; one each if several bodies are shown.
const GHOSTS: i32 = 3;
/// Opacity of the nearest onion skin; the others fade out.
const GHOST_OPACITY: f32 = 0.42;
const PAST: Vec3 = Vec3::new(0.50, 0.66, 0.95);
const FUTURE: Vec3 = Vec3::new(0.95, 0.78, 0.50);
/// When two clips are overlaid, the first is tinted; the second is tinted, hatched and translucent.
const FIRST: Finish = Finish { tint: Vec3::new(0.36, 0.78, 0.86), tinted: 0.55, ..Finish::PLAIN };
const SECOND: Finish = Finish {
    tint: Vec3::new(0.98, 0.62, 0.28),
    tinted: 0.75,
    hatched: true,
    opacity: 0.78,
    ghost: false,
};

/// A body to draw.
pub(crate) struct Figure {
    character: usize,
    moment: Moment,
    contacts: Contacts,
    finish: Finish,
    pub(crate) label: Option<Label>,
}

/// A text label in the scene.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Label {
    pub(crate) words: String,
    /// World position, metres.
    pub(crate) place: Vec3,
}

impl Figure {
    /// Converts the figure for the renderer.
    pub(crate) fn actor(&self) -> Actor<'_> {
        Actor {
            face: &self.moment.face,
            offset: self.moment.offset,
            contacts: self.contacts,
            deformation: self.moment.deformation.as_ref(),
            finish: self.finish,
            ..Actor::new(self.character, &self.moment.pose)
        }
    }
}

/// Truncates a name to what fits over a head.
fn elided(name: &str) -> String {
    const MOST: usize = 26;
    if name.chars().count() <= MOST {
        return name.to_owned();
    }
    let kept: String = name.chars().take(MOST - 1).collect();
    format!("{}…", kept.trim_end())
}

/// One image of the grid: its camera and what it shows.
pub(crate) struct Cell {
    pub(crate) camera: Camera,
    /// Bodies, followed by their onion skins.
    pub(crate) figures: Vec<Figure>,
    trails: Vec<Trail>,
}

impl Cell {
    /// Draws the cell's scene.
    pub(crate) fn seen<T>(&self, look: &Look, draw: impl FnOnce(&Scene<'_>) -> T) -> T {
        let actors: Vec<_> = self.figures.iter().map(Figure::actor).collect();
        draw(&Scene { camera: &self.camera, actors: &actors, trails: &self.trails, look })
    }
}

impl Session {
    /// Returns all images that make up the current view.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        let cell = |place| {
            let figures = self.figures(place);
            let trails = self.trails(place, &figures);
            Cell { camera: self.camera(place), figures, trails }
        };
        (0..self.lineup.cells()).map(cell).collect()
    }

    /// Returns the figures of an image: bodies, followed by their onion skins.
    fn figures(&self, cell: usize) -> Vec<Figure> {
        let time_s = self.playback.time_s();
        let moments = self.lineup.moments(cell, time_s, self.in_place);
        let several = moments.len() > 1;
        let labelled = self.lineup.lanes.len() > 1;
        let over = self.lineup.over().is_some();
        let mut figures: Vec<Figure> = Vec::new();
        for (place, ((lane, _), moment)) in self.lineup.shown(cell).zip(moments).enumerate() {
            let (finish, letter) = match place {
                0 if over => (FIRST, "A  "),
                _ if over => (SECOND, "B  "),
                _ => (Finish::PLAIN, ""),
            };
            let words = format!("{letter}{}", elided(&lane.label));
            let label = labelled.then(|| Label { words, place: lane.top(&moment) });
            let shown = self.look.contacts;
            let contacts = if shown { lane.contacts(time_s) } else { Contacts::NONE };
            figures.push(Figure { character: lane.character, moment, contacts, finish, label });
        }
        if self.ghosts {
            let most = if several { 1 } else { GHOSTS };
            let lanes = self.lineup.shown(cell);
            figures.extend(lanes.flat_map(|(lane, base)| self.ghosts_of(lane, base, most)));
        }
        figures
    }

    /// Returns onion skins of a body, fading with distance in time; none beyond the ends of the
    /// clip.
    fn ghosts_of(&self, lane: &Lane, base: Vec3, most: i32) -> Vec<Figure> {
        let fps = self.playback.fps().per_second();
        let last_s = (lane.clip().len() - 1) as f32 / lane.clip().fps().per_second();
        let now_s = self.playback.time_s().min(last_s);
        // whole timeline frames, so that each onion skin is a frame one can go to
        let step_s = (GHOST_STEP_S * fps).round().max(1.0) / fps;
        let places = (-most..=most).filter(|place| *place != 0);
        let times = places.map(|place| (place, now_s + place as f32 * step_s));
        times
            .filter(|(_, time_s)| (-1e-3..=last_s + 1e-3).contains(time_s))
            .map(|(place, time_s)| {
                let moment = lane.moment(time_s.clamp(0.0, last_s), base, self.in_place);
                let away = place.unsigned_abs() as f32;
                let tint = if place < 0 { PAST } else { FUTURE };
                let opacity = GHOST_OPACITY * (1.0 - (away - 1.0) * 0.27);
                let hatched = place > 0;
                let finish = Finish { tint, tinted: 0.85, hatched, opacity, ghost: true };
                let sign = if place < 0 { "−" } else { "+" };
                let words = format!("{sign}{:.2} s", away * step_s);
                let label = Some(Label { words, place: lane.top(&moment) });
                let contacts = Contacts::NONE;
                Figure { character: lane.character, moment, contacts, finish, label }
            })
            .collect()
    }

    /// Returns the motion trails around the current time.
    fn trails(&self, cell: usize, figures: &[Figure]) -> Vec<Trail> {
        if !self.trails {
            return Vec::new();
        }
        let lanes = self.lineup.shown(cell).zip(figures);
        lanes
            .flat_map(|((lane, base), figure)| {
                let now = (self.playback.time_s(), &figure.moment.pose);
                lane.path().trails(now, (base, self.in_place), figure.moment.offset)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{action::Action, session::tests::session};

    #[test]
    fn ghosts_show_past_and_future_poses_with_their_time() {
        let mut session = session(&[60]);
        session.apply(Action::PlayOrPause);
        session.seek(30);
        assert_eq!(session.figures(0).len(), 1);
        session.apply(Action::Ghosts);
        let figures = session.figures(0);
        assert_eq!(figures.len(), 7);
        let words: Vec<_> = figures[1..]
            .iter()
            .map(|figure| figure.label.as_ref().expect("ghosts have one").words.as_str())
            .collect();
        // a quarter of a second is 7.5 frames, which rounds to 8
        assert_eq!(words[..3], ["−0.80 s", "−0.53 s", "−0.27 s"]);
        assert_eq!(words[5], "+0.80 s");
        let place = |figure: &Figure| figure.moment.pose.positions[0].z;
        assert!((place(&figures[0]) - place(&figures[3]) - 8.0 * 0.05).abs() < 1e-4);
        assert!((place(&figures[4]) - place(&figures[0]) - 8.0 * 0.05).abs() < 1e-4);
        assert!(figures[4].finish.hatched && !figures[3].finish.hatched);
        assert!(figures[1].finish.opacity < figures[3].finish.opacity);
        session.seek(0);
        assert_eq!(session.figures(0).len(), 1 + 3, "there is no pose before the start");
    }

    #[test]
    fn overlaid_clips_are_distinguished_by_labels_and_stripes() {
        let mut session = session(&[60, 60, 60]);
        session.apply(Action::Overlay);
        let figures = session.figures(0);
        assert_eq!(figures.len(), 2);
        assert_eq!(figures[0].moment.offset, figures[1].moment.offset);
        let words = |place: usize| figures[place].label.as_ref().map(|label| label.words.clone());
        assert_eq!((words(0), words(1)), (Some("A  walk".into()), Some("B  walk".into())));
        assert!(!figures[0].finish.hatched && figures[1].finish.hatched);
        assert_eq!(session.lineup.over(), Some(1));
        session.apply(Action::NextOver);
        assert_eq!(session.lineup.over(), Some(2));
        session.apply(Action::NextOver);
        assert_eq!(session.lineup.over(), Some(1));
        session.apply(Action::Overlay);
        assert_eq!(session.figures(0).len(), 3);
    }

    #[test]
    fn four_clips_have_separate_views_and_cameras() {
        let mut session = session(&[60, 60, 60, 30]);
        session.seek(59);
        let cells = session.cells();
        assert!(
            cells.iter().all(|cell| cell.figures.len() == 1 && cell.figures[0].label.is_some())
        );
        assert_eq!(cells.len(), 4);
        // a clip that ends earlier keeps its own camera
        let away = cells[0].camera.target.z - cells[3].camera.target.z;
        assert!((away - 30.0 * 0.05).abs() < 1e-3, "{away}");
        session.apply(Action::Overlay);
        assert_eq!(session.cells().len(), 1);
        assert_eq!(session.cells()[0].figures.len(), 2);
    }

    #[test]
    fn a_single_clip_cannot_be_overlaid() {
        let mut session = session(&[60]);
        session.apply(Action::Overlay);
        assert!(session.notice.as_ref().is_some_and(|notice| notice.contains("two files")));
        assert_eq!(session.figures(0).len(), 1);
    }

    #[test]
    fn trails_are_drawn_on_request() {
        let mut session = session(&[60, 60]);
        assert!(session.trails(0, &session.figures(0)).is_empty());
        session.apply(Action::Trails);
        assert_eq!(session.trails(0, &session.figures(0)).len(), 12);
    }
}
