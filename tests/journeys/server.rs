//! A studio server as an operator runs it, with an OpenID provider: real processes, each with its
//! own database.

use std::{
    collections::BTreeMap,
    io::Write,
    net::TcpListener,
    os::fd::OwnedFd,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use limber_postgres::TestDatabase;
use secrecy::{ExposeSecret, SecretString};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    home::program,
    window::{Window, until},
    wire::Wire,
};

#[path = "../openid-provider/provider.rs"]
mod provider;

pub(crate) use provider::Visitor;
use provider::{CLIENT_ID, CLIENT_SECRET, Provider};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/openid-provider");
/// Key codes of WebDriver.
const ENTER: &str = "\u{E007}";
/// Numbers with a fixed code, to which no messages are sent.
pub(crate) const PHONE: &str = "+41790000000";
pub(crate) const NEW_PHONE: &str = "+41790000001";
pub(crate) const PHONE_CODE: &str = "123456";
/// Timeout for a response of a starting service.
const ANSWER: Duration = Duration::from_secs(10);
/// Interval and number of checks for a dialog, for several seconds, before it is opened again.
const LOOK: Duration = Duration::from_millis(100);
const LOOKS: u32 = 50;

/// Both services, killed when dropped.
pub(crate) struct Server {
    pub(crate) identity: String,
    pub(crate) motion: String,
    pub(crate) client_id: String,
    pub(crate) client_secret: SecretString,
    services: Vec<Child>,
    worker: Option<u32>,
    settings: BTreeMap<&'static str, String>,
    _provider: Provider,
    _databases: [TestDatabase; 2],
}

impl Drop for Server {
    fn drop(&mut self) {
        for service in &mut self.services {
            let _ = service.kill();
            let _ = service.wait();
        }
    }
}

impl Server {
    /// Returns the origin of the provider's pages.
    pub(crate) fn provider_origin(&self) -> String {
        self._provider.base.origin().ascii_serialization()
    }

    /// Starts a server; `None` if the provider's packages are not installed. `files` is the motion
    /// service's folder.
    pub(crate) async fn start(files: &Path) -> Option<Self> {
        Self::start_with(files, &[]).await
    }

