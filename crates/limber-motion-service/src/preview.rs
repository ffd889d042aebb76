//! Renders animated previews for cards in a child process. A crashing or hanging graphics driver
//! then cannot take the worker down, and its memory is returned to the system: a worker that
//! renders in its own process grows to several times its size.
//!
//! ```text
//! order (a line of JSON) ─▶ child ─▶ the picture's file; how it ended (a line of JSON)
//! ```
//! The child is the same program that parses untrusted files. It exits when its parent is gone, and
//! is killed when nobody waits for its result any more.

mod child;

use std::{
    io,
    path::{Path, PathBuf},
    process::ExitStatus,
    time::Duration,
};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStdout},
};

use crate::{
    config::{Config, ReaderProgram},
    importing::{Scratch, sweep},
    jobs::JobSpec,
    video::{MEMORY_MIB, read_complaint, start_renderer},
};

pub(crate) use child::draw;

/// Time limit for one preview. Software rendering takes seconds, and longer when jobs run beside
/// it.
const LONGEST: Duration = Duration::from_secs(120);
/// An answer is a file name or a sentence, but a driver may also write to standard output.
const LONGEST_ANSWER_BYTES: u64 = 64 << 10;

/// A preview to render.
#[derive(Debug)]
pub(crate) struct PreviewInput {
    /// The job that the clip belongs to.
    pub(crate) spec: JobSpec,
    pub(crate) variant: u32,
    /// Length of the exported files, which the preview must match.
    pub(crate) frames: i32,
    /// The stored canonical clip.
    pub(crate) clip: Bytes,
    /// GLB of an account's own character; `None` for stock characters.
    pub(crate) character: Option<Bytes>,
}

/// The order that the child receives.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PreviewOrder {
    spec: JobSpec,
    variant: u32,
    frames: i32,
    clip: PathBuf,
    character: Option<PathBuf>,
    /// Path that the image is written to.
    picture: PathBuf,
    memory_mib: u64,
}

/// The child's answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ChildMessage {
    Drawn { file_name: String },
    Refused { why: String },
}

/// A rendered preview.
#[derive(Debug)]
pub(crate) struct RenderedPreview {
    pub(crate) file_name: String,
    pub(crate) png: Vec<u8>,
}

/// Why no preview was rendered.
#[derive(Debug)]
pub(crate) enum PreviewError {
    /// The clip cannot be rendered, or not on this computer; holds the reason.
    Refused(String),
    /// The child crashed or exceeded its limits.
    Died,
    /// The child could not be started.
    System(io::Error),
}

impl From<io::Error> for PreviewError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// Starts the child processes that render previews.
#[derive(Debug, Clone)]
pub(crate) struct PreviewRenderer {
    program: ReaderProgram,
    folder: PathBuf,
}

impl PreviewRenderer {
    /// Uses a folder below the scratch folder, and removes what killed workers left there long ago.
    pub(crate) fn new(config: &Config) -> io::Result<Self> {
        let folder = std::path::absolute(config.scratch.join("pictures"))?;
        sweep(&folder)?;
        Ok(Self { program: config.reader.clone(), folder })
    }

    /// Renders one preview. Dropping the future kills the child. `scratch` must be a unique name.
    pub(crate) async fn draw(
        &self,
        input: &PreviewInput,
        scratch: &str,
    ) -> Result<RenderedPreview, PreviewError> {
        let folder = Scratch::make(self.folder.join(scratch))?;
        let order = order(input, &folder.0).await?;
        let mut child = start_renderer(&self.program, &folder.0)?;
        let Ok(ended) = tokio::time::timeout(LONGEST, exchange(&mut child, &order)).await else {
            tracing::warn!("a preview was not rendered within {} s", LONGEST.as_secs());
            child.kill().await?;
            return Err(PreviewError::Died);
        };
        match ended? {
            (status, Some(ChildMessage::Drawn { file_name }), _) if status.success() => {
                let png = tokio::fs::read(&order.picture).await?;
                Ok(RenderedPreview { file_name, png })
            }
            (_, Some(ChildMessage::Refused { why }), _) => Err(PreviewError::Refused(why)),
            (status, _, complaint) => {
                tracing::warn!(%status, complaint, "a preview's process crashed ({status})");
                Err(PreviewError::Died)
            }
        }
    }
}

/// Writes the inputs to the folder and returns the order for the child.
async fn order(input: &PreviewInput, folder: &Path) -> io::Result<PreviewOrder> {
    let clip = folder.join("kept.clip");
    tokio::fs::write(&clip, &input.clip).await?;
    let mut character = None;
    if let Some(glb) = &input.character {
        let path = folder.join("character.glb");
        tokio::fs::write(&path, glb).await?;
        character = Some(path);
    }
    Ok(PreviewOrder {
        spec: input.spec.clone(),
        variant: input.variant,
        frames: input.frames,
        clip,
        character,
        picture: folder.join("picture.png"),
        memory_mib: MEMORY_MIB,
    })
}

/// Sends the order and returns the child's exit status, its last answer, and its error output.
async fn exchange(
    child: &mut Child,
    order: &PreviewOrder,
) -> io::Result<(ExitStatus, Option<ChildMessage>, String)> {
    let line = serde_json::to_string(order).map_err(io::Error::other)?;
    // kept open: end of file tells the child that nobody waits any more
    let mut input = child.stdin.take();
    if let Some(input) = &mut input {
        // if the child dies before it reads the order, its exit status says so
        let _ = input.write_all(format!("{line}\n").as_bytes()).await;
    }
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let (told, complaint) = tokio::join!(read_message(output), read_complaint(errors));
    let status = child.wait().await?;
    drop(input);
    Ok((status, told?, complaint))
}

async fn read_message(output: Option<ChildStdout>) -> io::Result<Option<ChildMessage>> {
    let Some(output) = output else { return Ok(None) };
    let mut lines = BufReader::new(output.take(LONGEST_ANSWER_BYTES)).lines();
    let mut told = None;
    while let Some(line) = lines.next_line().await? {
        if let Ok(known) = serde_json::from_str(&line) {
            told = Some(known);
        }
    }
    Ok(told)
}
