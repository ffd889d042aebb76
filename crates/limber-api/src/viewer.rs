//! The protocol between the app and a viewer process: JSON lines.
//!
//! The app writes one [`ViewerCommand`] per line to the viewer's standard input; the viewer writes
//! one [`ViewerEvent`] per line to its standard output. A line is one JSON object in UTF-8, ends
//! with `\n` and is at most [`MAX_LINE_BYTES`] long. Frames are numbered from 0.
//!
//! An attached viewer closes when its input ends, because the app is gone.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// Maximum length of a line, without its terminator.
pub const MAX_LINE_BYTES: usize = 64 * 1024;
/// Maximum number of files in a `load` command.
pub const MAX_FILES: usize = 16;
/// Minimum playback speed, relative to real time.
pub const MIN_SPEED: f32 = 0.1;
/// Maximum playback speed, relative to real time.
pub const MAX_SPEED: f32 = 4.0;

/// A command from the app to a viewer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum ViewerCommand {
    /// Starts playback; from the first frame if the playhead is at the end and looping is off.
    Play {},
    /// Starts reverse playback; from the last frame if the playhead is at the first and looping is
    /// off.
    PlayBackwards {},
    /// Restricts playback to a range, whose ends then act as the ends of the clip. A paused
    /// playhead may be outside; playback from there continues at the range's first frame, or at its
    /// last if reversed.
    PlayRange {
        /// Clamped to the clip; `null` plays the whole clip again, as does loading other files.
        range: Option<FrameRange>,
    },
    /// Pauses at the current frame.
    Pause {},
    /// Moves the playhead without pausing or starting playback.
    Seek {
        /// Frame from 0; clamped to the last one.
        frame: u32,
    },
    /// Replaces the current files and shows these side by side.
    Load {
        /// Paths of GLB files, 1 to [`MAX_FILES`].
        files: Vec<String>,
        /// Display names in the same order; the default is the file's own name.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        names: Vec<String>,
    },
    /// Switches looping.
    SetLoop {
        /// Whether playback continues at the start after the last frame.
        enabled: bool,
    },
    /// Switches in-place display.
    SetInPlace {
        /// Whether characters stay in place; `false` shows their root motion.
        enabled: bool,
    },
    /// Selects the colour theme.
    SetTheme {
        /// Whether the light theme is used instead of the dark one.
        light: bool,
    },
    /// Selects the language of the window.
    SetLanguage {
        /// The language.
        language: ViewerLanguage,
    },
    /// Moves the camera so that everything is in view.
    FrameAll {},
    /// Sets the playback speed.
    Speed {
        /// 1 is real time; clamped to [`MIN_SPEED`] to [`MAX_SPEED`].
        factor: f32,
    },
    /// Shows or hides a layer.
    Show {
        /// The layer.
        layer: ViewerLayer,
        /// Whether to show it.
        enabled: bool,
    },
    /// Selects the file that is B while [`ViewerLayer::Overlay`] shows two in one place; the first
    /// is A.
    Compare {
        /// Number of the file, from 1.
        with: u32,
    },
    /// Closes the viewer.
    Close {},
}

/// A non-empty range of frames, including both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Ends")]
pub struct FrameRange {
    first: u32,
    last: u32,
}

impl FrameRange {
    /// Returns `None` if `last` is before `first`.
    #[must_use]
    pub const fn new(first: u32, last: u32) -> Option<Self> {
        if first <= last { Some(Self { first, last }) } else { None }
    }

    /// Returns the first frame, from 0.
    #[must_use]
    pub const fn first(self) -> u32 {
        self.first
    }

    /// Returns the last frame, which is included.
    #[must_use]
    pub const fn last(self) -> u32 {
        self.last
    }
}

/// The JSON form of a [`FrameRange`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ends {
    first: u32,
    last: u32,
}

impl TryFrom<Ends> for FrameRange {
    type Error = &'static str;

    fn try_from(Ends { first, last }: Ends) -> Result<Self, Self::Error> {
        Self::new(first, last).ok_or("a range ends with its first frame or a later one")
    }
}

/// A key press that the viewer passes on to the app, with keys named as in the DOM.
///
/// The app decides what each key does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PressedKey {
    /// `KeyboardEvent.key`: a lower-case letter, or a name such as `Delete`.
    pub key: String,
    /// Whether Control, or Command on a Mac, was held.
    pub ctrl: bool,
    /// Whether Shift was held.
    pub shift: bool,
}

/// A language of a viewer's window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ViewerLanguage {
    /// English.
    #[default]
    En,
    /// German.
    De,
}

