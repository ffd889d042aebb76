//! Test fixture: a service with its own database and folder, and workers on demand.

mod holds;

use std::{
    collections::BTreeMap,
    path::PathBuf,
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, Utc};
use limber_animation::Clip;
use limber_client::motion::{
    FailureCause, JobId, JobStatus, ModelId, MotionClient, MotionError, TextToMotion, VariantId,
};
use limber_domain::environment::Clock;
use limber_motion_service::{Config, Environment, StorePlace, create_client, migrate, serve_in};
use limber_postgres::{TestDatabase, TestServer};
use limber_text_to_motion::Seed;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

use crate::{port::Port, stopping::ended_within, worker::ENDLESS_SEED};

/// Upper bound on all waits, even on a computer that is busy after a full build.
pub(crate) const PATIENCE: Duration = Duration::from_secs(500);

pub(crate) struct Studio {
    pub(crate) config: Config,
    pub(crate) database: TestDatabase,
    pub(crate) base: String,
    pub(crate) id: String,
    pub(crate) secret: SecretString,
    pub(crate) http: reqwest::Client,
    pub(crate) files: TempDir,
    /// Further settings of processes that are started.
    settings: Vec<(&'static str, String)>,
    environment: Environment,
    /// Reserves the server's port.
    port: Port,
    server: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

/// Creates a database with the service's tables. The journeys start with an empty one.
async fn migrated() -> Result<TestDatabase, Box<dyn std::error::Error + Send + Sync>> {
    let nowhere = TempDir::new()?;
    let migrate = async |url| Ok(migrate(&Config::new(url, nowhere.path().into())).await?);
    TestDatabase::create_migrated("motion", &sqlx::migrate!(), migrate).await
}

impl Studio {
    /// Opens a studio without rate limits and previews.
    pub(crate) async fn open() -> Self {
        Self::open_with(|_| {}).await
    }

    pub(crate) async fn open_with(change: impl FnOnce(&mut Config)) -> Self {
        Self::open_in(Environment::system(), change).await
    }

    /// Opens a studio with a clock that the test controls.
    pub(crate) async fn open_at(clock: &Arc<HandClock>, change: impl FnOnce(&mut Config)) -> Self {
        let clock = Arc::clone(clock) as Arc<dyn Clock>;
        Self::open_in(Environment { clock, ..Environment::system() }, change).await
    }

    async fn open_in(environment: Environment, change: impl FnOnce(&mut Config)) -> Self {
        let database = migrated().await.expect("a PostgreSQL for tests");
        Self::open_at_database(database, environment, change).await
    }

    /// Opens a studio on a database server that the test can break.
    pub(crate) async fn open_on(server: &TestServer, change: impl FnOnce(&mut Config)) -> Self {
        let nowhere = TempDir::new().expect("a folder");
        let config = Config::new(server.url(), nowhere.path().into());
        migrate(&config).await.expect("the tables can be created");
        let environment = Environment::system();
        Self::open_at_database(server.database(), environment, change).await
    }

    async fn open_at_database(
        database: TestDatabase,
        environment: Environment,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        // fails if another test has installed a provider already, which is fine
        let _ = rustls::crypto::ring::default_provider().install_default();
        let files = TempDir::new().expect("a folder");
        let mut config = Config::new(database.secret_url(), files.path().join("files"));
        config.rate_limits = false;
        config.pictures = false;
        config.reader.path = env!("CARGO_BIN_EXE_limber-motion").into();
        config.import.time = PATIENCE;
        change(&mut config);
        let (id, secret) = create_client(&config, "tests").await.expect("an account");
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            // loading the system's certificates takes longer than most tests
            .tls_certs_only([])
            .build()
            .expect("a client");
        let port = Port::take();
        let base = format!("http://{}", port.address);
        let mut studio = Self {
            config,
            database,
            base,
            id,
            secret,
            http,
            files,
            settings: Vec::new(),
            environment,
            port,
            server: None,
        };
        studio.start_server().await;
        studio
    }

    /// Starts the server, on the same port as before.
    pub(crate) async fn start_server(&mut self) {
        let listener = TcpListener::bind(self.port.address).await.expect("the port is ours");
        let (stop, stopped) = oneshot::channel::<()>();
        let (config, environment) = (self.config.clone(), self.environment.clone());
        let running = tokio::spawn(async move {
            let stopped = async { drop(stopped.await) };
            let served = serve_in(&config, listener, environment, stopped).await;
            served.expect("the server runs until it is stopped");
        });
        self.server = Some((stop, running));
        self.wait_until_it_answers().await;
    }

    async fn wait_until_it_answers(&self) {
        let health = format!("{}/health", self.base);
        until("the server answers", async || {
            let answer = self.http.get(&health).send().await;
            answer.is_ok_and(|answer| answer.status() == 200).then_some(())
        })
        .await;
    }

    /// Replaces the server with one in a process of its own, on the same port.
    pub(crate) async fn start_server_process(&mut self) -> Worker {
        if self.server.is_some() {
            self.kill_server().await;
        }
        let server = self.process_of("serve", "server");
        self.wait_until_it_answers().await;
        server
    }

    /// Stops the server in an orderly way.
    pub(crate) async fn stop_server(&mut self) {
        let (stop, running) = self.server.take().expect("a running server");
        let _ = stop.send(());
        // idle keep-alive connections must not delay the test
        let _ = tokio::time::timeout(Duration::from_secs(20), running).await;
    }

    /// Returns the files in the upload folder, by name.
    pub(crate) fn uploads(&self) -> BTreeMap<String, Vec<u8>> {
        let folder = std::fs::read_dir(self.files.path().join("files/uploads")).expect("a folder");
        folder
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().expect("text");
                Some((name, std::fs::read(entry.path()).ok()?))
            })
            .collect()
    }

