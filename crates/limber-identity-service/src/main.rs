//! The program `limber-identity`. All of its functionality is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    limber_identity_service::command(std::env::args_os())
}