/// A layer that can be shown or hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ViewerLayer {
    /// The character's mesh.
    Skin,
    /// The skeleton.
    Bones,
    /// The floor grid.
    Grid,
    /// Rings under feet in contact with the floor.
    Contacts,
    /// The world axes, at the origin.
    Axes,
    /// Motion trails of hips, head, hands and feet.
    Trails,
    /// Onion skins: each character a little earlier and later.
    Ghosts,
    /// Two clips in one place instead of all side by side.
    Overlay,
}

impl ViewerLayer {
    /// All layers with their names on the wire.
    pub const NAMES: [(&'static str, Self); 8] = [
        ("skin", Self::Skin),
        ("bones", Self::Bones),
        ("grid", Self::Grid),
        ("contacts", Self::Contacts),
        ("axes", Self::Axes),
        ("trails", Self::Trails),
        ("ghosts", Self::Ghosts),
        ("overlay", Self::Overlay),
    ];

    /// Returns the layer with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, layer)| layer)
    }
}

/// An event from a viewer to the app.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ViewerEvent {
    /// The first frame of the loaded files is on the screen.
    Ready {
        /// Number of clips playing side by side.
        clips: u32,
        /// Frames of the longest clip, at `fps`.
        frames: u32,
        /// Frames per second of the timeline.
        fps: u16,
    },
    /// The current frame changed.
    Frame {
        /// Frame from 0.
        index: u32,
    },
    /// Playback started or stopped, whatever the cause.
    Playing {
        /// Whether playback is running.
        playing: bool,
        /// Whether playback is reversed.
        backwards: bool,
    },
    /// What is shown; sent after `ready` and after every change.
    Shows {
        /// The visible layers, in the order of [`ViewerLayer::NAMES`].
        layers: Vec<ViewerLayer>,
        /// Number of the file that is B while two are shown in one place, from 1.
        with: u32,
    },
    /// A key that the app handles was pressed in the viewer's window.
    Pressed(PressedKey),
    /// The viewer is closing; always the last line.
    Closed {},
    /// Something failed; the viewer continues unless `closed` follows.
    Error {
        /// A sentence for the user.
        message: String,
    },
}

/// Why a line could not be read.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// The line is longer than [`MAX_LINE_BYTES`].
    #[error("the line is longer than {MAX_LINE_BYTES} bytes; send shorter lines")]
    TooLong,
    /// The line is not the JSON of a known message.
    #[error("the line is not a known message: {0}")]
    Unknown(String),
    /// Reading failed.
    #[error("the connection was interrupted: {0}")]
    Broken(#[from] io::Error),
}

/// Writes a message as one line and flushes it.
///
/// # Errors
/// If the other side is gone.
pub fn write_line<M: Serialize>(sink: &mut impl Write, message: &M) -> io::Result<()> {
    let mut line = serde_json::to_vec(message).map_err(io::Error::other)?;
    line.push(b'\n');
    sink.write_all(&line)?;
    sink.flush()
}

/// Reads the next message, skipping blank lines; returns `None` at the end of the stream. After
/// [`LineError::TooLong`] and [`LineError::Unknown`], the next call reads the next line.
///
/// # Errors
/// See [`LineError`].
pub fn read_line<M: DeserializeOwned>(source: &mut impl BufRead) -> Result<Option<M>, LineError> {
    loop {
        let Some(line) = bounded_line(source)? else { return Ok(None) };
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        return serde_json::from_slice(&line)
            .map(Some)
            .map_err(|error| LineError::Unknown(error.to_string()));
    }
}

