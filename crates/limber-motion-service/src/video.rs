//! Renders videos in a child process, so that a crashing or hanging graphics driver cannot take the
//! worker down.
//!
//! ```text
//! order (a line of JSON) ─▶ child ─▶ lines of JSON: how far it is, how it ended; the video's file
//! ```
//! The child is the same program that parses untrusted files. It exits when its parent is gone, and
//! is killed when nobody waits for its result any more.

mod child;

use std::{
    io,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use limber_pipeline::{Progress, Stage, video::VideoRequest};
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStderr, ChildStdout, Command},
};

use crate::{
    config::{Config, ReaderProgram},
    importing::{Scratch, may_draw_with, sweep},
};

pub(crate) use child::{end_with_the_parent, render};

/// How much of a failed child's error output is kept for the log.
const LONGEST_COMPLAINT_BYTES: u64 = 4 << 10;
/// Enough for all buffers of a 3840 × 3840 image, plus the driver's own memory.
pub(crate) const MEMORY_MIB: u64 = 6 << 10;

/// The order that the child receives.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct VideoOrder {
    /// Path of the GLB.
    character: PathBuf,
    /// Path that the video is written to.
    output: PathBuf,
    #[serde(rename = "film")]
    video: VideoRequest,
    memory_mib: u64,
}

/// A message from the child.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ChildMessage {
    At {
        stage: String,
        share: f32,
        /// CPU time used so far.
        cpu_ms: u64,
    },
    Done,
    Failed {
        code: u16,
        message: String,
    },
}

/// Why there is no video.
#[derive(Debug)]
pub(crate) enum VideoError {
    /// The rendering failed; an error code of the specification, and a message.
    Failed { code: u16, message: String },
    /// The child crashed.
    Died,
    /// The child could not be started.
    System(io::Error),
}

impl From<io::Error> for VideoError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// A finished video.
#[derive(Debug)]
pub(crate) struct RenderedVideo {
    /// Temporary file, removed when this is dropped.
    pub(crate) path: PathBuf,
    _folder: Scratch,
}

/// Starts the child processes that render videos.
#[derive(Debug, Clone)]
pub(crate) struct VideoRenderer {
    program: ReaderProgram,
    folder: PathBuf,
}

impl VideoRenderer {
    /// Uses a folder below the scratch folder, and removes what killed workers left there long ago.
    pub(crate) fn new(config: &Config) -> io::Result<Self> {
        let folder = std::path::absolute(config.scratch.join("films"))?;
        sweep(&folder)?;
        Ok(Self { program: config.reader.clone(), folder })
    }

    /// Renders a video of a GLB; `told` receives the progress and the CPU time used so far.
    /// Dropping the future kills the child. `scratch` must be a unique name.
    pub(crate) async fn make(
        &self,
        glb: &[u8],
        video: &VideoRequest,
        scratch: &str,
        told: &mut (dyn FnMut(Progress, Duration) + Send),
    ) -> Result<RenderedVideo, VideoError> {
        let folder = Scratch::make(self.folder.join(scratch))?;
        let order = VideoOrder {
            character: folder.0.join("character.glb"),
            output: folder.0.join("film"),
            video: video.clone(),
            memory_mib: MEMORY_MIB,
        };
        tokio::fs::write(&order.character, glb).await?;
        let mut child = start_renderer(&self.program, &folder.0)?;
        let line = serde_json::to_string(&order).map_err(io::Error::other)?;
        // kept open: end of file tells the child that nobody waits any more
        let mut input = child.stdin.take();
        if let Some(input) = &mut input {
            // if the child dies before it reads the order, its exit status says so
            let _ = input.write_all(format!("{line}\n").as_bytes()).await;
        }
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        let (end, complaint) = tokio::join!(listen(output, told), read_complaint(errors));
        let status = child.wait().await?;
        drop(input);
        match end? {
            Some(ChildMessage::Done) if status.success() => {
                Ok(RenderedVideo { path: order.output, _folder: folder })
            }
            Some(ChildMessage::Failed { code, message }) => {
                Err(VideoError::Failed { code, message })
            }
            _ => {
                tracing::warn!(%status, complaint, "a video's process crashed ({status})");
                Err(VideoError::Died)
            }
        }
    }
}

/// Starts a child in its own folder, with piped input and output, for rendering.
pub(crate) fn start_renderer(program: &ReaderProgram, folder: &Path) -> io::Result<Child> {
    Command::new(&program.path)
        .args(&program.arguments)
        // the driver gets only the environment variables it needs, none of the service's secrets
        .env_clear()
        .envs(std::env::vars_os().filter(|(name, _)| may_draw_with(name)))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
}

/// Forwards the child's progress and returns its last other message.
async fn listen(
    output: Option<ChildStdout>,
    told: &mut (dyn FnMut(Progress, Duration) + Send),
) -> io::Result<Option<ChildMessage>> {
    let Some(output) = output else { return Ok(None) };
    let (mut lines, mut end) = (BufReader::new(output).lines(), None);
    while let Some(line) = lines.next_line().await? {
        // a driver may also write to standard output
        match serde_json::from_str(&line) {
            Ok(ChildMessage::At { stage, share, cpu_ms }) => {
                if let Some(stage) = Stage::VIDEO.into_iter().find(|known| known.name() == stage) {
                    told(Progress { stage, share }, Duration::from_millis(cpu_ms));
                }
            }
            Ok(other) => end = Some(other),
            Err(_) => {}
        }
    }
    Ok(end)
}

/// Returns the beginning of the error output; the rest is read and discarded, so that the child
/// does not block.
pub(crate) async fn read_complaint(errors: Option<ChildStderr>) -> String {
    let mut complaint = Vec::new();
    if let Some(errors) = errors {
        let mut errors = errors.take(LONGEST_COMPLAINT_BYTES);
        let _ = errors.read_to_end(&mut complaint).await;
        let _ = tokio::io::copy(&mut errors.into_inner(), &mut tokio::io::sink()).await;
    }
    String::from_utf8_lossy(&complaint).into_owned()
}
