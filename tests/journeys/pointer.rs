//! Another program's window beside the app's, and a pointer that drags files between the two with
//! XDND, the freedesktop protocol for drag and drop, version 5.
//!
//! The pointer is the display's real one, moved by `xdotool`.

use std::{
    process::Command,
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::Duration,
};

use x11rb::{
    COPY_DEPTH_FROM_PARENT, CURRENT_TIME,
    connection::Connection,
    protocol::{
        Event,
        xproto::{
            AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
            SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, Window,
            WindowClass,
        },
    },
    rust_connection::RustConnection,
    wrapper::ConnectionExt as _,
};

/// Position and size of the other window, to the right of the app's.
const LEFT: i16 = 1300;
const TOP: i16 = 100;
const SIDE: u16 = 200;
/// Steps of a pointer movement; programs check the pointer position only now and then.
const STEPS: i32 = 12;
const BETWEEN_STEPS: Duration = Duration::from_millis(60);
/// Maximum number of small movements while waiting for a slow program, for several minutes.
const MOST_STIRS: usize = 1_000;

x11rb::atom_manager! {
    /// Atoms of the protocol.
    Words:
    WordsCookie {
        XdndAware, XdndSelection, XdndEnter, XdndPosition, XdndStatus, XdndLeave, XdndDrop,
        XdndFinished, XdndActionCopy,
        FILES: b"text/uri-list",
        LANDING: b"LIMBER_LANDING",
    }
}

/// A drag in progress, with the button held down.
pub(crate) struct Held {
    at: (i32, i32),
}

impl Held {
    /// Presses the button at one point of the display and drags what is offered there to another.
    pub(crate) fn carry(from: (i32, i32), to: (i32, i32)) -> Self {
        let (display, _) = x11rb::connect(None).expect("journeys run on a display");
        let asked = display.intern_atom(false, b"XdndSelection").expect("the request can be sent");
        let selection = asked.reply().expect("the display responds").atom;
        // reset the selection: any earlier drag is over
        let asked = display.set_selection_owner(x11rb::NONE, selection, CURRENT_TIME);
        asked.expect("the request can be sent").check().expect("the selection can be reset");
        let is_given = || {
            let asked = display.get_selection_owner(selection).expect("the request can be sent");
            asked.reply().expect("the display responds").owner != x11rb::NONE
        };
        move_to(from);
        xdotool(&["mousedown", "1"]);
        let mut held = Self { at: from };
        for step in 1..=STEPS {
            let between = |from: i32, to: i32| from + (to - from) * step / STEPS;
            held.at = (between(from.0, to.0), between(from.1, to.1));
            move_to(held.at);
            if step == 2 {
                // the other program has to recognise the drag, and may have to make a file first
                held.wiggle_until("the drag to start", is_given);
            }
        }
        held
    }

    /// Moves the pointer slightly: programs respond to movement only.
    pub(crate) fn wiggle(&self) {
        let (x, y) = self.at;
        move_to((x + 1, y));
        move_to((x, y));
    }

    fn wiggle_until(&self, what: &str, mut is_so: impl FnMut() -> bool) {
        for _ in 0..MOST_STIRS {
            if is_so() {
                return;
            }
            self.wiggle();
        }
        panic!("timed out moving the pointer and waiting for {what}");
    }

    /// Drops what is held at the current position.
    pub(crate) fn release(self) {
        xdotool(&["mouseup", "1"]);
    }
}

fn move_to((x, y): (i32, i32)) {
    xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
}

fn xdotool(words: &[&str]) {
    let done = Command::new("xdotool").args(words).status().expect("xdotool is installed");
    assert!(done.success(), "xdotool {words:?}");
    thread::sleep(BETWEEN_STEPS);
}

/// A program that offers files and accepts files.
pub(crate) struct FileManager {
    came: Receiver<()>,
    landed: Receiver<String>,
}

impl FileManager {
    /// Opens its window. `files` is what a drag starting there carries, as a list of URIs.
    pub(crate) fn open(files: String) -> Self {
        let (notices, came) = channel();
        let (told, landed) = channel();
        let (shown, ready) = channel();
        thread::spawn(move || Desk::open(files, notices, told).run(&shown));
        ready.recv().expect("the window is shown");
        Self { came, landed }
    }

    /// Returns the centre of its window.
    pub(crate) fn middle() -> (i32, i32) {
        let half = i32::from(SIDE / 2);
        (i32::from(LEFT) + half, i32::from(TOP) + half)
    }

    /// Waits until a drop on it would be accepted: the source sends its second position message
    /// only after it has received the first status.
    pub(crate) fn wait_until_accepted(&self, held: &Held) {
        let mut times = 0;
        held.wiggle_until("the drop to be accepted", || {
            times += self.came.try_iter().count();
            times >= 2
        });
    }

    /// Returns the URIs of the last drop, one per line.
    pub(crate) fn landed(&self) -> Option<String> {
        self.landed.try_iter().last()
    }
}

/// The program's side of the protocol.
struct Desk {
    display: RustConnection,
    root: Window,
    own: Window,
    words: Words,
    files: String,
    /// The window under the drag, if it accepts files.
    over: Option<Window>,
    /// The source window of the drag over this one.
    source: Window,
    notices: Sender<()>,
    told: Sender<String>,
}

