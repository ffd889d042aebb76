//! `limber say`: makes files from a prompt, without a window or a server.

use std::{
    fs::File,
    io::{self, IsTerminal, Read},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use indicatif::{ProgressBar, ProgressStyle};
use limber_pipeline::{
    Cancel, ClipEnds, Composer, ComposerWith, End, MotionEngine, Script, Seed, Start, actions,
    say::{SayError, SayProgress, SayRequest, explain, say},
    takes::{Performer, TakesMode},
};

use crate::library::libraries;

#[derive(Debug, clap::Args)]
pub(crate) struct SayArguments {
    /// What the person does, for example "a person walks forward, then waves with the right hand".
    #[arg(required_unless_present = "script")]
    prompt: Option<String>,
    /// Motion script as JSON that replaces the prompt; `-` reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "explain")]
    script: Option<PathBuf>,
    /// Folder with custom actions, in addition to the built-in ones; see `limber actions check`.
    #[arg(long, value_name = "FOLDER")]
    actions: Option<PathBuf>,
    /// Motion library or folder of recordings to perform with; see `limber library add`.
    #[arg(long, value_name = "LIBRARY|FOLDER")]
    takes: Option<String>,
    /// How to perform an action that the library contains: with a recording, as the seed chooses,
    /// or generated.
    #[arg(long, value_name = "MODE", requires = "takes", default_value = "recorded")]
    takes_mode: Taking,
    /// Stock character, or a GLB, glTF, VRM or FBX file with your own character.
    #[arg(long, value_name = "NAME|FILE")]
    character: Option<String>,
    /// Length of the clip; the actions decide by default.
    #[arg(long)]
    seconds: Option<f32>,
    /// Begin in the middle of the first action; by default from a standing pose, unless the prompt
    /// says otherwise.
    #[arg(long, value_name = "FROM")]
    start: Option<Beginning>,
    /// Hold the last pose; by default return to a standing pose, unless the prompt says otherwise.
    #[arg(long, value_name = "IN")]
    end: Option<Ending>,
    /// Make a looping clip, whose last frame leads to its first.
    #[arg(long = "loop")]
    is_loop: bool,
    /// Number of variants.
    #[arg(long, default_value_t = 1)]
    variants: u32,
    /// Random seed: the same seed and prompt give the same motion. Chosen at random and printed by
    /// default.
    #[arg(long)]
    seed: Option<u64>,
    /// File formats, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "glb,fbx,bvh,vrma")]
    formats: Vec<String>,
    /// Target program: gltf, unity, unreal5, blender, mixamo, vrma or bvh. Selects file format,
    /// joint names, root and frame rate.
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Only print how the prompt is understood: in one line, or as a motion script in JSON.
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "line")]
    explain: Option<Explanation>,
    /// Output folder.
    #[arg(long, value_name = "DIR", required_unless_present = "explain")]
    out: Option<PathBuf>,
}

/// How a clip begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Beginning {
    Idle,
    Action,
}

/// When recordings are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Taking {
    Recorded,
    Either,
    Drawn,
}

impl From<Taking> for TakesMode {
    fn from(mode: Taking) -> Self {
        match mode {
            Taking::Recorded => Self::Recorded,
            Taking::Either => Self::Either,
            Taking::Drawn => Self::Drawn,
        }
    }
}

/// How a clip ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Ending {
    Idle,
    Hold,
}

/// How a prompt's meaning is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Explanation {
    Line,
    Json,
}

/// Runs the command: writes the requested files, or explains the prompt.
pub(crate) fn run(arguments: SayArguments) -> ExitCode {
    let engine = match engine(&arguments) {
        Ok(engine) => engine,
        Err(fault) => {
            eprintln!("limber: {fault}");
            return ExitCode::from(USAGE);
        }
    };
    if let Some(form) = arguments.explain {
        return explain_it(&arguments, engine.as_ref(), form);
    }
    // clap requires `--out` unless `--explain` is given
    let out = arguments.out.clone().unwrap_or_default();
    say_it(arguments, engine.as_ref(), out)
}

/// Returns the engine, with custom actions and the recordings of a library.
fn engine(arguments: &SayArguments) -> Result<Box<dyn MotionEngine>, Box<dyn std::error::Error>> {
    let engine: Box<dyn MotionEngine> = match arguments.actions.as_deref() {
        None => Box::new(Composer),
        Some(folder) => Box::new(ComposerWith::new(actions::read(folder)?)),
    };
    let Some(takes) = &arguments.takes else { return Ok(engine) };
    let library = libraries().open(takes)?;
    Ok(Box::new(Performer::new(engine, Arc::new(library), arguments.takes_mode.into())))
}

