//! The program `limber`: the window, the viewer, `say`, and the services of the local studio.
//!
//! Everything is dispatched here, before any of it starts: a viewer must not open a window of
//! Tauri's, and a service must not touch the desktop. This file is also the only place that knows
//! which studio runs on this computer.

use std::{
    fs::File,
    io::IsTerminal,
    path::PathBuf,
    process::ExitCode,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use limber_api::viewer::{ViewerLanguage, ViewerLayer};
use limber_app::{
    ErrorCode, Mail, MailStore, Studio, StudioAddresses, StudioFailure, shown::StartStep,
};
use limber_local::{Letter, LocalError, LocalStudio, Mailbox, Service, Step};
use limber_pipeline::{
    Cancel, Composer, Seed,
    say::{SayError, SayProgress, SayRequest, explain, say},
};
use limber_viewer::{Screenshot, Turntable, ViewerOptions};

/// What a request that cannot be followed ends with.
const MISUSE: u8 = 2;

/// Say a motion, see it on your character, take it anywhere.
#[derive(Debug, Parser)]
#[command(name = "limber", version)]
struct Arguments {
    /// Without a command: the app.
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play characters in motion, side by side, in a window of their own.
    View(ViewArguments),
    /// Make a motion without any window or server, and write its files.
    Say(SayArguments),
    /// A part of the local studio; started by the app.
    #[command(hide = true)]
    Service {
        /// Which one.
        name: String,
    },
}

#[derive(Debug, clap::Args)]
struct ViewArguments {
    /// GLB files.
    #[arg(required = true, value_name = "FILE.glb")]
    files: Vec<PathBuf>,
    /// Draw one frame into this file instead of opening a window, and end.
    #[arg(long, value_name = "OUT.png")]
    screenshot: Option<PathBuf>,
    /// Which frame, from 0.
    #[arg(long, default_value_t = 0, requires = "screenshot")]
    frame: usize,
    /// Width and height of the picture, pixels.
    #[arg(long, default_value = "1280x720", value_parser = size)]
    size: (u32, u32),
    /// Film one turn of the camera into this file instead of opening a window, and end.
    #[arg(long, value_name = "OUT.mp4|.gif|.zip", conflicts_with = "screenshot")]
    turntable: Option<PathBuf>,
    /// Which clip of the files, by name or by number from 1.
    #[arg(long, value_name = "NAME|NUMBER")]
    clip: Option<String>,
    /// Show the bones.
    #[arg(long)]
    bones: bool,
    /// What to show besides, separated by commas.
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "bones,contacts,trails,ghosts,overlay",
        value_parser = layer
    )]
    show: Vec<ViewerLayer>,
    /// In the light studio instead of the dark one.
    #[arg(long)]
    light: bool,
    /// What the window speaks, `en` or `de`; what the desktop prefers when it is left out.
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    /// What a file is called, in their order.
    #[arg(long, hide = true)]
    name: Vec<String>,
    /// Obey commands on standard input and end with it.
    #[arg(long, hide = true)]
    attached: bool,
}

/// Reads `1280x720`.
fn size(text: &str) -> Result<(u32, u32), String> {
    let sides = text
        .split_once('x')
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    sides.ok_or_else(|| "write it as 1280x720".to_owned())
}

fn layer(text: &str) -> Result<ViewerLayer, String> {
    let names = ViewerLayer::NAMES.map(|(name, _)| name).join(", ");
    ViewerLayer::from_name(text).ok_or_else(|| format!("there are {names}"))
}