impl Desk {
    fn open(files: String, notices: Sender<()>, told: Sender<String>) -> Self {
        let (display, screen) = x11rb::connect(None).expect("journeys run on a display");
        let words = Words::new(&display)
            .expect("the request can be sent")
            .reply()
            .expect("the display responds");
        let screen = &display.setup().roots[screen];
        let (root, white) = (screen.root, screen.white_pixel);
        let own = display.generate_id().expect("the display assigns an id");
        let events = EventMask::BUTTON_PRESS | EventMask::BUTTON_RELEASE | EventMask::BUTTON_MOTION;
        let look = CreateWindowAux::new().background_pixel(white).event_mask(events);
        let (class, visual) = (WindowClass::INPUT_OUTPUT, 0);
        display
            .create_window(
                COPY_DEPTH_FROM_PARENT,
                own,
                root,
                LEFT,
                TOP,
                SIDE,
                SIDE,
                0,
                class,
                visual,
                &look,
            )
            .expect("the window can be created");
        let version = [5];
        display
            .change_property32(PropMode::REPLACE, own, words.XdndAware, AtomEnum::ATOM, &version)
            .expect("the property can be set");
        display.map_window(own).expect("the window can be shown");
        display.sync().expect("the display responds");
        Self { display, root, own, words, files, over: None, source: 0, notices, told }
    }

    fn run(mut self, shown: &Sender<()>) {
        let _ = shown.send(());
        while let Ok(event) = self.display.wait_for_event() {
            self.handle_event(&event);
            if self.display.flush().is_err() {
                return;
            }
        }
    }

    fn handle_event(&mut self, event: &Event) {
        match event {
            Event::ButtonPress(_) => {
                let selection = self.words.XdndSelection;
                let _ = self.display.set_selection_owner(self.own, selection, CURRENT_TIME);
            }
            Event::MotionNotify(moved) => self.carry(moved.root_x, moved.root_y),
            Event::ButtonRelease(_) => {
                if let Some(target) = self.over {
                    self.send_message(target, self.words.XdndDrop, [0, CURRENT_TIME, 0, 0]);
                }
            }
            Event::SelectionRequest(request) => self.send_files(request),
            Event::ClientMessage(message) => self.handle_message(message),
            Event::SelectionNotify(_) => self.receive_drop(),
            _ => {}
        }
    }

    /// Sends drag events to the window under the pointer.
    fn carry(&mut self, x: i16, y: i16) {
        let target = self.aware_at(x, y).filter(|target| *target != self.own);
        if target != self.over {
            if let Some(left) = self.over {
                self.send_message(left, self.words.XdndLeave, [0; 4]);
            }
            if let Some(entered) = target {
                self.send_message(entered, self.words.XdndEnter, [5 << 24, self.words.FILES, 0, 0]);
            }
            self.over = target;
        }
        if let Some(target) = target {
            let place = u32::from(x.unsigned_abs()) << 16 | u32::from(y.unsigned_abs());
            let action = self.words.XdndActionCopy;
            self.send_message(target, self.words.XdndPosition, [0, place, CURRENT_TIME, action]);
        }
    }

    /// Returns the window at this point that accepts drops.
    fn aware_at(&self, x: i16, y: i16) -> Option<Window> {
        let mut window = self.root;
        loop {
            let asked = self.display.translate_coordinates(self.root, window, x, y).ok()?;
            window = Some(asked.reply().ok()?.child).filter(|child| *child != 0)?;
            let aware = self.words.XdndAware;
            let asked =
                self.display.get_property(false, window, aware, AtomEnum::ANY, 0, 1).ok()?;
            if asked.reply().ok()?.value_len > 0 {
                return Some(window);
            }
        }
    }

    fn send_files(&self, request: &SelectionRequestEvent) {
        let (window, property, kind) = (request.requestor, request.property, request.target);
        let files = self.files.as_bytes();
        let _ = self.display.change_property8(PropMode::REPLACE, window, property, kind, files);
        let answer = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor: window,
            selection: request.selection,
            target: kind,
            property,
        };
        let _ = self.display.send_event(false, window, EventMask::NO_EVENT, answer);
    }

    fn handle_message(&mut self, message: &ClientMessageEvent) {
        let data = message.data.as_data32();
        if message.type_ == self.words.XdndEnter {
            self.source = data[0];
        } else if message.type_ == self.words.XdndPosition {
            let yes = [1, 0, 0, self.words.XdndActionCopy];
            self.send_message(self.source, self.words.XdndStatus, yes);
            let _ = self.notices.send(());
        } else if message.type_ == self.words.XdndDrop {
            let (selection, kind) = (self.words.XdndSelection, self.words.FILES);
            let to = self.words.LANDING;
            let _ = self.display.convert_selection(self.own, selection, kind, to, data[2]);
        }
    }

    fn receive_drop(&self) {
        let property = self.words.LANDING;
        let read = self.display.get_property(true, self.own, property, AtomEnum::ANY, 0, 65_536);
        if let Some(read) = read.ok().and_then(|asked| asked.reply().ok()) {
            let _ = self.told.send(String::from_utf8_lossy(&read.value).into_owned());
        }
        let done = [1, self.words.XdndActionCopy, 0, 0];
        self.send_message(self.source, self.words.XdndFinished, done);
    }

    /// Sends a client message, whose first data word is always this window.
    fn send_message(&self, to: Window, word: u32, [a, b, c, d]: [u32; 4]) {
        let message = ClientMessageEvent::new(32, to, word, [self.own, a, b, c, d]);
        let _ = self.display.send_event(false, to, EventMask::NO_EVENT, message);
    }
}
