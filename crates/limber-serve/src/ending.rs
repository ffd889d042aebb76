//! Ensures that a program ends after it was asked to stop.

use std::time::Duration;

/// Upper limit for a shutdown. Impatient supervisors kill a process after five seconds.
pub const LONGEST_STOP: Duration = Duration::from_millis(4800);

/// Ends this process after `limit` if it is still running by then, with exit code 0, because
/// everything that could be lost will be retried. Otherwise an unresponsive database, a silent
/// telemetry collector or a stage that does not stop could keep the process alive. For programs
/// that have been asked to stop.
pub fn end_within(limit: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        tracing::warn!("the program did not stop within {limit:?} and exits now");
        std::process::exit(0);
    });
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Tells this program, when the test starts it again, to be the one that does not stop.
    const STUCK: &str = "LIMBER_TEST_STUCK";
    /// How long that program is stuck, which is far beyond its limit on the busiest computer.
    const STUCK_FOR: Duration = Duration::from_secs(60);

    #[test]
    fn a_program_that_does_not_stop_ends_with_success() {
        if std::env::var_os(STUCK).is_some() {
            end_within(Duration::from_millis(200));
            println!("{STUCK}");
            std::thread::sleep(STUCK_FOR);
            panic!("the program was not ended");
        }
        let name = "ending::tests::a_program_that_does_not_stop_ends_with_success";
        let program = std::env::current_exe().expect("the path of this program is known");
        let ended = Command::new(program)
            .args(["--exact", name, "--nocapture"])
            .env(STUCK, "1")
            .output()
            .expect("this program can be started again");
        let told = String::from_utf8_lossy(&ended.stdout);
        assert!(ended.status.success(), "{ended:?}");
        assert!(told.contains(STUCK), "it was not ended at once, but after its limit: {told}");
    }
}