    /// Creates an unreferenced content; returns its name and path.
    pub(crate) fn stray(&self, digit: char) -> (String, PathBuf) {
        let name = digit.to_string().repeat(64);
        let folder = self.files.path().join("files/objects").join(&name[..2]);
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join(&name);
        std::fs::write(&file, "stray").expect("written");
        (name, file)
    }

    /// Returns the only upload.
    pub(crate) fn only_upload(&self) -> (String, Vec<u8>) {
        let mut all = self.uploads();
        assert_eq!(all.len(), 1, "one upload");
        all.pop_first().expect("one upload")
    }

    /// Returns the name of the only other upload.
    pub(crate) fn only_upload_but(&self, other: &str) -> String {
        let mut all = self.uploads();
        all.remove(other);
        all.pop_first().expect("one upload").0
    }

    /// Aborts the server, whatever it is doing.
    pub(crate) async fn kill_server(&mut self) {
        let (_stop, running) = self.server.take().expect("a running server");
        running.abort();
        let _ = running.await;
    }

    pub(crate) fn client(&self) -> MotionClient {
        MotionClient::new(&self.base, self.id.clone(), self.secret.clone()).expect("an address")
    }

    /// Returns a client of another account.
    pub(crate) async fn stranger(&self) -> MotionClient {
        let (id, secret) = create_client(&self.config, "stranger").await.expect("an account");
        MotionClient::new(&self.base, id, secret).expect("an address")
    }

