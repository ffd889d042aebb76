//! Toggles at the right end of the control bar.

use limber_render::View;
use three_d::egui::Ui;

use crate::{action::Action, session::Session, words::said};

/// Width of a menu button, logical pixels.
const MENU: f32 = 76.0;

/// A toggle.
pub(super) struct Switch {
    pub(super) name: &'static str,
    pub(super) on: bool,
    pub(super) key: &'static str,
    pub(super) action: Action,
}

/// Fills the bar from its right edge; groups that do not fit become menus.
pub(super) fn show(ui: &mut Ui, session: &Session, asked: &mut Vec<Action>) {
    let help = Switch { name: "?", on: session.help, key: "H", action: Action::Help };
    toggle(ui, &help, asked);
    let (layers, camera) = (layers(session), camera(session));
    let room = ui.available_width();
    let layers_fit = width_of(&layers) + MENU <= room;
    let all_fit = width_of(&layers) + width_of(&camera) <= room;
    group(ui, said(session.language, "Camera"), &camera, all_fit, asked);
    ui.separator();
    group(ui, said(session.language, "Show"), &layers, layers_fit, asked);
}

fn layers(session: &Session) -> Vec<Switch> {
    let say = |english| said(session.language, english);
    let switch = |name, on, key, action| Switch { name: say(name), on, key: say(key), action };
    let look = &session.look;
    let mut layers = vec![
        switch("Bones", look.bones, "B", Action::Bones),
        switch("Mesh", look.skin, "S", Action::Skin),
        switch("Axes", look.axes, "X", Action::Axes),
        switch("Contacts", look.contacts, "C", Action::Contacts),
        switch("Trails", session.trails, "M", Action::Trails),
        switch("Ghosts", session.ghosts, "Shift O", Action::Ghosts),
    ];
    if session.lineup.lanes.len() > 1 {
        let over = session.lineup.over().is_some();
        layers.push(switch("A/B", over, "A, next B: N", Action::Overlay));
    }
    layers.push(switch("Follow", session.follow, "V", Action::Follow));
    layers.push(switch("In place", session.in_place, "R", Action::InPlace));
    layers
}

fn camera(session: &Session) -> Vec<Switch> {
    let switch = |name, on, key, action| {
        let name = said(session.language, name);
        Switch { name, on, key, action }
    };
    vec![
        switch("Three-quarter", false, "1", Action::Look(View::ThreeQuarter)),
        switch("Front", false, "2", Action::Look(View::Front)),
        switch("Side", false, "3", Action::Look(View::Side)),
        switch("Top", false, "4", Action::Look(View::Top)),
        switch("Ortho", session.is_orthographic(), "5", Action::Projection),
    ]
}

/// Returns the estimated width of toggles side by side, logical pixels.
fn width_of(switches: &[Switch]) -> f32 {
    /// Estimated letter width in the bar's font, rounded up.
    const LETTER: f32 = 7.0;
    const AROUND: f32 = 16.0;
    switches.iter().map(|switch| switch.name.chars().count() as f32 * LETTER + AROUND).sum()
}

fn group(ui: &mut Ui, name: &str, switches: &[Switch], fits: bool, asked: &mut Vec<Action>) {
    if fits {
        for switch in switches.iter().rev() {
            toggle(ui, switch, asked);
        }
    } else {
        ui.menu_button(name, |ui| {
            for switch in switches {
                toggle(ui, switch, asked);
            }
        });
    }
}

pub(super) fn toggle(ui: &mut Ui, switch: &Switch, asked: &mut Vec<Action>) {
    let Switch { name, on, key, action } = switch;
    let response = ui.selectable_label(*on, *name).on_hover_text(format!("{name} ({key})"));
    if response.clicked() {
        asked.push(*action);
    }
}
