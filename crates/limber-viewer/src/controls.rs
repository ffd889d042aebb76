//! The control bar below the image: timeline, playback and view options.

mod switches;

use glam::Vec2;
use limber_render::Backdrop;
use three_d::egui::{
    self, Align, Align2, Color32, CornerRadius, FontId, Frame, Layout, Margin, Rect, Response,
    Sense, Stroke, Ui, Visuals, WidgetInfo, pos2, vec2,
};

use self::switches::{Switch, toggle};
use crate::{
    action::{Action, KEYS},
    figures::Label,
    session::Session,
    words::{Language, said},
};

/// Height of the bar, logical pixels.
pub(crate) const BAR_HEIGHT: f32 = 84.0;
/// Minimum distance between two timeline marks, logical pixels.
const MARK_DISTANCE: f32 = 48.0;
/// Minimum remaining width at which the speed is shown, logical pixels.
const ROOM_FOR_SPEED: f32 = 340.0;
const ACCENT: Color32 = Color32::from_rgb(102, 178, 196);

/// Sets muted colours for the given background.
pub(crate) fn dress(context: &egui::Context, backdrop: Backdrop) {
    let light = backdrop == Backdrop::Light;
    let mut visuals = if light { Visuals::light() } else { Visuals::dark() };
    let panel =
        if light { Color32::from_rgb(238, 240, 243) } else { Color32::from_rgb(23, 25, 29) };
    visuals.panel_fill = panel;
    visuals.window_fill = panel;
    visuals.selection.bg_fill = if light { ACCENT } else { Color32::from_rgb(45, 88, 100) };
    visuals.selection.stroke.color = if light { Color32::BLACK } else { Color32::WHITE };
    let text = if light { Color32::from_gray(40) } else { Color32::from_gray(205) };
    visuals.override_text_color = Some(text);
    visuals.window_stroke = Stroke::NONE;
    context.set_theme(if light { egui::Theme::Light } else { egui::Theme::Dark });
    context.set_visuals(visuals);
}

/// Draws everything except the scene and performs the actions triggered in it. `names` are labels
/// with their positions in logical pixels.
pub(crate) fn show(ui: &mut Ui, session: &mut Session, names: &[(String, [f32; 2])]) {
    let mut asked = Vec::new();
    for (name, [x, y]) in names {
        let color = ui.visuals().text_color().gamma_multiply(0.85);
        let font = FontId::proportional(14.0);
        let write = |by: f32, color| {
            let place = pos2(*x + by, *y + by);
            ui.painter().text(place, Align2::CENTER_BOTTOM, name, font.clone(), color);
        };
        // an outline, legible in front of any colour
        write(1.0, ui.visuals().panel_fill);
        write(-1.0, ui.visuals().panel_fill);
        write(0.0, color);
    }
    let fill = ui.visuals().panel_fill;
    let frame = Frame::new().fill(fill).inner_margin(Margin::symmetric(14, 8));
    egui::Panel::bottom("controls")
        .exact_size(BAR_HEIGHT)
        .resizable(false)
        .show_separator_line(false)
        .frame(frame)
        .show_inside(ui, |ui| {
            timeline(ui, session);
            ui.add_space(4.0);
            ui.horizontal(|ui| buttons(ui, session, &mut asked));
        });
    clip_choice(ui, session);
    if session.help {
        help(ui, session.language);
    }
    if let Some(notice) = &session.notice {
        over_picture(ui, "notice", Align2::CENTER_TOP, |ui| {
            ui.label(notice);
        });
    }
    for action in asked {
        session.apply(action);
    }
}

/// Positions labels at their `on_screen` points, in order. A label that would overlap an earlier
/// one moves up while there is room, and is left out otherwise.
pub(crate) fn place_labels<'a>(
    labels: impl Iterator<Item = &'a Label>,
    on_screen: impl Fn(&Label) -> Option<Vec2>,
) -> Vec<(String, [f32; 2])> {
    const LINE: f32 = 17.0;
    const LETTER: f32 = 7.5;
    let mut placed: Vec<(String, [f32; 2])> = Vec::new();
    for label in labels {
        let Some(place) = on_screen(label) else { continue };
        let covers = |y: f32, other: &(String, [f32; 2])| {
            let letters = (label.words.chars().count() + other.0.chars().count()) as f32;
            (place.x - other.1[0]).abs() < letters * LETTER * 0.5 && (y - other.1[1]).abs() < LINE
        };
        let mut heights = [0.0, 1.0, 2.0].into_iter().map(|line| place.y - line * LINE);
        if let Some(y) = heights.find(|y| !placed.iter().any(|other| covers(*y, other))) {
            placed.push((label.words.clone(), [place.x, y]));
        }
    }
    placed
}

