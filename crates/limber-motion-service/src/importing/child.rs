//! The life of a reader: hears its order, opens what it needs, gives up everything else, reads. A
//! file that was read is drawn by another one.

use std::{
    fs::File,
    io::{self, BufRead, Read, Write},
    process::ExitCode,
};

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
        limit_drawing(order.cpu_s, 4 * order.memory_mib)?;
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes)?;
        return output.write_all(&draw(&bytes).map_err(io::Error::other)?);
    }
    give_up_everything_else(&order)?;
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

/// Drawing needs libraries, and drivers reserve what they never use; what it draws is our own, but
/// its pictures, once unpacked, are as large as a stranger made them.
#[cfg(unix)]
pub(crate) fn limit_drawing(cpu_s: u64, memory_mib: u64) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    for (what, most) in
        [(Resource::Core, 0), (Resource::Cpu, cpu_s), (Resource::Data, memory_mib << 20)]
    {
        setrlimit(what, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "other systems can fail")]
pub(crate) fn limit_drawing(_: u64, _: u64) -> io::Result<()> {
    Ok(())
}

/// Limits that cannot be lifted again. With no descriptor left to give out, neither a file nor a
/// connection can be opened.
#[cfg(unix)]
fn give_up_everything_else(order: &Order) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let memory = address_space_bytes().saturating_add(order.memory_mib << 20);
    for (what, most) in [
        (Resource::Core, 0),
        (Resource::Cpu, order.cpu_s),
        (Resource::Fsize, order.memory_mib << 20),
        (Resource::As, memory),
        (Resource::Nofile, 0),
    ] {
        setrlimit(what, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

/// What the program takes before it has read anything: a desktop program maps large libraries.
#[cfg(unix)]
fn address_space_bytes() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').next().and_then(|pages| pages.parse::<u64>().ok());
    pages.map_or(1 << 30, |pages| pages * rustix::param::page_size() as u64)
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "other systems can fail")]
fn give_up_everything_else(_: &Order) -> io::Result<()> {
    Ok(())
}
