//! Measures how long it takes to store a character over HTTP, and how much memory the service needs
//! to receive a large file.
//!
//! Exits with 1 if a budget is exceeded. The FBX is the largest of the shared models; without them,
//! its row is skipped.

use std::{
    path::Path,
    process::{Child, Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use limber_animation::{Image, ImageEncoding};
use limber_api::motion::StoreModelRequest;
use limber_bench::{Report, amount, rounds};
use limber_client::motion::MotionClient;
use limber_motion_service::{Config, create_client, migrate};
use limber_postgres::TestDatabase;
use serde_json::Value;

const FBX: &str = "quaternius_animated_human.fbx";
const FBX_S: f64 = 0.3;
const GLB_BYTES: usize = 50 << 20;
const GLB_S: f64 = 5.0;
const UPLOAD_BYTES: usize = 200 << 20;
const UPLOAD_MIB: f64 = 64.0;
const ROUNDS: usize = 5;

#[tokio::main]
async fn main() -> ExitCode {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let studio = Studio::open().await;
    let mut report = Report::new();
    // memory first, while the service has done nothing yet
    let what = "memory for an upload of 200 MB";
    match studio.upload_memory_mib().await {
        Some(grown) => report.at_most(what, UPLOAD_MIB, "MiB", vec![grown]),
        None => report.note(what, "skipped: this system does not report a process's memory"),
    }
    let spent_s = studio.stored_s("glb", &large_glb()).await;
    report.at_most("GLB of 50 MB stored", GLB_S, "s", spent_s);
    let what = "FBX of 2 MB stored";
    let shared = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/models/good"));
    match std::fs::read(shared.join(FBX)) {
        Ok(fbx) => report.at_most(what, FBX_S, "s", studio.stored_s("fbx", &fbx).await),
        Err(_) => report.note(what, "skipped: the shared models are missing"),
    }
    report.end()
}

/// A service in a process of its own, with one account.
struct Studio {
    base: String,
    client: MotionClient,
    http: reqwest::Client,
    id: String,
    secret: String,
    server: Child,
    _database: TestDatabase,
    _files: tempfile::TempDir,
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Studio {
    async fn open() -> Self {
        let database = TestDatabase::create("bench").await.expect("a PostgreSQL");
        let files = tempfile::tempdir().expect("a folder");
        let config = Config::new(database.secret_url(), files.path().to_owned());
        migrate(&config).await.expect("an empty database");
        let (id, secret) = create_client(&config, "bench").await.expect("an account");
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = free.local_addr().expect("an address");
        drop(free);
        let base = format!("http://{address}");
        let server = Command::new(env!("CARGO_BIN_EXE_limber-motion"))
            .arg("serve")
            .env("MOTIONSVC_LISTEN", address.to_string())
            .env("MOTIONSVC_PUBLIC_URL", &base)
            .env("MOTIONSVC_RATE_LIMITS", "off")
            .env("MOTIONSVC_DATABASE_URL", database.url())
            .env("MOTIONSVC_STORE", files.path())
            .env("MOTIONSVC_LOG", "off")
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let client = MotionClient::new(&base, id.clone(), secret.clone()).expect("an address");
        let http = reqwest::Client::new();
        while http.get(format!("{base}/health")).send().await.is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let secret = secrecy::ExposeSecret::expose_secret(&secret).to_owned();
        let (_database, _files) = (database, files);
        Self { base, client, http, id, secret, server, _database, _files }
    }

    /// Uploads a file in a single request and returns its URL.
    async fn send(&self, extension: &str, file: Vec<u8>) -> String {
        let auth = format!("{}/account/v1/auth", self.base);
        let signed = self.http.get(auth).basic_auth(&self.id, Some(&self.secret)).send().await;
        let signed = signed.expect("an answer");
        let cookie = signed.headers()["set-cookie"].to_str().expect("text");
        let cookie = cookie.split(';').next().expect("a pair").to_owned();
        let urls = format!(
            "{}/character/v1/getModelUploadUrl?resumable=0&name=bench&modelExt={extension}",
            self.base
        );
        let urls = self.http.get(urls).header("cookie", cookie).send().await.expect("an answer");
        let urls: Value = urls.json().await.expect("JSON");
        let to = urls["modelUrl"].as_str().expect("an address").to_owned();
        let sent = self.http.put(&to).body(file).send().await.expect("an answer");
        assert!(sent.status().is_success(), "{}", sent.status());
        to
    }

    /// Measures storing an uploaded file, in seconds.
    #[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
    async fn store_s(&self, extension: &str, file: &[u8]) -> f64 {
        let model_url = Some(self.send(extension, file.to_vec()).await);
        let request = StoreModelRequest { model_url, ..StoreModelRequest::default() };
        let start = Instant::now();
        let stored = self.client.store_model(&request).await.expect("it is a character");
        let spent = start.elapsed().as_secs_f64();
        // otherwise the same file would be recognised next time
        self.client.delete_model(&stored.model_id).await.expect("it was stored");
        spent
    }

    /// Measures storing the file several times, in seconds.
    async fn stored_s(&self, extension: &str, file: &[u8]) -> Vec<f64> {
        let mut spent = Vec::new();
        for _ in 0..rounds(ROUNDS) {
            spent.push(self.store_s(extension, file).await);
        }
        spent
    }

    /// Measures how much the service's peak memory grows during an upload, in MiB; `None` if the
    /// system does not report it.
    async fn upload_memory_mib(&self) -> Option<f64> {
        self.send("glb", vec![0; 1 << 20]).await; // warm
        let before = self.most_memory_mib()?;
        self.send("glb", vec![0; amount(UPLOAD_BYTES, 8 << 20)]).await;
        Some(self.most_memory_mib().expect("it was reported before") - before)
    }

    /// Returns the service's peak memory so far, in MiB.
    fn most_memory_mib(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kib: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
        Some(kib / 1024.0)
    }
}

/// Returns a stock character padded with a texture to the size of the benchmark.
fn large_glb() -> Vec<u8> {
    let stock = limber_pipeline::stock::list()[0].character().expect("it reads");
    let mut character = stock.clone();
    let mut picture = std::io::Cursor::new(Vec::new());
    image::GrayImage::new(1, 1)
        .write_to(&mut picture, image::ImageFormat::Png)
        .expect("an image can be written to memory");
    let mut bytes = picture.into_inner();
    bytes.resize(amount(GLB_BYTES, 2 << 20), 0);
    character.images.push(Image {
        name: "picture".to_owned(),
        encoding: ImageEncoding::Png,
        bytes,
    });
    limber_formats::glb::write_character(&character).expect("it is whole")
}