    /// Signs in and returns the `svcsess=…` pair.
    pub(crate) async fn cookie(&self) -> String {
        let request = self.http.get(self.url("/account/v1/auth"));
        let request = request.basic_auth(&self.id, Some(self.secret.expose_secret()));
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), 200);
        let cookie = answer.headers()["set-cookie"].to_str().expect("text").to_owned();
        cookie.split(';').next().expect("a pair").to_owned()
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Sends a GET with a session; returns status and body.
    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        let request = self.http.get(self.url(path)).header("cookie", self.cookie().await);
        read(request).await
    }

    /// Submits a job with these parameters; returns status and body.
    pub(crate) async fn process(&self, params: &[&str]) -> (u16, Value) {
        let body = serde_json::json!({ "params": params });
        let request = self.http.post(self.url("/job/v1/process/text2motion"));
        read(request.header("cookie", self.cookie().await).json(&body)).await
    }

    /// Sets an environment variable for processes started from now on.
    pub(crate) fn set(&mut self, name: &'static str, value: &str) {
        self.settings.retain(|(known, _)| *known != name);
        self.settings.push((name, value.to_owned()));
    }

    /// Runs a command of the program to completion.
    pub(crate) async fn run(&self, command: &str, settings: &[(&str, &str)]) -> Output {
        let mut command = self.command(command, "cpu-0");
        command.envs(settings.iter().copied());
        let running = tokio::task::spawn_blocking(move || command.output());
        running.await.expect("it ran").expect("the program starts")
    }

    /// Starts a worker process; killed on drop.
    pub(crate) fn worker(&self, name: &str) -> Worker {
        self.process_of("work", name)
    }

    /// Starts a worker process that never finishes this seed unless it is asked to stop; killed on
    /// drop.
    pub(crate) fn endless_worker(&self, name: &str, seed: Seed) -> Worker {
        let mut program = Command::new(std::env::current_exe().expect("this program"));
        program.args(["--exact", "worker::runs_as_the_environment_configures", "--nocapture"]);
        self.set_up(&mut program, name, &self.base);
        program.env(ENDLESS_SEED, seed.0.to_string());
        Worker::start(program, self.config.drain, None)
    }

    /// Starts a second server process; returns it with its base URL.
    pub(crate) async fn another_server(&self) -> (Worker, String) {
        let port = Port::take();
        let base = format!("http://{}", port.address);
        let command = self.command_at("serve", "another", &base);
        let server = Worker::start(command, Duration::ZERO, Some(port));
        let health = format!("{base}/health");
        until("the other server answers", async || {
            let answer = self.http.get(&health).send().await;
            answer.is_ok_and(|answer| answer.status() == 200).then_some(())
        })
        .await;
        (server, base)
    }

    fn process_of(&self, command: &str, name: &str) -> Worker {
        Worker::start(self.command(command, name), self.config.drain, None)
    }

    fn command(&self, command: &str, name: &str) -> Command {
        self.command_at(command, name, &self.base)
    }

    fn command_at(&self, command: &str, name: &str, base: &str) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_limber-motion"));
        program.arg(command);
        self.set_up(&mut program, name, base);
        program
    }

    /// Passes the studio's settings to a process.
    fn set_up(&self, program: &mut Command, name: &str, base: &str) {
        let address = base.strip_prefix("http://").unwrap_or("127.0.0.1:0");
        program
            .env("MOTIONSVC_LISTEN", address)
            .env(
                "MOTIONSVC_PUBLIC_URL",
                self.config.public_url.as_ref().map_or(base, |url| url.as_str()),
            )
            .env("MOTIONSVC_RATE_LIMITS", if self.config.rate_limits { "on" } else { "off" })
            .env("MOTIONSVC_DATABASE_URL", self.config.database_url.expose_secret())
            .env("MOTIONSVC_BILLING", if self.config.billing.is_some() { "on" } else { "off" })
            .env("MOTIONSVC_SCRATCH", &self.config.scratch)
            .env("MOTIONSVC_DRAIN_S", self.config.drain.as_secs().to_string())
            .envs(place_of(&self.config.store))
            .env("MOTIONSVC_WORKER_NAME", name)
            .env("MOTIONSVC_PICTURES", if self.config.pictures { "on" } else { "off" })
            .env(
                "MOTIONSVC_LOG",
                std::env::var("MOTIONSVC_LOG").unwrap_or_else(|_| "off".to_owned()),
            )
            .envs(self.settings.iter().map(|(name, value)| (name, value)));
    }

    /// Executes a statement in the studio's database.
    pub(crate) async fn sql(&self, statement: &str) {
        let pool = sqlx::PgPool::connect(self.database.url()).await.expect("the database");
        sqlx::query(sqlx::AssertSqlSafe(statement.to_owned()))
            .execute(&pool)
            .await
            .expect("the statement is valid");
        pool.close().await;
    }

    /// Makes waiting retries due now.
    pub(crate) async fn hasten_retries(&self) {
        self.sql("update jobs set retry_at_ms = 0 where state = 'retry_wait'").await;
    }

    /// Deletes all contents, including stock.
    pub(crate) fn lose_contents(&self) {
        std::fs::remove_dir_all(self.files.path().join("files/objects")).expect("they exist");
    }

    /// Checks that every file of a variant can be downloaded.
    pub(crate) async fn check_files(&self, client: &MotionClient, job: &JobId, variant: u32) {
        let variant = VariantId::new(variant).expect("not 0");
        let entry = client.links(job, variant).await.expect("links");
        let groups = entry.urls.expect("the job has files");
        let links: Vec<_> = groups.iter().flat_map(|group| &group.files).flatten().collect();
        assert!(links.iter().any(|(kind, _)| *kind == "glb"), "{links:?}");
        for (kind, link) in links {
            let answer = self.http.get(link).send().await.expect("an answer");
            assert_eq!(answer.status(), 200, "{kind} of variant {variant}");
        }
    }

    /// Loads the canonical clip of a variant.
    pub(crate) async fn kept_clip(&self, job: &JobId, variant: u32) -> Clip {
        let pool = sqlx::PgPool::connect(self.database.url()).await.expect("the database");
        let content: String = sqlx::query_scalar(
            "select content_id from artifacts where rid = $1 and number = $2 and kind = 'clip'",
        )
        .bind(job.as_str())
        .bind(i32::try_from(variant).expect("a small number"))
        .fetch_one(&pool)
        .await
        .expect("the job has stored a clip");
        pool.close().await;
        let folder = self.files.path().join("files/objects").join(&content[..2]);
        let bytes = std::fs::read(folder.join(content)).expect("the clip exists");
        limber_formats::canonical::read(&bytes).expect("the clip is valid").clip
    }

    /// Flips a bit in every canonical clip.
    pub(crate) fn damage_clips(&self) {
        self.spoil_clips(|bytes| *bytes.last_mut().expect("a byte") ^= 1);
    }

    /// Truncates every canonical clip to half its length.
    pub(crate) fn cut_clips(&self) {
        self.spoil_clips(|bytes| bytes.truncate(bytes.len() / 2));
    }

    fn spoil_clips(&self, spoil: impl Fn(&mut Vec<u8>)) {
        let folders = std::fs::read_dir(self.files.path().join("files/objects")).expect("a folder");
        for folder in folders.flatten() {
            for file in std::fs::read_dir(folder.path()).expect("a folder").flatten() {
                let mut bytes = std::fs::read(file.path()).expect("a file");
                if bytes.starts_with(b"LIMBCLIP") {
                    spoil(&mut bytes);
                    std::fs::write(file.path(), bytes).expect("written");
                }
            }
        }
    }

    /// Returns the number of rows of a table in the studio's database.
    pub(crate) async fn rows_of(&self, table: &str) -> i64 {
        let pool = sqlx::PgPool::connect(self.database.url()).await.expect("the database");
        let count = format!("select count(*) from {table}");
        let count = sqlx::query_scalar(sqlx::AssertSqlSafe(count)).fetch_one(&pool).await;
        pool.close().await;
        count.expect("the table exists")
    }
}