/// Reads one line without its terminator, buffering at most [`MAX_LINE_BYTES`]; the rest of a
/// longer line is discarded.
fn bounded_line(source: &mut impl BufRead) -> Result<Option<Vec<u8>>, LineError> {
    let mut line = Vec::new();
    let mut read_any = false;
    let mut too_long = false;
    loop {
        let chunk = match source.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        if chunk.is_empty() {
            break;
        }
        read_any = true;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        too_long |= line.len() + part.len() > MAX_LINE_BYTES;
        if !too_long {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        source.consume(used);
        if end.is_some() {
            break;
        }
    }
    match (too_long, read_any) {
        (true, _) => Err(LineError::TooLong),
        (false, true) => Ok(Some(line)),
        (false, false) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> Vec<Result<ViewerCommand, String>> {
        let mut source = text.as_bytes();
        std::iter::from_fn(|| read_line(&mut source).map_err(|error| error.to_string()).transpose())
            .collect()
    }

    #[test]
    fn every_command_is_read_back_unchanged() {
        let commands = [
            ViewerCommand::Play {},
            ViewerCommand::Pause {},
            ViewerCommand::Seek { frame: 42 },
            ViewerCommand::Load { files: vec!["walk.glb".into()], names: vec!["A walk".into()] },
            ViewerCommand::Load { files: vec!["walk.glb".into()], names: vec![] },
            ViewerCommand::SetTheme { light: true },
            ViewerCommand::SetLanguage { language: ViewerLanguage::De },
            ViewerCommand::SetLoop { enabled: true },
            ViewerCommand::SetInPlace { enabled: true },
            ViewerCommand::FrameAll {},
            ViewerCommand::Speed { factor: 0.5 },
            ViewerCommand::PlayBackwards {},
            ViewerCommand::PlayRange { range: FrameRange::new(7, 7) },
            ViewerCommand::PlayRange { range: None },
            ViewerCommand::Show { layer: ViewerLayer::Trails, enabled: true },
            ViewerCommand::Compare { with: 2 },
            ViewerCommand::Close {},
        ];
        let mut wire = Vec::new();
        for command in &commands {
            write_line(&mut wire, command).expect("writing to memory cannot fail");
        }
        let text = String::from_utf8(wire).expect("JSON is UTF-8");
        let read: Vec<_> =
            read_all(&text).into_iter().map(|one| one.expect("the command is known")).collect();
        assert_eq!(read, commands);
    }

    #[test]
    fn the_wire_format_of_commands_and_events_is_stable() {
        let seek = serde_json::to_string(&ViewerCommand::Seek { frame: 3 })
            .expect("the value can be serialised");
        assert_eq!(seek, r#"{"command":"seek","frame":3}"#);
        let show = ViewerCommand::Show { layer: ViewerLayer::Ghosts, enabled: false };
        let show = serde_json::to_string(&show).expect("the value can be serialised");
        assert_eq!(show, r#"{"command":"show","layer":"ghosts","enabled":false}"#);
        let range = ViewerCommand::PlayRange { range: FrameRange::new(30, 59) };
        let range = serde_json::to_string(&range).expect("the value can be serialised");
        assert_eq!(range, r#"{"command":"play_range","range":{"first":30,"last":59}}"#);
        for (name, layer) in ViewerLayer::NAMES {
            assert_eq!(serde_json::to_value(layer).expect("the value can be serialised"), name);
            assert_eq!(ViewerLayer::from_name(name), Some(layer));
        }
        let ready = ViewerEvent::Ready { clips: 2, frames: 90, fps: 30 };
        let ready = serde_json::to_string(&ready).expect("the value can be serialised");
        assert_eq!(ready, r#"{"event":"ready","clips":2,"frames":90,"fps":30}"#);
        let shows = ViewerEvent::Shows { layers: vec![ViewerLayer::Skin], with: 1 };
        let shows = serde_json::to_string(&shows).expect("the value can be serialised");
        assert_eq!(shows, r#"{"event":"shows","layers":["skin"],"with":1}"#);
        let playing = ViewerEvent::Playing { playing: true, backwards: false };
        let playing = serde_json::to_string(&playing).expect("the value can be serialised");
        assert_eq!(playing, r#"{"event":"playing","playing":true,"backwards":false}"#);
        let key = PressedKey { key: "z".into(), ctrl: true, shift: false };
        let pressed =
            serde_json::to_string(&ViewerEvent::Pressed(key)).expect("the value can be serialised");
        assert_eq!(pressed, r#"{"event":"pressed","key":"z","ctrl":true,"shift":false}"#);
        let closed =
            serde_json::to_string(&ViewerEvent::Closed {}).expect("the value can be serialised");
        assert_eq!(closed, r#"{"event":"closed"}"#);
    }

    #[test]
    fn ranges_that_end_before_they_begin_are_rejected() {
        assert_eq!(FrameRange::new(8, 7), None);
        let ranges = [
            r#"{"first":8,"last":7}"#,
            r#"{"first":-1,"last":7}"#,
            r#"{"first":8}"#,
            r#"{"first":1,"last":7,"step":2}"#,
        ];
        let lines = ranges.map(|range| format!("{{\"command\":\"play_range\",\"range\":{range}}}"));
        let read = read_all(&lines.join("\n"));
        assert_eq!(read.len(), ranges.len());
        assert!(read.iter().all(Result::is_err), "{read:?}");
        assert!(read[0].as_ref().is_err_and(|message| message.contains("a range ends with")));
    }

    #[test]
    fn unknown_commands_are_errors_and_the_next_line_is_read() {
        let read = read_all("{\"command\":\"dance\"}\n\nnot json\n{\"command\":\"play\"}");
        assert_eq!(read.len(), 3);
        assert!(read[0].is_err() && read[1].is_err());
        assert_eq!(read[2], Ok(ViewerCommand::Play {}));
    }

    #[test]
    fn oversized_lines_are_discarded_without_being_buffered() {
        let text = format!("{}\n{{\"command\":\"pause\"}}\n", "x".repeat(MAX_LINE_BYTES + 1));
        let read = read_all(&text);
        assert!(read[0].as_ref().is_err_and(|message| message.contains("longer")));
        assert_eq!(read[1], Ok(ViewerCommand::Pause {}));
    }
}
