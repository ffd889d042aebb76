//! Files of strangers, read where they can do no harm.
//!
//! Whatever a file makes its reader do, it does so in a process of its own: with little memory and
//! time, without the service's secrets, without a way to open a file or a connection. A reader that
//! dies is a file that cannot be read, and nothing else.
//!
//! ```text
//! order (a line of JSON) ─▶ child ─▶ converted file, outcome (JSON)
//! ```

mod child;
mod order;
mod reading;
mod rig;

use std::{
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use limber_system::limits::{self, Death};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{Child, Command},
};

use crate::{
    config::{ImportLimits, ReaderProgram},
    shares::{Share, Shares},
};

pub use child::reader_main;
pub(crate) use order::{Choices, ReadModel};
use order::{Order, Outcome, Task};

/// What a dying reader says is kept up to here, for the log.
const LONGEST_COMPLAINT_BYTES: u64 = 4 << 10;
/// An outcome with a joint map of a thousand joints has a few hundred kilobytes.
const LONGEST_OUTCOME_BYTES: u64 = 16 << 20;
/// No reader works for so long.
const LEFT_BEHIND: Duration = Duration::from_secs(3600);
/// A file waits this long for others to be read. With reading and drawing, an answer still comes
/// in time.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Why there is no character.
#[derive(Debug)]
pub(crate) enum ImportRefusal {
    /// The file is not one; the specification's code, and a sentence.
    Unreadable { code: u16, message: String },
    /// Too many files are being read.
    Busy,
    /// The reader cannot be started.
    System(io::Error),
}

impl From<io::Error> for ImportRefusal {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// A character that was read.
#[derive(Debug)]
pub(crate) struct Imported {
    pub(crate) model: ReadModel,
    /// Where its GLB lies; goes when this is dropped.
    pub(crate) glb: PathBuf,
    _folder: Scratch,
}

/// Whose file is read, and where.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bench<'a> {
    /// The account that shares readers with others.
    pub(crate) account: &'a str,
    /// A name that nobody else uses.
    pub(crate) scratch: &'a str,
}

/// Starts readers.
#[derive(Debug, Clone)]
pub(crate) struct Importer {
    program: ReaderProgram,
    limits: ImportLimits,
    folder: PathBuf,
    slots: Shares,
}

impl Importer {
    /// Readers work below `folder`; what those of a killed service left there is removed.
    pub(crate) fn new(
        program: ReaderProgram,
        limits: ImportLimits,
        folder: PathBuf,
    ) -> io::Result<Self> {
        sweep(&folder)?;
        let slots = Shares::new(limits.at_once);
        Ok(Self { program, limits, folder, slots })
    }

    /// Reads a character and converts it.
    pub(crate) async fn read(
        &self,
        file: &Path,
        choices: Choices,
        bench: Bench<'_>,
    ) -> Result<Imported, ImportRefusal> {
        let _slot = self.slot(bench).await?;
        let folder = Scratch::make(self.folder.join(bench.scratch))?;
        let mut order = self.order(Task::Read, file, &folder, "converted.glb")?;
        order.choices = choices;
        let ended = self.run(&order, &folder.0).await?;
        let model = match ended {
            Ended::Well => match read_outcome(&order.outcome).await? {
                Some(Outcome::Read(model)) => model,
                Some(Outcome::Refused { code, message }) => {
                    return Err(ImportRefusal::Unreadable { code, message });
                }
                Some(Outcome::Fitted) | None => return Err(unreadable(BROKEN)),
            },
            Ended::Badly(message) => return Err(unreadable(message)),
        };
        Ok(Imported { model, glb: order.output, _folder: folder })
    }

