//! The viewer's end of the command link: reads commands on its own thread and writes events.

use std::io::{self, BufReader, Write};

use limber_api::viewer::{
    LineError, ViewerCommand, ViewerEvent, ViewerLayer, read_line, write_line,
};

/// Messages from other threads to the window: from the command reader and the turntable renderer.
#[derive(Debug)]
pub(crate) enum Incoming {
    Command(ViewerCommand),
    /// A line that is not a valid command; the link stays open.
    Bad(String),
    /// The input ended, because the app is gone.
    Ended,
    /// Progress of the turntable video, 0 to 1.
    TurntableProgress(f32),
    /// The turntable video was saved under this name, or failed with this message.
    TurntableEnded(Result<String, String>),
}

/// Reads commands until the input ends, or until `deliver` returns `false` because the window is
/// gone.
pub(crate) fn read_commands(source: impl io::Read, deliver: impl Fn(Incoming) -> bool) {
    let mut source = BufReader::new(source);
    loop {
        let incoming = match read_line::<ViewerCommand>(&mut source) {
            Ok(Some(command)) => Incoming::Command(command),
            Ok(None) | Err(LineError::Broken(_)) => Incoming::Ended,
            Err(error) => Incoming::Bad(error.to_string()),
        };
        let last = matches!(incoming, Incoming::Ended);
        if !deliver(incoming) || last {
            return;
        }
    }
}

/// Writes events, leaving out those that repeat the last state.
pub(crate) struct Outgoing<W> {
    sink: W,
    frame: Option<u32>,
    /// Whether it is playing, and whether backwards.
    playing: Option<(bool, bool)>,
    looks: Option<(Vec<ViewerLayer>, u32)>,
}

impl<W: Write> Outgoing<W> {
    pub(crate) const fn new(sink: W) -> Self {
        Self { sink, frame: None, playing: None, looks: None }
    }

    /// Writes an event. Errors are ignored: a broken link shows as the end of the input.
    pub(crate) fn send(&mut self, event: &ViewerEvent) {
        let _ = write_line(&mut self.sink, event);
    }

    pub(crate) fn ready(&mut self, clips: usize, frames: usize, fps: u16) {
        self.frame = None;
        self.looks = None;
        self.send(&ViewerEvent::Ready { clips: clips as u32, frames: frames as u32, fps });
    }

    /// Reports the frame and playback state after an image has been displayed.
    pub(crate) fn shown(&mut self, frame: usize, playing: bool, backwards: bool) {
        let news = (playing, playing && backwards);
        if self.playing.replace(news) != Some(news) {
            self.send(&ViewerEvent::Playing { playing, backwards: news.1 });
        }
        let index = frame as u32;
        if self.frame.replace(index) != Some(index) {
            self.send(&ViewerEvent::Frame { index });
        }
    }

    /// Reports the visible layers, and which file is B.
    pub(crate) fn shows(&mut self, layers: Vec<ViewerLayer>, with: usize) {
        let news = (layers, with as u32);
        if self.looks.as_ref() != Some(&news) {
            self.send(&ViewerEvent::Shows { layers: news.0.clone(), with: news.1 });
            self.looks = Some(news);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn commands_arrive_in_order_with_bad_lines_reported_and_the_end_last() {
        let wire = "{\"command\":\"play\"}\nhello\n{\"command\":\"seek\",\"frame\":7}\n";
        let seen = RefCell::new(Vec::new());
        read_commands(wire.as_bytes(), |incoming| {
            seen.borrow_mut().push(format!("{incoming:?}"));
            true
        });
        let seen = seen.into_inner();
        assert_eq!(seen.len(), 4);
        assert!(seen[0].contains("Play") && seen[1].starts_with("Bad"));
        assert!(seen[2].contains("frame: 7") && seen[3] == "Ended");
    }

    #[test]
    fn a_frame_shown_twice_is_reported_once() {
        let mut wire = Vec::new();
        let mut outgoing = Outgoing::new(&mut wire);
        outgoing.shown(3, true, false);
        outgoing.shown(3, true, false);
        // a paused viewer has no direction
        outgoing.shown(4, false, true);
        outgoing.shown(4, false, false);
        let text = String::from_utf8(wire).expect("JSON is UTF-8");
        assert_eq!(text.lines().count(), 4, "{text}");
        assert!(text.ends_with("{\"event\":\"frame\",\"index\":4}\n"));
    }

    #[test]
    fn view_changes_are_reported() {
        let mut wire = Vec::new();
        let mut outgoing = Outgoing::new(&mut wire);
        outgoing.shows(vec![ViewerLayer::Skin], 1);
        outgoing.shows(vec![ViewerLayer::Skin], 1);
        outgoing.shows(vec![ViewerLayer::Skin, ViewerLayer::Trails], 1);
        outgoing.ready(3, 30, 30);
        outgoing.shows(vec![ViewerLayer::Skin, ViewerLayer::Trails], 2);
        let text = String::from_utf8(wire).expect("JSON is UTF-8");
        let told: Vec<_> = text.lines().filter(|line| line.contains("shows")).collect();
        assert_eq!(told.len(), 3, "{text}");
        assert_eq!(told[2], r#"{"event":"shows","layers":["skin","trails"],"with":2}"#);
    }
}
