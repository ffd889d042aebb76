//! The viewer alone: `limber-viewer FILE.glb… [--attached] [--bones] [--size WIDTHxHEIGHT]
//! [--screenshot FILE.png [--at SECONDS]]`.

use std::{path::PathBuf, process::ExitCode};

use limber_viewer::{Screenshot, ViewerOptions};

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
    let (mut picture, mut at_s) = (None, 0.0);
    while let Some(argument) = arguments.next() {
        let mut value = |what: &str| arguments.next().ok_or(format!("{argument} wants {what}"));
        match argument.as_str() {
            "--attached" => options.attached = true,
            "--bones" => options.bones = true,
            "--screenshot" => picture = Some(PathBuf::from(value("a file")?)),
            "--at" => at_s = value("seconds")?.parse().map_err(|_| "--at wants seconds")?,
            "--size" => options.size = Some(size(&value("WIDTHxHEIGHT")?)?),
            flag if flag.starts_with("--") => return Err(format!("{flag} is no known option")),
            _ => options.files.push(PathBuf::from(argument)),
        }
    }
    options.screenshot = picture.map(|file| Screenshot { file, at_s });
    Ok(options)
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let wrong = || "--size wants WIDTHxHEIGHT, for example 1280x720".to_owned();
    let (width, height) = text.split_once('x').ok_or_else(wrong)?;
    Ok((width.parse().map_err(|_| wrong())?, height.parse().map_err(|_| wrong())?))
}
