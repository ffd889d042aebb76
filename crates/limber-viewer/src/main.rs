//! The viewer as a separate executable, for benchmarks and tests; users run `limber view`. Usage:
//! `limber-viewer FILE.glb… [--attached] [--show LAYER] [--clip NAME] [--size WIDTHxHEIGHT]
//! [--memory FILE] [--pictures FOLDER]`.

use std::{path::PathBuf, process::ExitCode};

use limber_api::viewer::ViewerLayer;
use limber_viewer::ViewerOptions;

fn main() -> ExitCode {
    let outcome = options(std::env::args().skip(1))
        .and_then(|options| limber_viewer::run(&options).map_err(|error| error.to_string()));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn options(arguments: impl Iterator<Item = String>) -> Result<ViewerOptions, String> {
    let mut arguments = arguments;
    let mut options = ViewerOptions::default();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--attached" => options.attached = true,
            "--show" => options.layers.push(layer(&arguments.next().unwrap_or_default())?),
            "--clip" => options.clip = arguments.next(),
            "--memory" => options.memory = arguments.next().map(PathBuf::from),
            "--pictures" => options.pictures = arguments.next().map(PathBuf::from),
            "--size" => options.size = Some(size(&arguments.next().unwrap_or_default())?),
            flag if flag.starts_with("--") => return Err(format!("unknown option {flag}")),
            _ => options.files.push(PathBuf::from(argument)),
        }
    }
    Ok(options)
}

fn layer(text: &str) -> Result<ViewerLayer, String> {
    ViewerLayer::from_name(text).ok_or_else(|| format!("{text} is not a layer that can be shown"))
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let wrong = || "--size takes WIDTHxHEIGHT, for example 1280x720".to_owned();
    let (width, height) = text.split_once('x').ok_or_else(wrong)?;
    Ok((width.parse().map_err(|_| wrong())?, height.parse().map_err(|_| wrong())?))
}