#[derive(Debug, clap::Args)]
struct SayArguments {
    /// What the person does: "a person walks forward, then waves with the right hand".
    prompt: String,
    /// A stock character, or a GLB, glTF, VRM or FBX file with a character of your own.
    #[arg(long, value_name = "NAME|FILE")]
    character: Option<String>,
    /// Length of the clip; the actions decide when it is left out.
    #[arg(long)]
    seconds: Option<f32>,
    /// How many different results.
    #[arg(long, default_value_t = 1)]
    variants: u32,
    /// The same seed and prompt give the same motion; drawn at random when it is left out, and
    /// printed.
    #[arg(long)]
    seed: Option<u64>,
    /// Which files, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "glb,fbx,bvh,vrma")]
    formats: Vec<String>,
    /// The program the files are for: gltf, unity, unreal5, blender, mixamo, vrma or bvh. Chooses the
    /// kind of file, the joints' names, the root and the frame rate.
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Only print how the prompt is understood.
    #[arg(long)]
    explain: bool,
    /// The folder the files go to.
    #[arg(long, value_name = "DIR", required_unless_present = "explain")]
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    // one of the two TLS libraries has to be named before the first connection
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut words = std::env::args_os();
    let is_link = words.nth(1).is_some_and(|word| word.to_string_lossy().starts_with("limber://"));
    if is_link {
        // how the desktop hands over a link; the window finds it on its own
        return window();
    }
    let command = Arguments::parse().command;
    if command.is_some() {
        start_log(None);
    }
    match command {
        None => window(),
        Some(Command::View(arguments)) => view(arguments),
        Some(Command::Say(arguments)) => match arguments.out.clone() {
            Some(out) if !arguments.explain => say_it(arguments, out),
            _ => explain_it(&arguments.prompt),
        },
        Some(Command::Service { name }) => match Service::parse(&name) {
            Some(service) => limber_local::service_main(service),
            None => {
                eprintln!("limber: there is no service {name}");
                ExitCode::from(MISUSE)
            }
        },
    }
}

/// To the terminal, and to a file for who has none.
fn start_log(file: Option<File>) {
    use tracing_subscriber::{EnvFilter, fmt::layer, prelude::*};
    let filter = EnvFilter::try_from_env("LIMBER_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    let terminal = std::io::stderr().is_terminal();
    let file = file.map(|file| layer().with_ansi(false).with_writer(Mutex::new(file)));
    tracing_subscriber::registry()
        .with(filter)
        .with(layer().with_ansi(terminal).with_writer(std::io::stderr))
        .with(file)
        .init();
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tracing::error!("{panic}");
        tell(panic);
    }));
}

