//! `limber view`: shows files in a window, or renders an image or a turntable video of them.

use std::{path::PathBuf, process::ExitCode};

use limber_api::viewer::{ViewerLanguage, ViewerLayer};
use limber_viewer::{Screenshot, Turntable, ViewerOptions};

use crate::data_folder;

#[derive(Debug, clap::Args)]
pub(crate) struct ViewArguments {
    /// GLB files to show.
    #[arg(required = true, value_name = "FILE.glb")]
    files: Vec<PathBuf>,
    /// Render one frame into this file instead of opening a window.
    #[arg(long, value_name = "OUT.png")]
    screenshot: Option<PathBuf>,
    /// Frame to render, from 0.
    #[arg(long, default_value_t = 0, requires = "screenshot")]
    frame: usize,
    /// Width and height of the image, pixels.
    #[arg(long, default_value = "1280x720", value_parser = size)]
    size: (u32, u32),
    /// Render a turntable video into this file instead of opening a window.
    #[arg(long, value_name = "OUT.mp4|.gif|.zip", conflicts_with = "screenshot")]
    turntable: Option<PathBuf>,
    /// Clip to show, by name or by number from 1.
    #[arg(long, value_name = "NAME|NUMBER")]
    clip: Option<String>,
    /// Show the bones.
    #[arg(long)]
    bones: bool,
    /// Additional layers to show, separated by commas.
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "bones,contacts,trails,ghosts,overlay",
        value_parser = layer
    )]
    show: Vec<ViewerLayer>,
    /// Use the light background instead of the dark one.
    #[arg(long)]
    light: bool,
    /// Language of the window, `en` or `de`; the desktop's language by default.
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    /// Display names of the files, in order.
    #[arg(long, hide = true)]
    name: Vec<String>,
    /// Read commands from standard input, and close at its end.
    #[arg(long, hide = true)]
    attached: bool,
}

/// Parses a size such as `1280x720`.
fn size(text: &str) -> Result<(u32, u32), String> {
    let sides = text
        .split_once('x')
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    sides.ok_or_else(|| "write it like 1280x720".to_owned())
}

fn layer(text: &str) -> Result<ViewerLayer, String> {
    let names = ViewerLayer::NAMES.map(|(name, _)| name).join(", ");
    ViewerLayer::from_name(text).ok_or_else(|| format!("available layers: {names}"))
}

/// Runs the command until the window is closed or the file is written.
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

/// Returns the language for a tag, or for the desktop's locale (`de_DE.UTF-8`) without one.
fn viewer_language(tag: Option<&str>) -> ViewerLanguage {
    let named = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let desktop = || ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(named);
    let tag = tag.map(str::to_owned).or_else(desktop).unwrap_or_default();
    if tag.starts_with("de") { ViewerLanguage::De } else { ViewerLanguage::En }
}

/// Returns the desktop's folder for pictures.
fn pictures_folder() -> Option<PathBuf> {
    let folders = directories::UserDirs::new()?;
    Some(folders.picture_dir().unwrap_or_else(|| folders.home_dir()).to_owned())
}
