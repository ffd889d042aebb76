//! Runs Python scripts below `tests/`, in environments that `cargo xtask setup` creates.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// Returns the interpreter of an environment; prints a message and returns `None` if it is missing.
fn interpreter(environment: &str) -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_BIN_EXE_limber-motion")).ancestors().nth(2);
    let python = target.expect("a folder").join("tools").join(environment).join("bin/python");
    if !python.exists() {
        println!("skipped: run `cargo xtask setup` to install {environment}");
        return None;
    }
    Some(python)
}

/// Runs `tests/<environment>/<script>` with this input.
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

/// Returns the standard output; panics if the script failed.
pub(crate) fn printed(output: &Output) -> String {
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    out.into_owned()
}