#[cfg(feature = "desktop")]
fn window() -> ExitCode {
    let Some(data_folder) = data_folder() else {
        eprintln!("limber: this account has no home folder; name a data folder in LIMBER_DATA");
        return ExitCode::FAILURE;
    };
    // a folder that cannot be written to is told in the window
    start_log(limber_app::open_log(&limber_app::Folders::new(&data_folder)).ok());
    let studio = Arc::new(LocalStudio::new(&data_folder));
    let mailbox = studio.mailbox();
    let opened = limber_desktop::open(limber_desktop::Opening {
        data_folder,
        studio: Arc::new(Here { studio }),
        on_mail: Box::new(move |listener| mailbox.on_arrival(listener)),
    });
    match opened {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("limber: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(feature = "desktop"))]
fn window() -> ExitCode {
    eprintln!(
        "limber: this build has no window. Build it with the feature `desktop` to get one, or \
         use `limber say \"a person walks forward\" --out out`."
    );
    ExitCode::from(MISUSE)
}

/// Where this desktop keeps pictures.
fn pictures_folder() -> Option<PathBuf> {
    let folders = directories::UserDirs::new()?;
    Some(folders.picture_dir().unwrap_or_else(|| folders.home_dir()).to_owned())
}

/// `LIMBER_DATA`, or where this desktop keeps the data of programs.
fn data_folder() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("LIMBER_DATA").filter(|named| !named.is_empty()) {
        return Some(named.into());
    }
    Some(directories::ProjectDirs::from("", "", "limber")?.data_local_dir().to_owned())
}

fn view(arguments: ViewArguments) -> ExitCode {
    let ViewArguments { files, screenshot, frame, size, turntable, clip, light, .. } = arguments;
    let mut layers = arguments.show;
    layers.extend(arguments.bones.then_some(ViewerLayer::Bones));
    let outcome = match (screenshot, turntable) {
        (Some(file), _) => limber_viewer::screenshot(
            &files,
            &Screenshot { file, clip, frame, size, layers, light },
        ),
        (None, Some(file)) => {
            limber_viewer::turntable(&files, &Turntable { file, clip, size, layers, light })
        }
        (None, None) => limber_viewer::run(&ViewerOptions {
            files,
            names: arguments.name,
            light,
            language: viewer_language(arguments.language.as_deref()),
            attached: arguments.attached,
            clip,
            layers,
            size: None,
            memory: data_folder().map(|folder| folder.join("viewer.json")),
            pictures: pictures_folder(),
        }),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("limber: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A language by its tag, or by what the desktop calls it (`de_DE.UTF-8`).
fn viewer_language(tag: Option<&str>) -> ViewerLanguage {
    let named = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let desktop = || ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(named);
    let tag = tag.map(str::to_owned).or_else(desktop).unwrap_or_default();
    if tag.starts_with("de") { ViewerLanguage::De } else { ViewerLanguage::En }
}

/// How a prompt is understood, for a terminal.
fn explain_it(prompt: &str) -> ExitCode {
    match explain(prompt, &Composer) {
        Ok(explained) => {
            for warning in explained.warnings {
                eprintln!("limber: {warning}");
            }
            println!("{}", explained.script);
            ExitCode::SUCCESS
        }
        Err(error) => refuse(&error),
    }
}

/// The whole road from a prompt to files, for a terminal.
fn say_it(arguments: SayArguments, out: PathBuf) -> ExitCode {
    let cancel = Cancel::default();
    let stop = cancel.clone();
    if let Err(error) = ctrlc::set_handler(move || stop.cancel()) {
        tracing::warn!(%error, "Ctrl-C ends the program at once");
    }
    let seed = arguments.seed.unwrap_or_else(random_seed);
    let request = SayRequest {
        prompt: arguments.prompt,
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
    let said = say(&request, &Composer, &cancel, &mut report);
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

/// Short enough to be typed again.
#[expect(clippy::disallowed_methods, reason = "chance comes in here, at the outermost edge")]
fn random_seed() -> u64 {
    rand::random::<u32>().into()
}

fn refuse(error: &SayError) -> ExitCode {
    eprintln!("limber: {error}");
    ExitCode::from(error.exit_code())
}

/// Drawn on terminals only.
fn bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40.208/238} {pos:>3} %  {msg}");
    ProgressBar::new(100).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// The studio on this computer, as the app asks for it.
struct Here {
    studio: Arc<LocalStudio>,
}

#[async_trait]
impl Studio for Here {
    async fn start(
        &self,
        report: Box<dyn Fn(Vec<StartStep>) + Send + Sync>,
    ) -> Result<StudioAddresses, StudioFailure> {
        let tell = move |steps: Vec<Step>| report(steps.iter().map(shown_step).collect());
        let addresses = self.studio.start(Box::new(tell)).await.map_err(|error| failure(&error))?;
        let url = |text: &str| text.parse().map_err(|_| failure(&LocalError::Service("studio")));
        Ok(StudioAddresses {
            identity: url(&addresses.identity)?,
            motion: url(&addresses.motion)?,
            client_id: addresses.client_id,
            client_secret: addresses.client_secret,
        })
    }

    async fn stop(&self) {
        self.studio.stop().await;
    }

    fn stored_bytes(&self) -> u64 {
        self.studio.stored_bytes()
    }

    fn mail(&self) -> Arc<dyn MailStore> {
        Arc::new(HereMail { mailbox: self.studio.mailbox() })
    }
}

fn shown_step(step: &Step) -> StartStep {
    use limber_app::shown::StepState as Shown;
    StartStep {
        id: step.id.to_owned(),
        words: step.words.to_owned(),
        state: match step.state {
            limber_local::StepState::Waiting => Shown::Waiting,
            limber_local::StepState::Working => Shown::Working,
            limber_local::StepState::Done => Shown::Done,
        },
    }
}

fn failure(error: &LocalError) -> StudioFailure {
    tracing::error!(?error, "the studio did not start");
    let code = match error {
        LocalError::FolderNotWritable(_) => ErrorCode::FolderNotWritable,
        LocalError::DiskFull => ErrorCode::DiskFull,
        LocalError::AlreadyOpen => ErrorCode::AlreadyOpen,
        LocalError::DatabaseVersion { .. } => ErrorCode::DatabaseVersion,
        LocalError::DatabaseMissing => ErrorCode::DatabaseMissing,
        LocalError::Database(_) | LocalError::Service(_) | LocalError::System(_) => {
            ErrorCode::StudioFailed
        }
    };
    StudioFailure { code, message: error.to_string() }
}

/// The mailbox on this computer, as the app asks for it.
struct HereMail {
    mailbox: Arc<Mailbox>,
}

impl MailStore for HereMail {
    fn list(&self) -> std::io::Result<Vec<Mail>> {
        Ok(self.mailbox.list()?.into_iter().map(mail).collect())
    }

    fn open(&self, id: &str) -> std::io::Result<Option<Mail>> {
        Ok(self.mailbox.open(id)?.map(mail))
    }
}

fn mail(letter: Letter) -> Mail {
    Mail {
        id: letter.id,
        from: letter.from,
        to: letter.to,
        subject: letter.subject,
        received_at: letter.received_at,
        unread: letter.unread,
        text: letter.text,
        links: letter.links,
    }
}
