//! The `limber-motion` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    limber_motion_service::command(std::env::args_os())
}