fn buttons(ui: &mut Ui, session: &mut Session, asked: &mut Vec<Action>) {
    let button = |ui: &mut Ui, text: &str, hint: &str| {
        ui.add_sized(vec2(30.0, 26.0), egui::Button::new(text)).on_hover_text(hint).clicked()
    };
    let language = session.language;
    let say = |english| said(language, english);
    let playing = session.playback.is_playing();
    let backwards = playing && session.playback.is_backwards();
    let forwards = playing && !backwards;
    for (text, hint, action) in [
        ("⏮", say("First frame (Home)"), Action::First),
        (if backwards { "⏸" } else { "◀" }, say("Play backwards (J)"), Action::PlayBackwards),
        ("◀", say("Previous frame (←)"), Action::Step(-1)),
        ("▶", say("Next frame (→)"), Action::Step(1)),
        (if forwards { "⏸" } else { "▶" }, say("Play or pause (Space)"), Action::PlayOrPause),
        ("⏭", say("Last frame (End)"), Action::Last),
    ] {
        let wide = matches!(action, Action::PlayOrPause | Action::PlayBackwards);
        let stepping = matches!(action, Action::Step(_));
        let text = egui::RichText::new(text).size(if wide {
            17.0
        } else if stepping {
            9.0
        } else {
            14.0
        });
        let size = vec2(if wide { 38.0 } else { 28.0 }, 26.0);
        if ui.add_sized(size, egui::Button::new(text)).on_hover_text(hint).clicked() {
            asked.push(action);
        }
    }
    let on = session.playback.is_looping();
    toggle(ui, &Switch { name: say("Loop"), on, key: "L", action: Action::Loop }, asked);
    ui.add_space(8.0);
    ui.label(egui::RichText::new(session.position_text()).monospace().size(13.0));
    ui.add_space(8.0);
    // optional, because keys do the same
    if ui.available_width() > ROOM_FOR_SPEED {
        if button(ui, "−", say("Slower ([)")) {
            asked.push(Action::Slower);
        }
        ui.label(format!("{:.2}×", session.playback.speed()));
        if button(ui, "+", say("Faster (])")) {
            asked.push(Action::Faster);
        }
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| switches::show(ui, session, asked));
}

/// Shows a choice of clips if the only open file has several.
fn clip_choice(ui: &Ui, session: &mut Session) {
    let [lane] = session.lineup.lanes.as_slice() else { return };
    if lane.choices.len() < 2 {
        return;
    }
    let mut chosen = lane.chosen;
    egui::Area::new(egui::Id::new("clips")).anchor(Align2::LEFT_TOP, vec2(14.0, 14.0)).show(
        ui.ctx(),
        |ui| {
            egui::ComboBox::from_id_salt("clip")
                .selected_text(&lane.choices[chosen].name)
                .width(200.0)
                .height(420.0)
                .show_ui(ui, |ui| {
                    for (place, choice) in lane.choices.iter().enumerate() {
                        ui.selectable_value(&mut chosen, place, &choice.name);
                    }
                });
        },
    );
    if chosen != lane.chosen {
        session.choose(0, chosen);
    }
}

