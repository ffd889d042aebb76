//! Moving pictures for cards, drawn where a driver that crashes or hangs takes nobody along, and where all
//! that it holds on to goes with it: a worker that draws by itself grows to several times its size.
//!
//! ```text
//! order (a line of JSON) ─▶ child ─▶ the picture's file; how it ended (a line of JSON)
//! ```
//! The child is the program that reads files of strangers. It ends itself when whoever started it is
//! gone, and is ended when nobody waits for it any more.

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
    filming::{MEMORY_MIB, overheard, start_drawing},
    importing::{Scratch, sweep},
    jobs::JobSpec,
};

pub(crate) use child::draw;

/// A picture takes seconds where a processor has to draw it, and more of them where jobs run beside it.
const LONGEST: Duration = Duration::from_secs(120);
/// An answer is a file name or a sentence; drivers may have something to say too.
const LONGEST_ANSWER_BYTES: u64 = 64 << 10;

/// What is drawn.
#[derive(Debug)]
pub(crate) struct Sitting {
    /// The job whose files the clip became.
    pub(crate) spec: JobSpec,
    pub(crate) variant: u32,
    /// Of the files, which the picture has to fit.
    pub(crate) frames: i32,
    /// The kept clip.
    pub(crate) clip: Bytes,
    /// An account's own character as GLB; stock has none.
    pub(crate) character: Option<Bytes>,
}

/// What the child is to do.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PictureOrder {
    spec: JobSpec,
    variant: u32,
    frames: i32,
    clip: PathBuf,
    character: Option<PathBuf>,
    /// Where the picture goes.
    picture: PathBuf,
    memory_mib: u64,
}

/// What the child says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Told {
    Drawn { file_name: String },
    Refused { why: String },
}

/// A picture that was drawn.
#[derive(Debug)]
pub(crate) struct DrawnPicture {
    pub(crate) file_name: String,
    pub(crate) png: Vec<u8>,
}

/// Why there is no picture.
#[derive(Debug)]
pub(crate) enum NoPicture {
    /// It cannot be drawn of this clip, or on this computer; with a sentence.
    Refused(String),
    /// The child died of it, or did not come to an end.
    Died,
    /// The child cannot be started.
    System(io::Error),
}

impl From<io::Error> for NoPicture {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// Starts children that draw.
#[derive(Debug, Clone)]
pub(crate) struct Painter {
    program: ReaderProgram,
    folder: PathBuf,
}

impl Painter {
    /// Works below the folder for what does not last; what a killed worker left there long ago is removed.
    pub(crate) fn new(config: &Config) -> io::Result<Self> {
        let folder = std::path::absolute(config.scratch.join("pictures"))?;
        sweep(&folder)?;
        Ok(Self { program: config.reader.clone(), folder })
    }

    /// Draws one picture. Dropping the future ends the child. `scratch` is a name that nobody else uses.
    pub(crate) async fn draw(
        &self,
        sitting: &Sitting,
        scratch: &str,
    ) -> Result<DrawnPicture, NoPicture> {
        let folder = Scratch::make(self.folder.join(scratch))?;
        let order = order(sitting, &folder.0).await?;
        let mut child = start_drawing(&self.program, &folder.0)?;
        let Ok(ended) = tokio::time::timeout(LONGEST, tell_and_hear(&mut child, &order)).await
        else {
            tracing::warn!("a picture was not drawn in {} s", LONGEST.as_secs());
            child.kill().await?;
            return Err(NoPicture::Died);
        };
        match ended? {
            (status, Some(Told::Drawn { file_name }), _) if status.success() => {
                let png = tokio::fs::read(&order.picture).await?;
                Ok(DrawnPicture { file_name, png })
            }
            (_, Some(Told::Refused { why }), _) => Err(NoPicture::Refused(why)),
            (status, _, complaint) => {
                tracing::warn!(%status, complaint, "a picture's process died ({status})");
                Err(NoPicture::Died)
            }
        }
    }
}

/// Puts what is drawn where the child finds it.
async fn order(sitting: &Sitting, folder: &Path) -> io::Result<PictureOrder> {
    let clip = folder.join("kept.clip");
    tokio::fs::write(&clip, &sitting.clip).await?;
    let mut character = None;
    if let Some(glb) = &sitting.character {
        let path = folder.join("character.glb");
        tokio::fs::write(&path, glb).await?;
        character = Some(path);
    }
    Ok(PictureOrder {
        spec: sitting.spec.clone(),
        variant: sitting.variant,
        frames: sitting.frames,
        clip,
        character,
        picture: folder.join("picture.png"),
        memory_mib: MEMORY_MIB,
    })
}

/// How the child ended, what it said last, and what it complained about.
async fn tell_and_hear(
    child: &mut Child,
    order: &PictureOrder,
) -> io::Result<(ExitStatus, Option<Told>, String)> {
    let line = serde_json::to_string(order).map_err(io::Error::other)?;
    // held open: its end tells the child that nobody waits any more
    let mut input = child.stdin.take();
    if let Some(input) = &mut input {
        // a child that dies before it has heard is judged by how it died
        let _ = input.write_all(format!("{line}\n").as_bytes()).await;
    }
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let (told, complaint) = tokio::join!(hear(output), overheard(errors));
    let status = child.wait().await?;
    drop(input);
    Ok((status, told?, complaint))
}

async fn hear(output: Option<ChildStdout>) -> io::Result<Option<Told>> {
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
