//! The native viewer, run as a separate process of this executable, so that a crash of the graphics
//! driver cannot take the app down. One window shows clip after clip; it closes with the app,
//! because it exits at the end of its input.

use std::{
    io::BufReader,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Arc, Mutex as StdMutex},
    time::Duration,
};

use limber_api::viewer::{ViewerCommand, ViewerEvent, read_line, write_line};
use limber_app::{
    AppError, ErrorCode, MessageView, Notice, Showing, ViewerListener, views::Language,
};
use limber_domain::lock;
use tokio::sync::{Mutex, mpsc};

/// Timeout for the first frame. The slowest seen, on a busy computer without a graphics card, took
/// 6 s.
const PATIENCE: Duration = Duration::from_secs(30);

/// The viewer process, if one is running.
#[derive(Debug, Default)]
pub struct ViewerProcess {
    open: Mutex<Option<Link>>,
}

impl ViewerProcess {
    /// Shows files in the open window, or else in a new one. Returns once they are displayed. From
    /// then on `listener` receives all events of the viewer.
    ///
    /// # Errors
    /// If the viewer cannot be started or reports that it cannot show the files.
    pub async fn show(&self, showing: &Showing, listener: ViewerListener) -> Result<(), AppError> {
        let mut open = self.open.lock().await;
        if let Some(mut link) = open.take() {
            match link.load(showing, &listener).await {
                Answer::Shown => {
                    *open = Some(link);
                    return Ok(());
                }
                Answer::Refused(message) => {
                    *open = Some(link);
                    return Err(refused(&message));
                }
                // the user closed it
                Answer::Gone => {}
            }
        }
        let mut link = Link::start(showing, listener).map_err(|_| cannot_open())?;
        match link.answer().await {
            Answer::Shown => {
                *open = Some(link);
                Ok(())
            }
            Answer::Refused(message) => Err(refused(&message)),
            Answer::Gone => Err(cannot_open()),
        }
    }

    /// Sends a command to the open window. Returns whether one is open.
    pub async fn steer(&self, command: &ViewerCommand) -> bool {
        let mut open = self.open.lock().await;
        let heard =
            open.as_mut().is_some_and(|link| write_line(&mut link.commands, command).is_ok());
        if !heard {
            *open = None;
        }
        heard
    }
}

const fn language_tag(language: Language) -> &'static str {
    match language {
        Language::En => "en",
        Language::De => "de",
    }
}

/// Makes an error from the viewer's message.
fn refused(words: &str) -> AppError {
    AppError::new(ErrorCode::ViewerFailed, MessageView::words(words))
}

fn cannot_open() -> AppError {
    AppError::new(ErrorCode::ViewerFailed, Notice::ViewerNotOpened)
}

/// Outcome of a request to show files.
enum Answer {
    Shown,
    Refused(String),
    Gone,
}

/// A running viewer. Dropping it closes the window.
#[derive(Debug)]
struct Link {
    commands: ChildStdin,
    events: mpsc::UnboundedReceiver<ViewerEvent>,
    listener: SharedListener,
}

/// The current recipient of viewer events; replaced with every load.
#[derive(Clone)]
struct SharedListener(Arc<StdMutex<ViewerListener>>);

impl SharedListener {
    fn tell(&self, event: ViewerEvent) {
        let listener = Arc::clone(&lock(&self.0));
        listener(event);
    }

    fn change(&self, listener: &ViewerListener) {
        *lock(&self.0) = Arc::clone(listener);
    }
}

impl std::fmt::Debug for SharedListener {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SharedListener")
    }
}

impl Link {
    fn start(showing: &Showing, listener: ViewerListener) -> std::io::Result<Self> {
        let mut viewer = Command::new(std::env::current_exe()?)
            .args(["view", "--attached"])
            .args(showing.light.then_some("--light"))
            .args(["--language", language_tag(showing.language)])
            .args(showing.names.iter().map(|name| format!("--name={name}")))
            .arg("--")
            .args(&showing.files)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let missing = || std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        let commands = viewer.stdin.take().ok_or_else(missing)?;
        let (answers, events) = mpsc::unbounded_channel();
        let listener = SharedListener(Arc::new(StdMutex::new(listener)));
        let heard = listener.clone();
        std::thread::Builder::new()
            .name("viewer".to_owned())
            .spawn(move || listen(viewer, &answers, &heard))?;
        Ok(Self { commands, events, listener })
    }

    async fn load(&mut self, showing: &Showing, listener: &ViewerListener) -> Answer {
        // discard events about earlier files
        while self.events.try_recv().is_ok() {}
        self.listener.change(listener);
        let files = showing.files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
        let load = ViewerCommand::Load { files, names: showing.names.clone() };
        let commands = [load, ViewerCommand::Play {}];
        if commands.iter().any(|command| write_line(&mut self.commands, command).is_err()) {
            return Answer::Gone;
        }
        self.answer().await
    }

    async fn answer(&mut self) -> Answer {
        let answer = async {
            match self.events.recv().await {
                Some(ViewerEvent::Ready { .. }) => Answer::Shown,
                Some(ViewerEvent::Error { message }) => Answer::Refused(message),
                _ => Answer::Gone,
            }
        };
        tokio::time::timeout(PATIENCE, answer).await.unwrap_or(Answer::Gone)
    }
}

/// Forwards the viewer's events until it exits, and reaps the process. Events that answer a request
/// also go to `answers`.
fn listen(
    mut viewer: Child,
    answers: &mpsc::UnboundedSender<ViewerEvent>,
    listener: &SharedListener,
) {
    let mut source = viewer.stdout.take().map(BufReader::new);
    while let Some(source) = &mut source
        && let Ok(Some(event)) = read_line::<ViewerEvent>(source)
    {
        let answers_a_wish = matches!(
            event,
            ViewerEvent::Ready { .. } | ViewerEvent::Error { .. } | ViewerEvent::Closed {}
        );
        if answers_a_wish && answers.send(event.clone()).is_err() {
            break;
        }
        if event != (ViewerEvent::Closed {}) {
            listener.tell(event);
        }
    }
    drop(source);
    let _ = viewer.wait();
    listener.tell(ViewerEvent::Closed {});
}
