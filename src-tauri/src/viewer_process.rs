//! The native viewer: this same program as a process of its own, so that a fault of the graphics
//! driver cannot take the app down. One window shows clip after clip; it closes with the app,
//! because it ends with its input.

use std::{
    io::BufReader,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Arc, Mutex as StdMutex, PoisonError},
    time::Duration,
};

use limber_api::viewer::{ViewerCommand, ViewerEvent, read_line, write_line};
use limber_app::{AppError, ErrorCode, Notice, Showing, Told, ViewerListener, shown::Language};
use tokio::sync::{Mutex, mpsc};

/// The slowest first picture seen on a busy computer without a graphics card took 6 s.
const PATIENCE: Duration = Duration::from_secs(30);

/// The viewer, if one is open.
#[derive(Debug, Default)]
pub struct ViewerProcess {
    open: Mutex<Option<Link>>,
}

impl ViewerProcess {
    /// Shows these files: in the window that is open, else in a new one. Returns when they stand on
    /// the screen. From then on `told` hears everything the viewer says.
    ///
    /// # Errors
    /// When the viewer cannot be started or says that it cannot show them.
    pub async fn show(&self, showing: &Showing, told: ViewerListener) -> Result<(), AppError> {
        let mut open = self.open.lock().await;
        if let Some(mut link) = open.take() {
            match link.load(showing, &told).await {
                Answer::Shown => {
                    *open = Some(link);
                    return Ok(());
                }
                Answer::Refused(message) => {
                    *open = Some(link);
                    return Err(refused(&message));
                }
                // the person closed it
                Answer::Gone => {}
            }
        }
        let mut link = Link::start(showing, told).map_err(|_| cannot_open())?;
        match link.answer().await {
            Answer::Shown => {
                *open = Some(link);
                Ok(())
            }
            Answer::Refused(message) => Err(refused(&message)),
            Answer::Gone => Err(cannot_open()),
        }
    }

    /// Asks something of the window that is open. Answers whether one is.
    pub async fn steer(&self, wish: &ViewerCommand) -> bool {
        let mut open = self.open.lock().await;
        let heard = open.as_mut().is_some_and(|link| write_line(&mut link.commands, wish).is_ok());
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

/// In the viewer's words.
fn refused(words: &str) -> AppError {
    AppError::new(ErrorCode::ViewerFailed, Told::words(words))
}

fn cannot_open() -> AppError {
    AppError::new(ErrorCode::ViewerFailed, Notice::ViewerNotOpened)
}

/// What became of a wish to see files.
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

/// Who hears the viewer now; another one with every load.
#[derive(Clone)]
struct SharedListener(Arc<StdMutex<ViewerListener>>);

impl SharedListener {
    fn tell(&self, event: ViewerEvent) {
        let listener = Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner));
        listener(event);
    }

    fn change(&self, listener: &ViewerListener) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(listener);
    }
}

impl std::fmt::Debug for SharedListener {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SharedListener")
    }
}

impl Link {
    fn start(showing: &Showing, told: ViewerListener) -> std::io::Result<Self> {
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
        let listener = SharedListener(Arc::new(StdMutex::new(told)));
        let heard = listener.clone();
        std::thread::Builder::new()
            .name("viewer".to_owned())
            .spawn(move || listen(viewer, &answers, &heard))?;
        Ok(Self { commands, events, listener })
    }

    async fn load(&mut self, showing: &Showing, told: &ViewerListener) -> Answer {
        // what it told about earlier files answers nothing
        while self.events.try_recv().is_ok() {}
        self.listener.change(told);
        let files = showing.files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
        let load = ViewerCommand::Load { files, names: showing.names.clone() };
        let wishes = [load, ViewerCommand::Play {}];
        if wishes.iter().any(|wish| write_line(&mut self.commands, wish).is_err()) {
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

/// Passes on what the viewer says, until it ends; somebody must take note of its end, or it stays in
/// the process table. What answers a wish goes to `answers` as well.
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
