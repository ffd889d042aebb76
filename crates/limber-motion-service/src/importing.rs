//! Parses untrusted character files in isolation.
//!
//! Each file is parsed in a child process with limited memory and time, without the service's
//! secrets, and unable to open files or connections. If the child crashes, the file counts as
//! unreadable; nothing else is affected.
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
pub(crate) use order::{BoneOverrides, ReadModel};
use order::{Order, Outcome, Task};

/// How much of a failed reader's error output is kept for the log.
const LONGEST_COMPLAINT_BYTES: u64 = 4 << 10;
/// Maximum size of an outcome. One with a joint map of a thousand joints has a few hundred
/// kilobytes.
const LONGEST_OUTCOME_BYTES: u64 = 16 << 20;
/// Age from which a scratch folder counts as abandoned; no reader runs that long.
const LEFT_BEHIND: Duration = Duration::from_secs(3600);
/// How long a file waits for a free reader. Together with parsing and rendering, the response still
/// arrives before clients time out.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Why a character could not be imported.
#[derive(Debug)]
pub(crate) enum ImportRefusal {
    /// The file cannot be parsed; an error code of the specification, and a message.
    Unreadable { code: u16, message: String },
    /// The limit of concurrent readers is reached.
    Busy,
    /// The reader could not be started.
    System(io::Error),
}

impl From<io::Error> for ImportRefusal {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// A parsed and converted character.
#[derive(Debug)]
pub(crate) struct Imported {
    pub(crate) model: ReadModel,
    /// Path of the converted GLB, removed when this is dropped.
    pub(crate) glb: PathBuf,
    _folder: Scratch,
}

/// The account whose file is parsed, and the scratch folder to use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadContext<'a> {
    /// Account that the reader's slot is counted for.
    pub(crate) account: &'a str,
    /// Unique name of the scratch folder.
    pub(crate) scratch: &'a str,
}

/// Starts the reader processes.
#[derive(Debug, Clone)]
pub(crate) struct Importer {
    program: ReaderProgram,
    limits: ImportLimits,
    folder: PathBuf,
    slots: Shares,
}

impl Importer {
    /// Uses scratch folders below `folder`, and removes those that a killed service left behind.
    pub(crate) fn new(
        program: ReaderProgram,
        limits: ImportLimits,
        folder: PathBuf,
    ) -> io::Result<Self> {
        sweep(&folder)?;
        let slots = Shares::new(limits.at_once);
        Ok(Self { program, limits, folder, slots })
    }

