//! The program `limber-identity` as a process, with its own database and mail server.

use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use limber_postgres::TestDatabase;
use reqwest::Url;

use crate::mailbox::Mailbox;
use crate::stopping::ended_within;
use crate::waiting::until;

const SECRET: &str = "a secret of more than thirty-two characters";
/// Placeholder in settings for the program's port, which is known once it serves.
pub(crate) const PORT: &str = "{port}";
/// Placeholder in settings for the port of its metrics page.
pub(crate) const METRICS_PORT: &str = "{metrics port}";
/// Maximum number of starts, each with other ports, if the program exits instead of serving.
const STARTS: usize = 5;

/// Returns a port for a program to listen on later. It lies outside the range of ephemeral ports,
/// so that no other program is assigned it in the meantime.
fn free_port() -> u16 {
    const FIRST: u32 = 10_000;
    const COUNT: u32 = 20_000;
    /// Ports per process, so that concurrent processes use different ones.
    const EACH: u32 = 20;
    static LOOKED_AT: AtomicU32 = AtomicU32::new(0);
    loop {
        let own = std::process::id().wrapping_mul(EACH);
        let number = own.wrapping_add(LOOKED_AT.fetch_add(1, Ordering::SeqCst)) % COUNT;
        let port = u16::try_from(FIRST + number).expect("the number is less than 30 000");
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// A database and a mail server, with the settings that refer to them.
pub(crate) struct Deployment {
    pub(crate) database: TestDatabase,
    pub(crate) mailbox: Mailbox,
    settings: Vec<(&'static str, String)>,
    /// Ports of the program and of its metrics page.
    ports: Mutex<[u16; 2]>,
}

impl Deployment {
    pub(crate) async fn new() -> Self {
        Self::on(TestDatabase::create("identity").await.expect("PostgreSQL is available"))
    }

    /// Returns a deployment with this database, which is still empty.
    pub(crate) fn on(database: TestDatabase) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (mailbox, smtp_port) = Mailbox::start();
        let settings = vec![
            ("DATABASE_URL", database.url().to_owned()),
            ("AUTHSVC_DB_DRIVER", "postgres".to_owned()),
            ("AUTHSVC_SITE_URL", "http://localhost:3000".to_owned()),
            ("AUTHSVC_API_EXTERNAL_URL", format!("http://localhost:{PORT}")),
            ("AUTHSVC_JWT_SECRET", SECRET.to_owned()),
            ("AUTHSVC_SMTP_ADMIN_EMAIL", "studio@site.example".to_owned()),
            ("AUTHSVC_SMTP_HOST", "127.0.0.1".to_owned()),
            ("AUTHSVC_SMTP_PORT", smtp_port.to_string()),
            ("AUTHSVC_RATE_LIMIT_EMAIL_SENT", "1000000".to_owned()),
            ("AUTHSVC_RATE_LIMIT_BY_IP", "false".to_owned()),
            ("AUTHSVC_DB_MAX_POOL_SIZE", "8".to_owned()),
            ("AUTHSVC_API_MAX_REQUEST_DURATION", "60s".to_owned()),
            ("AUTHSVC_DB_TIMEOUT", "60s".to_owned()),
            ("PORT", PORT.to_owned()),
        ];
        Self { database, mailbox, settings, ports: Mutex::new([free_port(), free_port()]) }
    }

    pub(crate) fn set(&mut self, name: &'static str, value: &str) {
        self.settings.retain(|(known, _)| *known != name);
        self.settings.push((name, value.to_owned()));
    }

    pub(crate) fn value(&self, name: &str) -> &str {
        let found = self.settings.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// Replaces the placeholders in a setting's value.
    fn filled(&self, value: &str) -> String {
        let [own, metrics] = *self.ports.lock().expect("no thread panicked while holding the lock");
        value.replace(PORT, &own.to_string()).replace(METRICS_PORT, &metrics.to_string())
    }

    /// Returns a command with these settings only, whatever environment the tests run in.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_limber-identity"));
        command.args(arguments).env_clear().current_dir(std::env::temp_dir());
        command.envs(self.settings.iter().map(|(name, value)| (*name, self.filled(value))));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    pub(crate) fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {out}{err}");
        out
    }

    pub(crate) fn url(&self, path: &str) -> Url {
        let base = self.filled(self.value("AUTHSVC_API_EXTERNAL_URL"));
        let base = base.replace("localhost", "127.0.0.1");
        Url::parse(&format!("{base}{path}")).expect("a valid address")
    }

    /// Returns the URL of the metrics page, if the settings use [`METRICS_PORT`].
    pub(crate) fn metrics_url(&self) -> Url {
        let address = self.filled(&format!("http://127.0.0.1:{METRICS_PORT}/"));
        Url::parse(&address).expect("a valid address")
    }

    /// Starts the program and waits until it serves.
    pub(crate) async fn serve(&self) -> Running {
        let http = reqwest::Client::new();
        for _ in 0..STARTS {
            let mut command = self.command(&[]);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let mut running = Running(command.spawn().expect("the program starts"));
            let ready = self.url("/health/ready");
            let serves = until("the program is serving or has ended", async || {
                let answer = http.get(ready.clone()).send().await;
                let answers = answer.is_ok_and(|answer| answer.status() == 200);
                // The answer may come from another program that has taken the port.
                let ended = running
                    .0
                    .try_wait()
                    .expect("the state of the process can be queried")
                    .is_some();
                (answers || ended).then_some(!ended)
            })
            .await;
            if serves {
                return running;
            }
            *self.ports.lock().expect("no thread panicked while holding the lock") =
                [free_port(), free_port()];
        }
        panic!("the program exits instead of serving");
    }
}

/// The serving program, which is killed at the end of the test.
pub(crate) struct Running(Child);

impl Running {
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Kills the program with SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.0.kill().expect("the call succeeds");
        self.0.wait().expect("the process ends");
    }

    /// Stops the program with SIGTERM, as a supervisor would, so that it flushes its log and
    /// traces. It has to stop in time.
    pub(crate) fn terminate(mut self) {
        let id = self.0.id().to_string();
        Command::new("kill").arg(id).status().expect("`kill` is available");
        let status = ended_within(Duration::ZERO, &mut self.0);
        assert!(status.success(), "the program exits cleanly");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