/// Prints how a prompt is understood.
fn explain_it(arguments: &SayArguments, engine: &dyn MotionEngine, form: Explanation) -> ExitCode {
    let prompt = arguments.prompt.as_deref().unwrap_or_default();
    // which recording is used depends on the seed and on when each action begins, so the motion is
    // made
    let seed = arguments.takes.is_some().then(|| Seed(arguments.seed.unwrap_or(1)));
    match explain(prompt, seed, arguments.seconds, engine) {
        Ok(explained) => {
            for warning in explained.warnings {
                eprintln!("limber: {warning}");
            }
            match form {
                Explanation::Line => println!("{}", explained.line),
                Explanation::Json => println!("{:#}", explained.script.to_value()),
            }
            ExitCode::SUCCESS
        }
        Err(error) => refuse(&error),
    }
}

/// Runs the pipeline from prompt to files with progress on the terminal.
fn say_it(arguments: SayArguments, engine: &dyn MotionEngine, out: PathBuf) -> ExitCode {
    let cancel = Cancel::default();
    let stop = cancel.clone();
    if let Err(error) = ctrlc::set_handler(move || stop.cancel()) {
        tracing::warn!(%error, "Ctrl-C ends the program at once");
    }
    let script = match arguments.script.as_deref().map(read_script).transpose() {
        Ok(script) => script,
        Err(reason) => {
            eprintln!("limber: {reason}");
            return ExitCode::from(USAGE);
        }
    };
    // files are named after the prompt, or after the script file
    let stem = arguments.script.as_deref().and_then(Path::file_stem);
    let name = stem.map_or_else(|| "script".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let seed = arguments.seed.unwrap_or_else(random_seed);
    let ends = ClipEnds {
        start: arguments.start.map(|start| match start {
            Beginning::Idle => Start::Idle,
            Beginning::Action => Start::Action,
        }),
        end: arguments.end.map(|end| match end {
            Ending::Idle => End::Idle,
            Ending::Hold => End::Hold,
        }),
        is_loop: arguments.is_loop.then_some(true),
    };
    let request = SayRequest {
        ends,
        prompt: arguments.prompt.unwrap_or(name),
        script,
        character: arguments.character,
        seconds: arguments.seconds,
        variants: arguments.variants,
        seed: Seed(seed),
        formats: arguments.formats,
        preset: arguments.preset,
        out,
    };
    let bar = bar();
    let mut report = |progress: SayProgress| {
        bar.set_position(progress.percent() as u64);
        bar.set_message(format!("variant {} of {}", progress.variant, progress.variants));
    };
    let said = say(&request, engine, &cancel, &mut report);
    bar.finish_and_clear();
    match said {
        Ok(outcome) => {
            for warning in outcome.warnings {
                eprintln!("limber: {warning}");
            }
            for file in outcome.files {
                println!("{}", file.display());
            }
            if arguments.seed.is_none() {
                eprintln!("limber: add --seed {seed} to get the same motion again");
            }
            ExitCode::SUCCESS
        }
        Err(error) => refuse(&error),
    }
}

/// Maximum size of a script file, bytes; larger than any valid script.
const LONGEST_SCRIPT: u64 = 1 << 20;
/// Exit code for an invalid script or folder of actions, as for other wrong arguments.
const USAGE: u8 = 2;

fn read_script(file: &Path) -> Result<Script, String> {
    let told =
        |reason: &dyn std::fmt::Display| format!("the script `{}`: {reason}", file.display());
    let mut text = String::new();
    let reading = if file == Path::new("-") {
        io::stdin().take(LONGEST_SCRIPT).read_to_string(&mut text)
    } else {
        File::open(file).and_then(|file| file.take(LONGEST_SCRIPT).read_to_string(&mut text))
    };
    reading.map_err(|error| told(&error))?;
    Script::from_json(&text).map_err(|error| told(&error))
}

/// Returns a random seed short enough to be typed again.
#[expect(clippy::disallowed_methods, reason = "randomness is passed in from here")]
fn random_seed() -> u64 {
    rand::random::<u32>().into()
}

fn refuse(error: &SayError) -> ExitCode {
    eprintln!("limber: {error}");
    ExitCode::from(error.exit_code())
}

/// Returns a progress bar, hidden unless standard error is a terminal.
pub(crate) fn bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40.208/238} {pos:>3} %  {msg}");
    ProgressBar::new(100).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