    /// A picture of a character of ours. `None`, with a word in the log, where it cannot be drawn.
    pub(crate) async fn draw<S, E>(&self, glb: S, bench: Bench<'_>) -> Option<Vec<u8>>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: std::error::Error + Send + Sync + 'static,
    {
        let drawn = self.try_to_draw(glb, bench).await;
        drawn
            .inspect_err(|error| tracing::warn!(?error, "a character has no picture"))
            .unwrap_or_default()
    }

    async fn try_to_draw<S, E>(
        &self,
        mut glb: S,
        bench: Bench<'_>,
    ) -> Result<Option<Vec<u8>>, ImportRefusal>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: std::error::Error + Send + Sync + 'static,
    {
        let _slot = self.slot(bench).await?;
        let folder = Scratch::make(self.folder.join(bench.scratch))?;
        let input = folder.0.join("model.glb");
        write_all(&input, &mut glb).await?;
        let order = self.order(Task::Draw, &input, &folder, "picture.png")?;
        match self.run(&order, &folder.0).await? {
            Ended::Well => Ok(Some(tokio::fs::read(&order.output).await?)),
            Ended::Badly(_) => Ok(None),
        }
    }

    /// A stranger's picture as a PNG that can be shown; `None` when it is none.
    pub(crate) async fn fit(
        &self,
        file: &Path,
        bench: Bench<'_>,
    ) -> Result<Option<Vec<u8>>, ImportRefusal> {
        let _slot = self.slot(bench).await?;
        let folder = Scratch::make(self.folder.join(bench.scratch))?;
        let order = self.order(Task::Fit, file, &folder, "picture.png")?;
        let fitted = match self.run(&order, &folder.0).await? {
            Ended::Well => matches!(read_outcome(&order.outcome).await?, Some(Outcome::Fitted)),
            Ended::Badly(_) => false,
        };
        Ok(if fitted { Some(tokio::fs::read(&order.output).await?) } else { None })
    }

    /// Waits until one more file of the account may be read.
    async fn slot(&self, bench: Bench<'_>) -> Result<Share, ImportRefusal> {
        self.slots.take(bench.account, LONGEST_WAIT).await.ok_or(ImportRefusal::Busy)
    }

    /// Reads a character of ours again.
    pub(crate) async fn read_again<S, E>(
        &self,
        mut glb: S,
        choices: Choices,
        bench: Bench<'_>,
    ) -> Result<Imported, ImportRefusal>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: std::error::Error + Send + Sync + 'static,
    {
        let folder = Scratch::make(self.folder.join(format!("{}-source", bench.scratch)))?;
        let input = folder.0.join("model.glb");
        write_all(&input, &mut glb).await?;
        self.read(&input, choices, bench).await
    }

    fn order(&self, task: Task, input: &Path, folder: &Scratch, output: &str) -> io::Result<Order> {
        Ok(Order {
            task,
            input: std::path::absolute(input)?,
            choices: Choices::default(),
            output: std::path::absolute(folder.0.join(output))?,
            outcome: std::path::absolute(folder.0.join("outcome.json"))?,
            memory_mib: self.limits.memory_mib,
            cpu_s: self.limits.time.as_secs().max(1),
        })
    }

    async fn run(&self, order: &Order, folder: &Path) -> Result<Ended, ImportRefusal> {
        let task = order.task;
        let mut child = Command::new(&self.program.path)
            .args(&self.program.arguments)
            // nothing that the service knows is the reader's business
            .env_clear()
            .envs(std::env::vars_os().filter(|(name, _)| may_know(task, name)))
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let work = tell_and_wait(&mut child, order);
        let (status, complaint) = match tokio::time::timeout(self.limits.time, work).await {
            Ok(ended) => ended?,
            Err(_) => {
                child.kill().await?;
                return Ok(Ended::Badly(TOO_SLOW));
            }
        };
        Ok(judge(status, &complaint))
    }
}

/// Makes a folder for [`Scratch`] and removes what was left behind in it.
pub(crate) fn sweep(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for entry in std::fs::read_dir(folder)?.flatten() {
        let changed = entry.metadata().and_then(|metadata| metadata.modified());
        let age = changed.ok().and_then(|changed| changed.elapsed().ok());
        // another service may be working there
        if age.is_some_and(|age| age > LEFT_BEHIND) {
            std::fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

async fn write_all<S, E>(path: &Path, bytes: &mut S) -> io::Result<()>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: std::error::Error + Send + Sync + 'static,
{
    let mut file = tokio::fs::File::create(path).await?;
    while let Some(bytes) = bytes.next().await {
        file.write_all(&bytes.map_err(io::Error::other)?).await?;
    }
    file.flush().await
}

/// Where libraries are; for drawing also what says how.
fn may_know(task: Task, name: &OsStr) -> bool {
    if task == Task::Draw { may_draw_with(name) } else { name == LIBRARIES }
}

const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// What a process that draws may know of the environment.
pub(crate) fn may_draw_with(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let drivers = ["LIBGL_", "MESA_", "GALLIUM_", "EGL_", "__EGL_", "__GLX_", "LP_"];
    name == LIBRARIES || drivers.iter().any(|prefix| name.starts_with(prefix))
}

const TOO_SLOW: &str =
    "the file takes too long to read; simplify the character and export it again";
const TOO_LARGE: &str =
    "the file needs too much memory to read; use smaller pictures and fewer vertices";
const BROKEN: &str = "the file cannot be read: it is damaged or not a character; export it again";
/// Who gets no more memory aborts, and so does who finds their memory spoilt.
const BROKEN_OR_TOO_LARGE: &str = "the file cannot be read: it needs too much memory or is damaged; use smaller \
     pictures and fewer vertices, and export it again";

/// How a reader ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    Well,
    /// With a sentence for the file's owner.
    Badly(&'static str),
}

async fn tell_and_wait(child: &mut Child, order: &Order) -> io::Result<(ExitStatus, String)> {
    let line = serde_json::to_string(order).map_err(io::Error::other)?;
    if let Some(mut input) = child.stdin.take() {
        // a reader that dies before it has heard is judged by how it died
        let _ = input.write_all(format!("{line}\n").as_bytes()).await;
    }
    let mut complaint = Vec::new();
    if let Some(output) = child.stderr.take() {
        let mut output = output.take(LONGEST_COMPLAINT_BYTES);
        output.read_to_end(&mut complaint).await?;
        // the rest, so that a talkative reader is not held up by a full pipe
        tokio::io::copy(&mut output.into_inner(), &mut tokio::io::sink()).await?;
    }
    Ok((child.wait().await?, String::from_utf8_lossy(&complaint).into_owned()))
}

fn judge(status: ExitStatus, complaint: &str) -> Ended {
    if status.success() {
        return Ended::Well;
    }
    tracing::warn!(%status, complaint, "a reader of a stranger's file died ({status})");
    Ended::Badly(match limits::death(status) {
        Death::Aborted => BROKEN_OR_TOO_LARGE,
        Death::OutOfTime => TOO_SLOW,
        // by the system, for want of memory
        Death::Killed => TOO_LARGE,
        Death::Other => BROKEN,
    })
}

fn unreadable(message: &str) -> ImportRefusal {
    ImportRefusal::Unreadable { code: 901, message: message.to_owned() }
}

/// What a reader has left; `None` when it cannot be understood.
async fn read_outcome(path: &Path) -> Result<Option<Outcome>, ImportRefusal> {
    let mut text = Vec::new();
    let file = tokio::fs::File::open(path).await?;
    file.take(LONGEST_OUTCOME_BYTES).read_to_end(&mut text).await?;
    Ok(serde_json::from_slice(&text).ok())
}

/// A folder of one file's own below that of all; goes when it is dropped.
#[derive(Debug)]
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn make(path: PathBuf) -> io::Result<Self> {
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(%error, "a reader's folder stays until the next start: {error}");
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const BENCH: Bench<'_> = Bench { account: "one", scratch: "a" };

    /// A reader that does what a shell is told to.
    fn importer(folder: &Path, script: &str, time: Duration) -> Importer {
        let arguments = ["-c".to_owned(), script.to_owned()];
        let program = ReaderProgram { path: "/bin/sh".into(), arguments: arguments.into() };
        let limits = ImportLimits { time, ..ImportLimits::default() };
        Importer::new(program, limits, folder.join("imports")).expect("a folder")
    }

    async fn refusal(script: &str, time: Duration) -> (u16, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let importer = importer(folder.path(), script, time);
        let refusal = importer.read(&folder.path().join("in.glb"), Choices::default(), BENCH).await;
        assert!(!folder.path().join("imports/a").exists(), "nothing is left");
        match refusal.expect_err("no character") {
            ImportRefusal::Unreadable { code, message } => (code, message),
            other => panic!("{other:?}"),
        }
    }

    const PATIENCE: Duration = Duration::from_secs(300);

    #[tokio::test]
    async fn a_reader_that_aborts_is_a_file_that_cannot_be_read() {
        for (script, why) in [
            ("kill -SEGV $$", BROKEN),
            ("exit 101", BROKEN),
            ("kill -ABRT $$", BROKEN_OR_TOO_LARGE),
            ("kill -KILL $$", TOO_LARGE),
            // what it complains about is for the log and decides nothing
            ("echo memory allocation of 99 bytes failed >&2; exit 101", BROKEN),
        ] {
            assert_eq!(refusal(script, PATIENCE).await, (901, why.to_owned()), "{script}");
        }
    }

    #[tokio::test]
    async fn a_reader_that_never_ends_is_ended() {
        let endless = "while :; do :; done";
        let (code, message) = refusal(endless, Duration::from_millis(300)).await;
        assert_eq!((code, message.as_str()), (901, TOO_SLOW));
    }

    #[tokio::test]
    async fn a_talkative_reader_is_heard_out_and_cut_short() {
        let script = "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789012345678901234567890123 >&2; i=$((i+1)); done; exit 1";
        assert_eq!(refusal(script, PATIENCE).await, (901, BROKEN.to_owned()));
    }

    #[tokio::test]
    async fn a_reader_learns_nothing_of_the_environment() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = "env > seen; cp seen ../seen; exit 1";
        let script = format!("PATH=/usr/bin:/bin; {script}");
        let importer = importer(folder.path(), &script, PATIENCE);
        let _ = importer.read(&folder.path().join("in.glb"), Choices::default(), BENCH).await;
        let seen = std::fs::read_to_string(folder.path().join("imports/seen")).expect("written");
        for line in seen.lines() {
            let name = line.split('=').next().unwrap_or_default();
            // what a shell sets for itself
            let own = ["PWD", "SHLVL", "_", "PATH", "OLDPWD", "LD_LIBRARY_PATH"];
            assert!(own.contains(&name), "{line}");
        }
    }
}
