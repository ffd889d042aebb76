//! One service on its own database and folder, ready to be called, with workers on demand.

use std::{
    net::SocketAddr,
    process::{Child, Command, Stdio},
    time::Duration,
};

use limber_client::motion::{JobId, JobStatus, ModelId, MotionClient, TextToMotion};
use limber_motion_service::{Config, create_client, migrate, serve};
use limber_postgres::TestDatabase;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

/// Nothing in these tests takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Studio {
    pub(crate) config: Config,
    pub(crate) database: TestDatabase,
    pub(crate) base: String,
    pub(crate) id: String,
    pub(crate) secret: SecretString,
    pub(crate) http: reqwest::Client,
    pub(crate) files: TempDir,
    server: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Studio {
    /// Without rate limits and pictures.
    pub(crate) async fn open() -> Self {
        Self::open_with(|_| {}).await
    }

    pub(crate) async fn open_with(change: impl FnOnce(&mut Config)) -> Self {
        // fails when another test was first, which is as good
        let _ = rustls::crypto::ring::default_provider().install_default();
        let database = TestDatabase::create("motion").await.expect("a PostgreSQL for tests");
        let files = TempDir::new().expect("a folder");
        let mut config = Config::new(database.secret_url(), files.path().join("files"));
        config.rate_limits = false;
        config.pictures = false;
        change(&mut config);
        migrate(&config).await.expect("an empty database can be migrated");
        let (id, secret) = create_client(&config, "tests").await.expect("an account");
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .expect("a client");
        let mut studio =
            Self { config, database, base: String::new(), id, secret, http, files, server: None };
        studio.start_server().await;
        studio
    }

    /// Starts the server, on the same port as before if there was one.
    pub(crate) async fn start_server(&mut self) {
        let address: SocketAddr = match self.base.strip_prefix("http://") {
            Some(address) => address.parse().expect("the address of before"),
            None => ([127, 0, 0, 1], 0).into(),
        };
        let listener = TcpListener::bind(address).await.expect("a free port");
        self.base = format!("http://{}", listener.local_addr().expect("an address"));
        let (stop, stopped) = oneshot::channel::<()>();
        let config = self.config.clone();
        let running = tokio::spawn(async move {
            let stopped = async { drop(stopped.await) };
            serve(&config, listener, stopped).await.expect("the server runs until it is stopped");
        });
        self.server = Some((stop, running));
        let health = format!("{}/health", self.base);
        until("the server answers", async || {
            let answer = self.http.get(&health).send().await;
            answer.is_ok_and(|answer| answer.status() == 200).then_some(())
        })
        .await;
    }

    /// Ends the server at once, in the middle of whatever it does.
    pub(crate) async fn kill_server(&mut self) {
        let (_stop, running) = self.server.take().expect("a running server");
        running.abort();
        let _ = running.await;
    }

    pub(crate) fn client(&self) -> MotionClient {
        MotionClient::new(&self.base, self.id.clone(), self.secret.clone()).expect("an address")
    }

    /// A client of another account.
    pub(crate) async fn stranger(&self) -> MotionClient {
        let (id, secret) = create_client(&self.config, "stranger").await.expect("an account");
        MotionClient::new(&self.base, id, secret).expect("an address")
    }

    /// The `svcsess=…` pair of a fresh session.
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

    /// Status and body of a GET with a session.
    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        let request = self.http.get(self.url(path)).header("cookie", self.cookie().await);
        read(request).await
    }

    /// Status and body of a submit with these parameters.
    pub(crate) async fn process(&self, params: &[&str]) -> (u16, Value) {
        let body = serde_json::json!({ "params": params });
        let request = self.http.post(self.url("/job/v1/process/text2motion"));
        read(request.header("cookie", self.cookie().await).json(&body)).await
    }

    /// A worker in a process of its own; ended when dropped.
    pub(crate) fn worker(&self, name: &str) -> Worker {
        let child = Command::new(env!("CARGO_BIN_EXE_limber-motion"))
            .arg("work")
            .env("MOTIONSVC_DATABASE_URL", self.database.url())
            .env("MOTIONSVC_STORE", self.files.path().join("files"))
            .env("MOTIONSVC_WORKER_NAME", name)
            .env("MOTIONSVC_PICTURES", if self.config.pictures { "on" } else { "off" })
            .env(
                "MOTIONSVC_LOG",
                std::env::var("MOTIONSVC_LOG").unwrap_or_else(|_| "off".to_owned()),
            )
            .stdout(Stdio::null())
            .spawn();
        Worker(child.expect("the program starts"))
    }

    /// What the studio's database says to this.
    pub(crate) async fn sql(&self, statement: &str) {
        let pool = sqlx::PgPool::connect(self.database.url()).await.expect("the database");
        sqlx::query(sqlx::AssertSqlSafe(statement.to_owned()))
            .execute(&pool)
            .await
            .expect("the statement is right");
        pool.close().await;
    }
}

/// Status and JSON body; `null` when there is none.
pub(crate) async fn read(request: reqwest::RequestBuilder) -> (u16, Value) {
    let answer = request.send().await.expect("an answer");
    let status = answer.status().as_u16();
    (status, answer.json().await.unwrap_or(Value::Null))
}

/// A worker's process.
pub(crate) struct Worker(Child);

impl Worker {
    /// kill -9.
    pub(crate) fn kill(mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it ends");
    }

    /// Asks it to stop and waits until it has.
    pub(crate) fn stop(mut self) -> std::process::ExitStatus {
        let asked = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status();
        assert!(asked.expect("kill is there").success());
        self.0.wait().expect("it ends")
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asks again and again until there is an answer.
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

/// The end of a job.
pub(crate) async fn finished(client: &MotionClient, job: &JobId) -> JobStatus {
    until("the job is over", async || {
        let status = client.status(job).await.expect("the job is known");
        status.is_final().then_some(status)
    })
    .await
}

/// A short walk on the default character.
pub(crate) fn walk() -> TextToMotion {
    let model = ModelId::parse("default").expect("letters");
    TextToMotion {
        duration_s: Some(2.0),
        seed: Some(7),
        ..TextToMotion::new("a person walks forward", model)
    }
}
