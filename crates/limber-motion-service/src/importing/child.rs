//! The reader process: receives its order, opens the files it needs, gives up all other rights, and
//! parses. A portrait of the parsed character is rendered by another reader.

use std::{
    fs::File,
    io::{self, BufRead, Read, Write},
    process::ExitCode,
};

use limber_system::limits;

use super::{
    order::{Order, Outcome, Task},
    reading::{Unreadable, draw, read, sanitize_image},
};

/// Maximum length of an order: room for a hundred rigs of 55 bones with the longest allowed names.
const LONGEST_ORDER_BYTES: u64 = 16 << 20;

/// Processes one file as described by the line of JSON on standard input. The program that starts a
/// service must offer this as a subcommand; see `ReaderProgram`.
#[must_use]
pub fn reader_main() -> ExitCode {
    match obey() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("reader: {error}");
            ExitCode::FAILURE
        }
    }
}

fn obey() -> io::Result<()> {
    let mut line = String::new();
    io::stdin().lock().take(LONGEST_ORDER_BYTES).read_line(&mut line)?;
    if let Ok(order) = serde_json::from_str(&line) {
        return crate::video::render(&order);
    }
    if let Ok(order) = serde_json::from_str(&line) {
        return crate::preview::draw(&order);
    }
    let order: Order = serde_json::from_str(&line).map_err(io::Error::other)?;
    let mut input = File::open(&order.input)?;
    let mut output = File::create(&order.output)?;
    let mut outcome = File::create(&order.outcome)?;
    let length = input.metadata()?.len();
    if order.task == Task::Draw {
        // the GLB is our own, but the textures in it decode to whatever size the uploader chose
        limits::to_drawing(order.cpu_s, 4 * order.memory_mib)?;
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes)?;
        return output.write_all(&draw(&bytes).map_err(io::Error::other)?);
    }
    limits::to_reading(order.cpu_s, order.memory_mib)?;
    let mut bytes = Vec::with_capacity(usize::try_from(length).map_err(io::Error::other)?);
    input.read_to_end(&mut bytes)?;
    let made = if order.task == Task::Fit {
        sanitize_image(&bytes).map(|png| (png, Outcome::Fitted))
    } else {
        read(&bytes, &order.bone_overrides).map(|(glb, model)| (glb, Outcome::Read(model)))
    };
    let what = match made {
        Ok((bytes, what)) => {
            output.write_all(&bytes)?;
            what
        }
        Err(Unreadable { code, message }) => Outcome::Refused { code, message },
    };
    serde_json::to_writer(&mut outcome, &what).map_err(io::Error::other)
}