/// Returns the settings that select this file store.
pub(crate) fn place_of(store: &StorePlace) -> Vec<(&'static str, String)> {
    let place = match store {
        StorePlace::Folder(folder) => {
            return vec![("MOTIONSVC_STORE", folder.display().to_string())];
        }
        StorePlace::S3(place) => place,
    };
    let on = |is: bool| if is { "on" } else { "off" }.to_owned();
    let mut settings = vec![
        ("MOTIONSVC_STORE", format!("s3://{}/{}", place.bucket, place.prefix)),
        ("MOTIONSVC_S3_REGION", place.region.clone()),
        ("MOTIONSVC_S3_PATH_STYLE", on(place.path_style)),
        ("MOTIONSVC_S3_REDIRECT", on(place.redirect)),
    ];
    settings.extend(place.endpoint.as_ref().map(|url| ("MOTIONSVC_S3_ENDPOINT", url.to_string())));
    if let Some(keys) = &place.keys {
        let secret = keys.secret.expose_secret().to_owned();
        settings.push(("MOTIONSVC_S3_ACCESS_KEY_ID", keys.id.clone()));
        settings.push(("MOTIONSVC_S3_SECRET_ACCESS_KEY", secret));
    }
    settings
}

/// A clock that stands still until it is moved.
#[derive(Debug)]
pub(crate) struct HandClock(AtomicI64);

