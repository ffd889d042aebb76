//! Films, made where a driver that crashes or hangs takes nobody along.
//!
//! ```text
//! order (a line of JSON) ─▶ child ─▶ lines of JSON: how far it is, how it ended; the film's file
//! ```
//! The child is the program that reads files of strangers. It ends itself when whoever started it is
//! gone, and is ended when nobody waits for it any more.

mod child;

use std::{
    io,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use limber_pipeline::{Progress, Stage, film::FilmRequest};
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStderr, ChildStdout, Command},
};

use crate::{
    config::{Config, ReaderProgram},
    importing::{Scratch, may_draw_with, sweep},
};

pub(crate) use child::{end_with_the_parent, shoot};

/// What a dying child says is kept up to here, for the log.
const LONGEST_COMPLAINT_BYTES: u64 = 4 << 10;
/// More than a picture of 3840 × 3840 takes in all its forms, with what the driver takes beside it.
pub(crate) const MEMORY_MIB: u64 = 6 << 10;

/// What the child is to do.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FilmOrder {
    /// A GLB.
    character: PathBuf,
    /// Where the film goes.
    output: PathBuf,
    film: FilmRequest,
    memory_mib: u64,
}

/// What the child says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Told {
    At {
        stage: String,
        share: f32,
        /// Processor time so far.
        cpu_ms: u64,
    },
    Done,
    Failed {
        code: u16,
        message: String,
    },
}

/// Why there is no film.
#[derive(Debug)]
pub(crate) enum NoFilm {
    /// With the specification's code and a sentence.
    Failed { code: u16, message: String },
    /// The child died of it.
    Died,
    /// The child cannot be started.
    System(io::Error),
}

impl From<io::Error> for NoFilm {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// A film that was made.
#[derive(Debug)]
pub(crate) struct MadeFilm {
    /// Where it lies; goes when this is dropped.
    pub(crate) path: PathBuf,
    _folder: Scratch,
}

/// Starts children that make films.
#[derive(Debug, Clone)]
pub(crate) struct FilmMaker {
    program: ReaderProgram,
    folder: PathBuf,
}

impl FilmMaker {
    /// Works below the folder for what does not last; what a killed worker left there long ago is removed.
    pub(crate) fn new(config: &Config) -> io::Result<Self> {
        let folder = std::path::absolute(config.scratch.join("films"))?;
        sweep(&folder)?;
        Ok(Self { program: config.reader.clone(), folder })
    }

    /// Makes the film of a GLB; `told` hears how far it is and what processor time it took so far.
    /// Dropping the future ends the child. `scratch` is a name that nobody else uses.
    pub(crate) async fn make(
        &self,
        glb: &[u8],
        film: &FilmRequest,
        scratch: &str,
        told: &mut (dyn FnMut(Progress, Duration) + Send),
    ) -> Result<MadeFilm, NoFilm> {
        let folder = Scratch::make(self.folder.join(scratch))?;
        let order = FilmOrder {
            character: folder.0.join("character.glb"),
            output: folder.0.join("film"),
            film: film.clone(),
            memory_mib: MEMORY_MIB,
        };
        tokio::fs::write(&order.character, glb).await?;
        let mut child = start_drawing(&self.program, &folder.0)?;
        let line = serde_json::to_string(&order).map_err(io::Error::other)?;
        // held open: its end tells the child that nobody waits any more
        let mut input = child.stdin.take();
        if let Some(input) = &mut input {
            // a child that dies before it has heard is judged by how it died
            let _ = input.write_all(format!("{line}\n").as_bytes()).await;
        }
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        let (end, complaint) = tokio::join!(listen(output, told), overheard(errors));
        let status = child.wait().await?;
        drop(input);
        match end? {
            Some(Told::Done) if status.success() => {
                Ok(MadeFilm { path: order.output, _folder: folder })
            }
            Some(Told::Failed { code, message }) => Err(NoFilm::Failed { code, message }),
            _ => {
                tracing::warn!(%status, complaint, "a film's process died ({status})");
                Err(NoFilm::Died)
            }
        }
    }
}

/// A child in a folder of its own that hears, speaks and draws.
pub(crate) fn start_drawing(program: &ReaderProgram, folder: &Path) -> io::Result<Child> {
    Command::new(&program.path)
        .args(&program.arguments)
        // nothing that the service knows is a driver's business
        .env_clear()
        .envs(std::env::vars_os().filter(|(name, _)| may_draw_with(name)))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
}

/// What the child says last, but for how far it is.
async fn listen(
    output: Option<ChildStdout>,
    told: &mut (dyn FnMut(Progress, Duration) + Send),
) -> io::Result<Option<Told>> {
    let Some(output) = output else { return Ok(None) };
    let (mut lines, mut end) = (BufReader::new(output).lines(), None);
    while let Some(line) = lines.next_line().await? {
        // drivers may have something to say too
        match serde_json::from_str(&line) {
            Ok(Told::At { stage, share, cpu_ms }) => {
                if let Some(stage) = Stage::FILM.into_iter().find(|known| known.name() == stage) {
                    told(Progress { stage, share }, Duration::from_millis(cpu_ms));
                }
            }
            Ok(other) => end = Some(other),
            Err(_) => {}
        }
    }
    Ok(end)
}

/// The beginning of what it complains about; the rest is heard out, so that nothing is held up.
pub(crate) async fn overheard(errors: Option<ChildStderr>) -> String {
    let mut complaint = Vec::new();
    if let Some(errors) = errors {
        let mut errors = errors.take(LONGEST_COMPLAINT_BYTES);
        let _ = errors.read_to_end(&mut complaint).await;
        let _ = tokio::io::copy(&mut errors.into_inner(), &mut tokio::io::sink()).await;
    }
    String::from_utf8_lossy(&complaint).into_owned()
}
