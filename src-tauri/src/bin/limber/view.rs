//! `limber view`: files in a window of their own, or one picture or turn of them in a file.

use std::{path::PathBuf, process::ExitCode};

use limber_api::viewer::{ViewerLanguage, ViewerLayer};
use limber_viewer::{Screenshot, Turntable, ViewerOptions};

use crate::data_folder;

#[derive(Debug, clap::Args)]
pub(crate) struct ViewArguments {
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

/// Shows the files, until the window is closed or the picture is written.
pub(crate) fn run(arguments: ViewArguments) -> ExitCode {
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
        (None, None) => {
            limber_system::console::let_go();
            limber_viewer::run(&ViewerOptions {
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
            })
        }
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

/// Where this desktop keeps pictures.
fn pictures_folder() -> Option<PathBuf> {
    let folders = directories::UserDirs::new()?;
    Some(folders.picture_dir().unwrap_or_else(|| folders.home_dir()).to_owned())
}
