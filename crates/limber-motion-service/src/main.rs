//! The program `limber-motion`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_from_env("MOTIONSVC_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("limber=info,warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    limber_motion_service::command(std::env::args_os())
}
