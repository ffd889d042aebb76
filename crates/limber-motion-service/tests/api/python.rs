//! Scripts in Python below `tests/`, in the environments that `cargo xtask setup` makes.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// The interpreter of an environment; `None`, and a line that says so, where it is not installed.
fn interpreter(environment: &str) -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_BIN_EXE_limber-motion")).ancestors().nth(2);
    let python = target.expect("a folder").join("tools").join(environment).join("bin/python");
    if !python.exists() {
        println!("skipped: run `cargo xtask setup` to install {environment}");
        return None;
    }
    Some(python)
}

/// Runs `tests/<environment>/<script>` with this as its input.
pub(crate) async fn run(
    (environment, script): (&str, &str),
    arguments: &[&str],
    input: String,
) -> Option<Output> {
    let python = interpreter(environment)?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(environment);
    let mut command = Command::new(python);
    command.arg(folder.join(script)).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let running = tokio::task::spawn_blocking(move || {
        let mut child = command.spawn().expect("it starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        pipe.write_all(input.as_bytes()).expect("it reads");
        drop(pipe);
        child.wait_with_output().expect("it ends")
    });
    Some(running.await.expect("it ran"))
}

/// What it printed, or why it failed.
pub(crate) fn printed(output: &Output) -> String {
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    out.into_owned()
}