impl HandClock {
    /// Starts at the current time.
    pub(crate) fn now() -> Arc<Self> {
        Arc::new(Self(AtomicI64::new(Environment::system().clock.now_ms())))
    }

    pub(crate) fn forward(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }

    pub(crate) fn set(&self, ms: i64) {
        self.0.store(ms, Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.0.load(Ordering::SeqCst)).expect("a time")
    }
}

/// Sends a request; returns its status and JSON body, `null` if there is none.
pub(crate) async fn read(request: reqwest::RequestBuilder) -> (u16, Value) {
    let answer = request.send().await.expect("an answer");
    let status = answer.status().as_u16();
    (status, answer.json().await.unwrap_or(Value::Null))
}

/// A worker or server process.
pub(crate) struct Worker {
    child: Child,
    /// How long it may continue its job after it was asked to stop.
    drain: Duration,
    /// Reserves the port of a server that is not restarted on it.
    _port: Option<Port>,
}

impl Worker {
    fn start(mut program: Command, drain: Duration, port: Option<Port>) -> Self {
        let child = program.stdout(Stdio::null()).spawn().expect("the program starts");
        Self { child, drain, _port: port }
    }

    /// Returns the peak memory in MiB.
    pub(crate) fn peak_memory_mib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
        let kib: u64 = line.trim().trim_end_matches(" kB").trim().parse().expect("a number");
        kib / 1024
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends SIGKILL and waits.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Asks it to stop, and waits until it has ended, which must be in time.
    pub(crate) fn stop(self) -> ExitStatus {
        self.ask_to_stop();
        self.ended()
    }

    pub(crate) fn ask_to_stop(&self) {
        let asked = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(asked.expect("kill is there").success());
    }

    /// Waits until it has ended after it was asked to stop, which must be in time.
    pub(crate) fn ended(mut self) -> ExitStatus {
        ended_within(self.drain, &mut self.child)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Polls until there is a result.
pub(crate) async fn until<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let asking = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asking)
        .await
        .unwrap_or_else(|_| panic!("waited too long until {what}"))
}

/// Repeats a request that times out: a computer that runs all tests at once may be slow to respond.
pub(crate) async fn patiently<T>(
    mut ask: impl AsyncFnMut() -> Result<T, MotionError>,
) -> Result<T, MotionError> {
    until("the service answers", async || match ask().await {
        Err(MotionError::TimedOut) => None,
        answer => Some(answer),
    })
    .await
}

/// Waits for the end of a job.
pub(crate) async fn finished(client: &MotionClient, job: &JobId) -> JobStatus {
    until("the job is over", async || {
        let status = patiently(async || client.status(job).await).await.expect("the job is known");
        status.is_final().then_some(status)
    })
    .await
}

/// Waits until a worker runs the job.
pub(crate) async fn in_work(client: &MotionClient, job: &JobId) {
    until("the job is running", async || {
        matches!(client.status(job).await, Ok(JobStatus::Running { .. })).then_some(())
    })
    .await;
}

/// Waits until a failed job waits for its retry; returns why it failed.
pub(crate) async fn retrying(client: &MotionClient, job: &JobId) -> FailureCause {
    until("the job waits for a retry", async || match client.status(job).await {
        Ok(JobStatus::Retrying(cause)) => Some(cause),
        Ok(ended) if ended.is_final() => panic!("{job} is not retried: {ended:?}"),
        _ => None,
    })
    .await
}

/// Returns a request for a short walk of the default character.
pub(crate) fn walk() -> TextToMotion {
    let model = ModelId::parse("default").expect("letters");
    TextToMotion {
        duration_s: Some(2.0),
        seed: Some(7),
        ..TextToMotion::new("a person walks forward", model)
    }
}
