//! The program `limber-identity` as a process, with a database and a mail server of its own.

use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use limber_postgres::TestDatabase;
use reqwest::Url;
use tokio::net::TcpListener;

use crate::mailbox::Mailbox;

const SECRET: &str = "a secret of more than thirty-two characters";

/// A database and a mail server, and the settings that name them.
pub(crate) struct Deployment {
    pub(crate) database: TestDatabase,
    pub(crate) mailbox: Mailbox,
    settings: Vec<(&'static str, String)>,
}

impl Deployment {
    pub(crate) async fn new() -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let database = TestDatabase::create("identity").await.expect("PostgreSQL is there");
        let (mailbox, smtp_port) = Mailbox::start();
        let port = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = port.local_addr().expect("a bound address").port();
        let settings = vec![
            ("DATABASE_URL", database.url().to_owned()),
            ("AUTHSVC_DB_DRIVER", "postgres".to_owned()),
            ("AUTHSVC_SITE_URL", "http://localhost:3000".to_owned()),
            ("AUTHSVC_API_EXTERNAL_URL", format!("http://localhost:{port}")),
            ("AUTHSVC_JWT_SECRET", SECRET.to_owned()),
            ("AUTHSVC_SMTP_ADMIN_EMAIL", "studio@site.example".to_owned()),
            ("AUTHSVC_SMTP_HOST", "127.0.0.1".to_owned()),
            ("AUTHSVC_SMTP_PORT", smtp_port.to_string()),
            ("AUTHSVC_RATE_LIMIT_EMAIL_SENT", "1000000".to_owned()),
            ("AUTHSVC_DB_MAX_POOL_SIZE", "8".to_owned()),
            ("PORT", port.to_string()),
        ];
        Self { database, mailbox, settings }
    }

    pub(crate) fn set(&mut self, name: &'static str, value: &str) {
        self.settings.retain(|(known, _)| *known != name);
        self.settings.push((name, value.to_owned()));
    }

    pub(crate) fn value(&self, name: &str) -> &str {
        let found = self.settings.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// Only these settings, whatever the tests themselves run with.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_limber-identity"));
        command.args(arguments).env_clear().current_dir(std::env::temp_dir());
        command.envs(self.settings.iter().map(|(name, value)| (*name, value)));
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
        let base = self.value("AUTHSVC_API_EXTERNAL_URL").replace("localhost", "127.0.0.1");
        Url::parse(&format!("{base}{path}")).expect("a valid address")
    }

    /// The program, serving.
    pub(crate) async fn serve(&self) -> Running {
        let mut command = self.command(&[]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let running = Running(command.spawn().expect("the program starts"));
        let http = reqwest::Client::new();
        for _ in 0..600 {
            if http.get(self.url("/health/ready")).send().await.is_ok_and(|r| r.status() == 200) {
                return running;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the program does not serve");
    }
}

/// The program while it serves; it does not outlive its test.
pub(crate) struct Running(Child);

impl Running {
    /// At once, without a word.
    pub(crate) fn kill(&mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it ends");
    }

    /// As a supervisor would, so that the last words leave.
    pub(crate) fn terminate(mut self) {
        let id = self.0.id().to_string();
        Command::new("kill").arg(id).status().expect("`kill` is there");
        assert!(self.0.wait().expect("it ends").success(), "it ends in order");
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