    /// Parses a character and converts it to our GLB.
    pub(crate) async fn read(
        &self,
        file: &Path,
        bone_overrides: BoneOverrides,
        context: ReadContext<'_>,
    ) -> Result<Imported, ImportRefusal> {
        let _slot = self.slot(context).await?;
        let folder = Scratch::make(self.folder.join(context.scratch))?;
        let mut order = self.order(Task::Read, file, &folder, "converted.glb")?;
        order.bone_overrides = bone_overrides;
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

    /// Renders a portrait of a converted character. Returns `None`, and logs why, if that fails.
    pub(crate) async fn draw<S, E>(&self, glb: S, context: ReadContext<'_>) -> Option<Vec<u8>>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: std::error::Error + Send + Sync + 'static,
    {
        let drawn = self.try_to_draw(glb, context).await;
        drawn
            .inspect_err(|error| {
                tracing::warn!(?error, "no thumbnail was rendered for a character");
            })
            .unwrap_or_default()
    }

    async fn try_to_draw<S, E>(
        &self,
        mut glb: S,
        context: ReadContext<'_>,
    ) -> Result<Option<Vec<u8>>, ImportRefusal>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: std::error::Error + Send + Sync + 'static,
    {
        let _slot = self.slot(context).await?;
        let folder = Scratch::make(self.folder.join(context.scratch))?;
        let input = folder.0.join("model.glb");
        write_all(&input, &mut glb).await?;
        let order = self.order(Task::Draw, &input, &folder, "picture.png")?;
        match self.run(&order, &folder.0).await? {
            Ended::Well => Ok(Some(tokio::fs::read(&order.output).await?)),
            Ended::Badly(_) => Ok(None),
        }
    }

    /// Converts an untrusted image to a PNG that is safe to serve; `None` if it is not an image.
    pub(crate) async fn sanitize_image(
        &self,
        file: &Path,
        context: ReadContext<'_>,
    ) -> Result<Option<Vec<u8>>, ImportRefusal> {
        let _slot = self.slot(context).await?;
        let folder = Scratch::make(self.folder.join(context.scratch))?;
        let order = self.order(Task::Fit, file, &folder, "picture.png")?;
        let fitted = match self.run(&order, &folder.0).await? {
            Ended::Well => matches!(read_outcome(&order.outcome).await?, Some(Outcome::Fitted)),
            Ended::Badly(_) => false,
        };
        Ok(if fitted { Some(tokio::fs::read(&order.output).await?) } else { None })
    }

    /// Waits for a free reader for the account.
    async fn slot(&self, context: ReadContext<'_>) -> Result<Share, ImportRefusal> {
        self.slots.take(context.account, LONGEST_WAIT).await.ok_or(ImportRefusal::Busy)
    }

    /// Parses a converted character again, with other overrides.
    pub(crate) async fn read_again<S, E>(
        &self,
        mut glb: S,
        bone_overrides: BoneOverrides,
        context: ReadContext<'_>,
    ) -> Result<Imported, ImportRefusal>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: std::error::Error + Send + Sync + 'static,
    {
        let folder = Scratch::make(self.folder.join(format!("{}-source", context.scratch)))?;
        let input = folder.0.join("model.glb");
        write_all(&input, &mut glb).await?;
        self.read(&input, bone_overrides, context).await
    }

    fn order(&self, task: Task, input: &Path, folder: &Scratch, output: &str) -> io::Result<Order> {
        Ok(Order {
            task,
            input: std::path::absolute(input)?,
            bone_overrides: BoneOverrides::default(),
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
            // the reader gets only the environment variables it needs, none of the service's
            // secrets
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

/// Creates the folder for [`Scratch`] folders and removes abandoned ones in it.
pub(crate) fn sweep(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for entry in std::fs::read_dir(folder)?.flatten() {
        let changed = entry.metadata().and_then(|metadata| metadata.modified());
        let age = changed.ok().and_then(|changed| changed.elapsed().ok());
        // recent folders may be in use by another service
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

/// Returns whether the reader may see this environment variable: the library path and, for
/// rendering, driver settings.
fn may_know(task: Task, name: &OsStr) -> bool {
    if task == Task::Draw { may_draw_with(name) } else { name == LIBRARIES }
}

const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// Returns whether a rendering process may see this environment variable.
pub(crate) fn may_draw_with(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let drivers = ["LIBGL_", "MESA_", "GALLIUM_", "EGL_", "__EGL_", "__GLX_", "LP_"];
    name == LIBRARIES || drivers.iter().any(|prefix| name.starts_with(prefix))
}

const TOO_SLOW: &str =
    "the file takes too long to read; simplify the character and export it again";
const TOO_LARGE: &str =
    "the file needs too much memory to read; use smaller textures and fewer vertices";
const BROKEN: &str = "the file cannot be read: it is damaged or not a character; export it again";
/// An allocation failure and memory corruption both end in an abort, so they cannot be told apart.
const BROKEN_OR_TOO_LARGE: &str = "the file cannot be read: it needs too much memory or is \
    damaged; use smaller textures and fewer vertices, and export it again";

/// How a reader ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    Well,
    /// It failed; holds a message for the file's owner.
    Badly(&'static str),
}

async fn tell_and_wait(child: &mut Child, order: &Order) -> io::Result<(ExitStatus, String)> {
    let line = serde_json::to_string(order).map_err(io::Error::other)?;
    if let Some(mut input) = child.stdin.take() {
        // if the reader dies before it reads the order, its exit status says so
        let _ = input.write_all(format!("{line}\n").as_bytes()).await;
    }
    let mut complaint = Vec::new();
    if let Some(output) = child.stderr.take() {
        let mut output = output.take(LONGEST_COMPLAINT_BYTES);
        output.read_to_end(&mut complaint).await?;
        // discard the rest, so that the reader does not block on a full pipe
        tokio::io::copy(&mut output.into_inner(), &mut tokio::io::sink()).await?;
    }
    Ok((child.wait().await?, String::from_utf8_lossy(&complaint).into_owned()))
}

fn judge(status: ExitStatus, complaint: &str) -> Ended {
    if status.success() {
        return Ended::Well;
    }
    tracing::warn!(%status, complaint, "a process that read an untrusted file crashed ({status})");
    Ended::Badly(match limits::death(status) {
        Death::Aborted => BROKEN_OR_TOO_LARGE,
        Death::OutOfTime => TOO_SLOW,
        // by the system's out-of-memory killer
        Death::Killed => TOO_LARGE,
        Death::Other => BROKEN,
    })
}

fn unreadable(message: &str) -> ImportRefusal {
    ImportRefusal::Unreadable { code: 901, message: message.to_owned() }
}

/// Reads the outcome that the reader has written; `None` if it is malformed.
async fn read_outcome(path: &Path) -> Result<Option<Outcome>, ImportRefusal> {
    let mut text = Vec::new();
    let file = tokio::fs::File::open(path).await?;
    file.take(LONGEST_OUTCOME_BYTES).read_to_end(&mut text).await?;
    Ok(serde_json::from_slice(&text).ok())
}

/// A temporary folder, removed on drop.
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
            tracing::warn!(%error, "a reader's folder cannot be removed until the next start: \
                {error}");
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const CONTEXT: ReadContext<'_> = ReadContext { account: "one", scratch: "a" };

    /// Returns an importer whose reader is a shell that runs `script`.
    fn importer(folder: &Path, script: &str, time: Duration) -> Importer {
        let arguments = ["-c".to_owned(), script.to_owned()];
        let program = ReaderProgram { path: "/bin/sh".into(), arguments: arguments.into() };
        let limits = ImportLimits { time, ..ImportLimits::default() };
        Importer::new(program, limits, folder.join("imports")).expect("a folder")
    }

    async fn refusal(script: &str, time: Duration) -> (u16, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let importer = importer(folder.path(), script, time);
        let refusal =
            importer.read(&folder.path().join("in.glb"), BoneOverrides::default(), CONTEXT).await;
        assert!(!folder.path().join("imports/a").exists(), "nothing is left");
        match refusal.expect_err("no character") {
            ImportRefusal::Unreadable { code, message } => (code, message),
            other => panic!("{other:?}"),
        }
    }

    const PATIENCE: Duration = Duration::from_secs(300);

    #[tokio::test]
    async fn an_aborting_reader_means_an_unreadable_file() {
        for (script, why) in [
            ("kill -SEGV $$", BROKEN),
            ("exit 101", BROKEN),
            ("kill -ABRT $$", BROKEN_OR_TOO_LARGE),
            ("kill -KILL $$", TOO_LARGE),
            // error output is only logged and does not affect the result
            ("echo memory allocation of 99 bytes failed >&2; exit 101", BROKEN),
        ] {
            assert_eq!(refusal(script, PATIENCE).await, (901, why.to_owned()), "{script}");
        }
    }

    #[tokio::test]
    async fn a_hanging_reader_is_killed() {
        let endless = "while :; do :; done";
        let (code, message) = refusal(endless, Duration::from_millis(300)).await;
        assert_eq!((code, message.as_str()), (901, TOO_SLOW));
    }

    #[tokio::test]
    async fn long_reader_output_is_drained_and_truncated() {
        let script = "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789012345678901234567890123 >&2; i=$((i+1)); done; exit 1";
        assert_eq!(refusal(script, PATIENCE).await, (901, BROKEN.to_owned()));
    }

    #[tokio::test]
    async fn readers_do_not_inherit_the_environment() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = "env > seen; cp seen ../seen; exit 1";
        let script = format!("PATH=/usr/bin:/bin; {script}");
        let importer = importer(folder.path(), &script, PATIENCE);
        let _ =
            importer.read(&folder.path().join("in.glb"), BoneOverrides::default(), CONTEXT).await;
        let seen = std::fs::read_to_string(folder.path().join("imports/seen")).expect("written");
        for line in seen.lines() {
            let name = line.split('=').next().unwrap_or_default();
            // variables that the shell sets by itself
            let own = ["PWD", "SHLVL", "_", "PATH", "OLDPWD", "LD_LIBRARY_PATH"];
            assert!(own.contains(&name), "{line}");
        }
    }
}
