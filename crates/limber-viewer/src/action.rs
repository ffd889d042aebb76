//! Actions and their keys.

use limber_api::viewer::PressedKey;
use limber_render::View;
use three_d::{Key, Modifiers};

/// An action that the user can trigger with a key or button.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Action {
    PlayOrPause,
    /// Plays backwards; stops if already doing so.
    PlayBackwards,
    Pause,
    /// Steps forwards (positive) or backwards by this many frames.
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
    /// The world axes at the origin.
    Axes,
    /// Motion trails of hips, head, hands and feet.
    Trails,
    /// Onion skins: the body shortly before and after the current frame.
    Ghosts,
    /// Overlays two clips, A and B, at the same place.
    Overlay,
    /// Chooses the next clip as B.
    NextOver,
    /// The camera follows the bodies.
    Follow,
    /// Horizontal root motion is removed.
    InPlace,
    /// Frames all bodies.
    FrameAll,
    Look(View),
    /// Toggles between perspective and orthographic projection.
    Projection,
    /// Toggles between the dark and the light background.
    Theme,
    /// Saves the current image as a file.
    SavePicture,
    /// Renders a turntable video to a file.
    SaveTurn,
    /// Shows or hides the list of shortcuts.
    Help,
    Close,
}

/// All key bindings: the key, whether it needs Shift, the action, and its text in the list of
/// shortcuts (empty for alternative keys).
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
    // when attached to an editor, O alone sets the editor's trim end
    (Key::O, true, Action::Ghosts, "Shift O  ghosts before and after"),
    (Key::O, false, Action::Ghosts, ""),
    (Key::A, false, Action::Overlay, "A  overlay A and B"),
    (Key::N, false, Action::NextOver, "N  next B"),
    (Key::V, false, Action::Follow, "V  follow with camera"),
    (Key::R, false, Action::InPlace, "R  toggle in place"),
    (Key::F, false, Action::FrameAll, "F  frame everything"),
    (
        Key::Num1,
        false,
        Action::Look(View::ThreeQuarter),
        "1 2 3 4  three-quarter, front, side, top",
    ),
    (Key::Num2, false, Action::Look(View::Front), ""),
    (Key::Num3, false, Action::Look(View::Side), ""),
    (Key::Num4, false, Action::Look(View::Top), ""),
    (Key::Num5, false, Action::Projection, "5  perspective, orthographic"),
    (Key::T, false, Action::Theme, "T  dark, light"),
    // likewise, P alone belongs to the editor
    (Key::P, true, Action::SavePicture, "Shift P  save image"),
    (Key::P, false, Action::SavePicture, ""),
    (Key::T, true, Action::SaveTurn, "Shift T  render turntable"),
    (Key::H, false, Action::Help, "H  show shortcuts"),
    (Key::Escape, false, Action::Close, "Esc  close"),
];

/// Returns the action bound to a key.
pub(crate) fn of_key(key: Key, shift: bool) -> Option<Action> {
    KEYS.iter().find(|(one, wants, ..)| *one == key && *wants == shift).map(|found| found.2)
}

/// Returns the key event for the controlling app, if the key belongs to its editor.
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
    fn no_key_has_two_actions() {
        for (place, (key, shift, ..)) in KEYS.iter().enumerate() {
            assert!(!KEYS[place + 1..].iter().any(|other| (other.0, other.1) == (*key, *shift)));
        }
    }

    #[test]
    fn the_app_receives_only_its_own_keys() {
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
