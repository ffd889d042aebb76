//! The life of a reader: hears its order, opens what it needs, gives up everything else, reads. A
//! file that was read is drawn by another one.

use std::{
    fs::File,
    io::{self, BufRead, Read, Write},
    process::ExitCode,
};

use limber_system::limits;

use super::{
    order::{Order, Outcome, Task},
    reading::{Unreadable, draw, fit, read},
};

/// Room for a hundred rigs of 55 bones with the longest names that are taken.
const LONGEST_ORDER_BYTES: u64 = 16 << 20;

/// Reads one file, as the line of JSON on standard input says. The program that starts a service
/// offers this as a command of its own; see `ReaderProgram`.
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
        return crate::filming::shoot(&order);
    }
    if let Ok(order) = serde_json::from_str(&line) {
        return crate::drawing::draw(&order);
    }
    let order: Order = serde_json::from_str(&line).map_err(io::Error::other)?;
    let mut input = File::open(&order.input)?;
    let mut output = File::create(&order.output)?;
    let mut outcome = File::create(&order.outcome)?;
    let length = input.metadata()?.len();
    if order.task == Task::Draw {
        // what it draws is our own, but its pictures, once unpacked, are as large as a stranger made them
        limits::to_drawing(order.cpu_s, 4 * order.memory_mib)?;
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes)?;
        return output.write_all(&draw(&bytes).map_err(io::Error::other)?);
    }
    limits::to_reading(order.cpu_s, order.memory_mib)?;
    let mut bytes = Vec::with_capacity(usize::try_from(length).map_err(io::Error::other)?);
    input.read_to_end(&mut bytes)?;
    let made = if order.task == Task::Fit {
        fit(&bytes).map(|png| (png, Outcome::Fitted))
    } else {
        read(&bytes, &order.choices).map(|(glb, model)| (glb, Outcome::Read(model)))
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
