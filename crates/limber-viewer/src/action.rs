//! What keys do.

use limber_api::viewer::PressedKey;
use limber_render::View;
use three_d::{Key, Modifiers};

/// What a person can ask for, by key or button.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Action {
    PlayOrPause,
    /// Backwards; again stops.
    PlayBackwards,
    Pause,
    /// Frames on (positive) or back.
    Step(i64),
    First,
    Last,
    Loop,
    Faster,
    Slower,
    Bones,
    Skin,
    Grid,
    Contacts,
    /// Of the world, at its origin.
    Axes,
    /// The ways of hips, head, hands and feet.
    Trails,
    /// The body a little earlier and later.
    Ghosts,
    /// Two clips in one place, A and B.
    Overlay,
    /// Another B.
    NextOver,
    /// Camera goes along with the bodies.
    Follow,
    /// Bodies stay over their places.
    InPlace,
    /// All bodies into the picture.
    FrameAll,
    Look(View),
    /// With perspective, or without.
    Projection,
    /// Between the dark and the light studio.
    Theme,
    /// A picture of what is shown, as a file.
    SavePicture,
    /// A film of one turn of the camera, as a file.
    SaveTurn,
    /// Shows or hides the list of keys.
    Help,
    Close,
}

/// Every key that does something: the key, whether it wants Shift, what it does, and how the list
/// of keys names it (empty for second keys of an action).
pub(crate) const KEYS: [(Key, bool, Action, &str); 40] = [
    (Key::Space, false, Action::PlayOrPause, "Space  play, pause"),
    (Key::J, false, Action::PlayBackwards, "J  play backwards"),
    (Key::K, false, Action::Pause, "K  stop"),
    (Key::ArrowRight, false, Action::Step(1), "Left, Right  one frame"),
    (Key::ArrowLeft, false, Action::Step(-1), ""),
    (Key::ArrowRight, true, Action::Step(10), "Shift Left, Right  ten frames"),
    (Key::ArrowLeft, true, Action::Step(-10), ""),
    (Key::Home, false, Action::First, "Home, End  first, last frame"),
    (Key::End, false, Action::Last, ""),
    (Key::L, false, Action::Loop, "L  loop"),
    (Key::LBracket, false, Action::Slower, "[ ]  slower, faster"),
    (Key::RBracket, false, Action::Faster, ""),
    (Key::Minus, false, Action::Slower, ""),
    (Key::Plus, false, Action::Faster, ""),
    (Key::Plus, true, Action::Faster, ""),
    (Key::Equals, false, Action::Faster, ""),
    (Key::B, false, Action::Bones, "B  bones"),
    (Key::S, false, Action::Skin, "S  mesh"),
    (Key::G, false, Action::Grid, "G  floor grid"),
    (Key::C, false, Action::Contacts, "C  foot contacts"),
    (Key::X, false, Action::Axes, "X  world axes"),
    (Key::M, false, Action::Trails, "M  motion trails"),
    // where an editor is tied to the viewer, O alone ends its trim
    (Key::O, true, Action::Ghosts, "Shift O  ghosts before and after"),
    (Key::O, false, Action::Ghosts, ""),
    (Key::A, false, Action::Overlay, "A  overlay A and B"),
    (Key::N, false, Action::NextOver, "N  next B"),
    (Key::V, false, Action::Follow, "V  follow with camera"),
    (Key::R, false, Action::InPlace, "R  toggle in place"),
    (Key::F, false, Action::FrameAll, "F  frame everything"),
    (Key::Num1, false, Action::Look(View::ThreeQuarter), "1 2 3 4  oblique, front, side, top"),
    (Key::Num2, false, Action::Look(View::Front), ""),
    (Key::Num3, false, Action::Look(View::Side), ""),
    (Key::Num4, false, Action::Look(View::Top), ""),
    (Key::Num5, false, Action::Projection, "5  perspective, orthographic"),
    (Key::T, false, Action::Theme, "T  dark, light"),
    // likewise, P alone paints
    (Key::P, true, Action::SavePicture, "Shift P  save image"),
    (Key::P, false, Action::SavePicture, ""),
    (Key::T, true, Action::SaveTurn, "Shift T  render turntable"),
    (Key::H, false, Action::Help, "H  show shortcuts"),
    (Key::Escape, false, Action::Close, "Esc  close"),
];

/// What a key does.
pub(crate) fn of_key(key: Key, shift: bool) -> Option<Action> {
    KEYS.iter().find(|(one, wants, ..)| *one == key && *wants == shift).map(|found| found.2)
}

/// What the app that steers the viewer hears of a key instead: those of its editor.
pub(crate) fn of_the_app(key: Key, modifiers: &Modifiers) -> Option<PressedKey> {
    let (ctrl, shift) = (modifiers.ctrl || modifiers.command, modifiers.shift);
    let name = match (key, ctrl) {
        (Key::Z, true) => "z",
        (Key::Y, true) => "y",
        (Key::E, true) => "e",
        (Key::I, false) if !shift => "i",
        (Key::O, false) if !shift => "o",
        (Key::P, false) if !shift => "p",
        (Key::Delete, false) => "Delete",
        _ => return None,
    };
    Some(PressedKey { key: name.to_owned(), ctrl, shift })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things() {
        for (place, (key, shift, ..)) in KEYS.iter().enumerate() {
            assert!(!KEYS[place + 1..].iter().any(|other| (other.0, other.1) == (*key, *shift)));
        }
    }

    #[test]
    fn the_app_hears_of_its_own_keys_only() {
        let held = |ctrl, shift| Modifiers { ctrl, shift, ..Modifiers::default() };
        let undo = of_the_app(Key::Z, &held(true, false)).expect("undoes");
        assert_eq!((undo.key.as_str(), undo.ctrl, undo.shift), ("z", true, false));
        assert!(of_the_app(Key::P, &held(false, false)).is_some());
        assert_eq!(of_the_app(Key::P, &held(false, true)), None);
        assert_eq!(of_the_app(Key::Z, &held(false, false)), None);
    }

    #[test]
    fn shift_makes_steps_longer() {
        assert_eq!(of_key(Key::ArrowLeft, false), Some(Action::Step(-1)));
        assert_eq!(of_key(Key::ArrowLeft, true), Some(Action::Step(-10)));
        assert_eq!(of_key(Key::Z, false), None);
    }
}