    /// Starts a server with additional settings.
    pub(crate) async fn start_with(files: &Path, further: &[(&'static str, &str)]) -> Option<Self> {
        Self::start_at(Port::take(), files, further).await
    }

    /// Starts a server whose motion service, including chunked uploads, is reached through a
    /// [`Wire`].
    pub(crate) async fn start_with_wire(files: &Path) -> Option<(Self, Wire)> {
        let motion = Port::take();
        let wire = Wire::to(&motion.address).await;
        let public = [("MOTIONSVC_PUBLIC_URL", wire.address.as_str())];
        let mut server = Self::start_at(motion, files, &public).await?;
        server.motion.clone_from(&wire.address);
        Some((server, wire))
    }

    async fn start_at(
        motion: Port,
        files: &Path,
        further: &[(&'static str, &str)],
    ) -> Option<Self> {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let identity = Port::take();
        let addresses = [identity.address.clone(), motion.address.clone()];
        let callback = format!("http://{}/callback", identity.address);
        let provider = Provider::start(Path::new(FOLDER), "keycloak", &callback)?;
        let of_identity = TestDatabase::create("identity").await.expect("PostgreSQL is available");
        let of_motion = TestDatabase::create("motion").await.expect("PostgreSQL is available");
        let config = limber_motion_service::Config::new(of_motion.secret_url(), files.to_owned());
        limber_motion_service::migrate(&config).await.expect("the schema can be created");
        let client = limber_motion_service::create_client(&config, "a studio").await;
        let (client_id, client_secret) = client.expect("a client can be created");
        let mut server = Self {
            identity: format!("http://{}", identity.address),
            motion: format!("http://{}", motion.address),
            client_id,
            client_secret,
            services: vec![],
            worker: None,
            settings: BTreeMap::new(),
            _provider: provider,
            _databases: [of_identity, of_motion],
        };
        server.settings = server.settings(&addresses, &callback, files);
        server.settings.extend(further.iter().map(|(name, value)| (*name, (*value).to_owned())));
        server.run("identity", identity.for_service());
        server.run("motion", motion.for_service());
        for address in &addresses {
            until("the services to respond", async || answer(address).await).await;
        }
        Some(server)
    }

    /// Grants credits to the studio's account.
    pub(crate) async fn grant(&self, files: &Path, credits: i64) {
        let [_, of_motion] = &self._databases;
        let config = limber_motion_service::Config::new(of_motion.secret_url(), files.to_owned());
        let granted =
            limber_motion_service::grant_credits(&config, &self.client_id, credits * 10).await;
        granted.expect("the database is available").expect("the account exists");
    }

    /// Starts a worker.
    pub(crate) fn work(&mut self) {
        self.run("worker", Stdio::null());
        self.worker = self.services.last().map(Child::id);
    }

    /// Stops all work on jobs until [`Self::worker_goes_on`].
    pub(crate) fn halt_worker(&self) {
        self.signal_worker("-STOP");
    }

    pub(crate) fn worker_goes_on(&self) {
        self.signal_worker("-CONT");
    }

    fn signal_worker(&self, signal: &str) {
        let id = self.worker.expect("the worker is running").to_string();
        let done = Command::new("kill").args([signal, &id]).status();
        assert!(done.is_ok_and(|done| done.success()), "the worker is running");
    }

    /// Runs a service of the program under test; its settings are written to its standard input,
    /// which stays open while it runs.
    fn run(&mut self, service: &str, output: Stdio) {
        let mut process = Command::new(program())
            .args(["service", service])
            .stdin(Stdio::piped())
            .stdout(output)
            .spawn()
            .expect("the program can be started");
        let line =
            serde_json::to_string(&self.settings).expect("the settings can be serialised") + "\n";
        let input = process.stdin.as_mut().expect("stdin is piped");
        input.write_all(line.as_bytes()).expect("the service reads its settings");
        self.services.push(process);
    }

    /// Connects the app in this window to this server.
    pub(crate) async fn connect(&self, window: &Window) {
        // the first page is rendered again when the studio is ready, which loses earlier clicks
        until("the settings dialog", async || {
            if window.count("dialog").await == 0 {
                window.press("Settings").await;
            }
            for _ in 0..LOOKS {
                if window.count("dialog").await > 0 {
                    return Some(());
                }
                tokio::time::sleep(LOOK).await;
            }
            None
        })
        .await;
        window.choose("Server").await;
        window.write("Address of the account service", &self.identity).await;
        window.write("Address of the motion service", &self.motion).await;
        window.write("Client ID", &self.client_id).await;
        window.write("Client secret", self.client_secret.expose_secret()).await;
        // both may be scrolled out of view, where WebDriver's mouse cannot reach them
        window.keys("dialog form button[type=submit]", ENTER).await;
        window.keys("dialog .head button", ENTER).await;
        window.see("Continue with Keycloak").await;
    }

    pub(crate) async fn sign_in_by_phone(&self, window: &Window) {
        window.press("Text me a code").await;
        window.write("Phone number", PHONE).await;
        window.press("Text me a code").await;
        window.write("Code", PHONE_CODE).await;
        window.press_exactly("Sign in").await;
    }

    fn settings(
        &self,
        [identity, motion]: &[String; 2],
        callback: &str,
        files: &Path,
    ) -> BTreeMap<&'static str, String> {
        let [of_identity, of_motion] = &self._databases;
        let port = identity.rsplit(':').next().unwrap_or_default();
        let codes = [PHONE, NEW_PHONE].map(|to| format!("{}:{PHONE_CODE}", &to[1..]));
        let provider = self._provider.base.as_str().trim_end_matches('/');
        BTreeMap::from([
            ("LIMBER_ADMIT", "everybody".to_owned()),
            ("AUTHSVC_SITE_URL", "http://studio.example".to_owned()),
            ("AUTHSVC_URI_ALLOW_LIST", "limber://auth/callback*".to_owned()),
            ("AUTHSVC_API_EXTERNAL_URL", format!("http://{identity}")),
            ("AUTHSVC_API_HOST", "127.0.0.1".to_owned()),
            ("AUTHSVC_PORT", port.to_owned()),
            ("AUTHSVC_DB_DRIVER", "postgres".to_owned()),
            ("AUTHSVC_DATABASE_URL", of_identity.secret_url().expose_secret().to_owned()),
            ("AUTHSVC_DB_MAX_POOL_SIZE", "5".to_owned()),
            ("AUTHSVC_JWT_SECRET", "a secret of more than thirty-two characters".to_owned()),
            ("AUTHSVC_RATE_LIMIT_BY_IP", "false".to_owned()),
            ("AUTHSVC_SMTP_HOST", String::new()),
            ("AUTHSVC_SMTP_PORT", "25".to_owned()),
            ("AUTHSVC_SMTP_ADMIN_EMAIL", "studio@studio.example".to_owned()),
            ("AUTHSVC_SECURITY_MANUAL_LINKING_ENABLED", "true".to_owned()),
            ("AUTHSVC_EXTERNAL_KEYCLOAK_ENABLED", "true".to_owned()),
            ("AUTHSVC_EXTERNAL_KEYCLOAK_CLIENT_ID", CLIENT_ID.to_owned()),
            ("AUTHSVC_EXTERNAL_KEYCLOAK_SECRET", CLIENT_SECRET.to_owned()),
            ("AUTHSVC_EXTERNAL_KEYCLOAK_REDIRECT_URI", callback.to_owned()),
            ("AUTHSVC_EXTERNAL_KEYCLOAK_URL", provider.to_owned()),
            ("AUTHSVC_EXTERNAL_PHONE_ENABLED", "true".to_owned()),
            ("AUTHSVC_SMS_PROVIDER", "twilio".to_owned()),
            ("AUTHSVC_SMS_TWILIO_ACCOUNT_SID", "none".to_owned()),
            ("AUTHSVC_SMS_TWILIO_AUTH_TOKEN", "none".to_owned()),
            ("AUTHSVC_SMS_TWILIO_MESSAGE_SERVICE_SID", "none".to_owned()),
            ("AUTHSVC_SMS_TEST_OTP", codes.join(",")),
            ("MOTIONSVC_DATABASE_URL", of_motion.secret_url().expose_secret().to_owned()),
            ("MOTIONSVC_STORE", files.to_string_lossy().into_owned()),
            ("MOTIONSVC_LISTEN", motion.to_owned()),
        ])
    }
}

/// A port reserved before its service starts: if it were released in between, another program could
/// bind it, and the app would mistake it for the studio.
struct Port {
    address: String,
    socket: TcpListener,
}

impl Port {
    fn take() -> Self {
        let socket = TcpListener::bind("127.0.0.1:0").expect("a port is available");
        Self {
            address: socket.local_addr().expect("the socket has an address").to_string(),
            socket,
        }
    }

    /// Returns the standard output for the service, which takes its socket from there.
    fn for_service(self) -> Stdio {
        OwnedFd::from(self.socket).into()
    }
}

/// Returns a byte of a service's response; a successful connection alone may mean that the service
/// is still starting.
async fn answer(address: &str) -> Option<u8> {
    let mut service = TcpStream::connect(address).await.ok()?;
    service.write_all(b"GET /health HTTP/1.0\r\n\r\n").await.ok()?;
    tokio::time::timeout(ANSWER, service.read_u8()).await.ok()?.ok()
}