/// Draws the timeline: a track with a draggable playhead, a mark for each second (or a round number
/// of seconds), a fill up to the playhead, and a dimmed part outside the playback range.
fn timeline(ui: &mut Ui, session: &mut Session) {
    let size = vec2(ui.available_width(), 26.0);
    let (area, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let track = Rect::from_min_max(
        pos2(area.left() + 6.0, area.top()),
        pos2(area.right() - 6.0, area.bottom()),
    );
    scrub(&response, track, session);
    let (last, frame) = (session.playback.frames() - 1, session.playback.frame());
    response.widget_info(|| WidgetInfo::slider(true, frame as f64, "frame"));
    let share = frame as f32 / last.max(1) as f32;
    let (middle, x) = (track.center().y + 4.0, track.left() + share * track.width());
    let text = ui.visuals().text_color();
    let painter = ui.painter();
    let line =
        |from: f32, to: f32| Rect::from_min_max(pos2(from, middle - 2.0), pos2(to, middle + 2.0));
    let round = CornerRadius::same(2);
    painter.rect_filled(line(track.left(), track.right()), round, text.gamma_multiply(0.18));
    painter.rect_filled(line(track.left(), x), round, ACCENT);
    // dim what is outside the playback range
    let veil = ui.visuals().panel_fill.gamma_multiply(0.7);
    let (first_played, last_played) = session.playback.range();
    for (from, to) in [(0, first_played), (last_played, last)] {
        let [from, to] = [from, to]
            .map(|frame| track.left() + frame as f32 / last.max(1) as f32 * track.width());
        if from < to {
            painter.rect_filled(line(from, to), round, veil);
        }
    }
    let (seconds, every) = marks(session.playback.duration_s(), track.width());
    for mark in 0..=seconds / every {
        let second = mark * every;
        let share = second as f32 * session.playback.fps().per_second() / last.max(1) as f32;
        if share > 1.001 {
            continue;
        }
        let at = track.left() + share * track.width();
        let faint = Stroke::new(1.0, text.gamma_multiply(0.35));
        painter.line_segment([pos2(at, middle - 8.0), pos2(at, middle - 4.0)], faint);
        let (font, color) = (FontId::proportional(10.0), text.gamma_multiply(0.6));
        painter.text(
            pos2(at, middle - 8.0),
            Align2::CENTER_BOTTOM,
            format!("{second}s"),
            font,
            color,
        );
    }
    let grip = if response.hovered() || response.dragged() { 8.0 } else { 6.5 };
    painter.circle_filled(pos2(x, middle), grip, Color32::from_gray(235));
    painter.circle_stroke(pos2(x, middle), grip, Stroke::new(1.5, ACCENT));
    if response.has_focus() {
        painter.rect_stroke(area, round, Stroke::new(1.0, ACCENT), egui::StrokeKind::Inside);
    }
}

fn scrub(response: &Response, track: Rect, session: &mut Session) {
    let held = response.dragged() || response.clicked() || response.is_pointer_button_down_on();
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| held) {
        let share = ((pointer.x - track.left()) / track.width()).clamp(0.0, 1.0);
        session.playback.pause();
        session.seek((share * (session.playback.frames() - 1) as f32).round() as usize);
    }
}

/// Returns the number of whole seconds on the timeline, and the spacing of its marks in seconds.
fn marks(duration_s: f32, width: f32) -> (usize, usize) {
    let seconds = duration_s.floor().max(0.0) as usize;
    let room = (width / MARK_DISTANCE).max(1.0);
    let steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600];
    let every = steps.into_iter().find(|every| duration_s / *every as f32 <= room);
    (seconds, every.unwrap_or(seconds.max(1)))
}

fn help(ui: &Ui, language: Language) {
    let say = |english| said(language, english);
    over_picture(ui, "help", Align2::RIGHT_TOP, |ui| {
        ui.label(egui::RichText::new(say("Shortcuts")).strong());
        ui.add_space(4.0);
        for (_, _, _, name) in KEYS.iter().filter(|key| !key.3.is_empty()) {
            ui.label(say(name));
        }
        ui.add_space(6.0);
        for line in [say("Drag  orbit"), say("Right drag  pan"), say("Wheel  zoom")] {
            ui.label(line);
        }
    });
}

fn over_picture(ui: &Ui, id: &str, place: Align2, contents: impl FnOnce(&mut Ui)) {
    let fill = ui.visuals().panel_fill.gamma_multiply(0.94);
    let side = match place {
        Align2::RIGHT_TOP => -16.0,
        _ => 0.0,
    };
    egui::Area::new(egui::Id::new(id)).anchor(place, vec2(side, 16.0)).interactable(false).show(
        ui.ctx(),
        |ui| {
            let frame = Frame::new().fill(fill).corner_radius(8).inner_margin(14);
            frame.show(ui, contents);
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_never_cover_each_other() {
        let label =
            |words: &str, x: f32| Label { words: words.into(), place: [x, 0.0, 0.0].into() };
        let labels = [label("A  walk", 0.0), label("B  run", 5.0), label("far", 400.0)];
        let same: Vec<_> = std::iter::repeat_with(|| label("+0.25 s", 2.0)).take(5).collect();
        let all = labels.iter().chain(&same);
        let placed = place_labels(all, |label| Some(Vec2::new(label.place.x, 100.0)));
        assert_eq!(placed.len(), 4, "{placed:?}");
        assert_eq!((placed[0].1[1], placed[1].1[1], placed[2].1[1]), (100.0, 83.0, 100.0));
    }

    #[test]
    fn timeline_marks_do_not_touch() {
        for (duration_s, width) in [(1.0, 900.0), (10.0, 900.0), (60.0, 900.0), (600.0, 300.0)] {
            let (_, every) = marks(duration_s, width);
            assert!(width * every as f32 / duration_s >= MARK_DISTANCE * 0.99, "{duration_s}");
        }
        assert_eq!(marks(6.0, 900.0), (6, 1));
    }
}
