//! All settings of the service and its workers, in one plain struct.
//!
//! `from_env` reads variables that begin with `MOTIONSVC_` and reports all problems at once. Each
//! setting is documented at its declaration. Domain code receives values, never the struct.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fmt,
    net::SocketAddr,
    path::PathBuf,
    str::FromStr,
    time::Duration,
};

use limber_api::proxies::ProxyRange;
use limber_domain::limits::{MAX_CHARACTER_BYTES, MAX_VARIANTS};
use limber_serve::{Admission, Limits};
use limber_telemetry::unknown_settings;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

mod place;
mod problems;
#[cfg(test)]
mod reference;
mod watching;

pub use place::{S3Keys, S3Place, StorePlace};
pub use problems::ConfigError;
use problems::{PREFIX, Reader};
pub use watching::Watching;

/// Configuration of the motion service and its workers.
#[derive(Debug, Clone)]
pub struct Config {
    /// `MOTIONSVC_DATABASE_URL`, required: `postgres://user@host/database`.
    pub database_url: SecretString,
    /// `MOTIONSVC_STORE`, required: where files are stored. The absolute path of a folder, a
    /// `file://` address or `s3://bucket/prefix`. Servers and workers must use the same one; a
    /// worker with another store takes no jobs.
    pub store: StorePlace,
    /// `MOTIONSVC_SCRATCH`: a folder of this computer for temporary files; nothing in it is
    /// permanent. Default: the store's folder, or `limber-motion` in the system's temporary folder
    /// if the store is a bucket.
    pub scratch: PathBuf,
    /// `MOTIONSVC_LISTEN`: listening address, default `127.0.0.1:8790`.
    pub listen: SocketAddr,
    /// `MOTIONSVC_PUBLIC_URL`: the address that links begin with. Default: `http://` and the
    /// listening address.
    pub public_url: Option<Url>,
    /// `MOTIONSVC_SESSION_COOKIE`: name of the session cookie, default `svcsess`.
    pub session_cookie: String,
    /// `MOTIONSVC_COOKIE_DOMAIN`: the cookie's `Domain`; not set by default.
    pub cookie_domain: Option<String>,
    /// `MOTIONSVC_SESSION_LIFE_S`: lifetime of a session in seconds, 300 to 2592000, default 432000
    /// (5 days).
    pub session_life: Duration,
    /// `MOTIONSVC_LINK_LIFE_S`: lifetime of signed links in seconds, 10 to 604800, default 3600.
    pub link_life: Duration,
    /// `MOTIONSVC_ORIGINS`: browser origins that may call the service, comma separated; `:*` stands
    /// for any port.
    pub origins: Vec<String>,
    /// `MOTIONSVC_MAX_DURATION_S`: longest clip in seconds, 1 to 60, default 10.
    pub max_duration_s: f32,
    /// `MOTIONSVC_MAX_VARIANTS`: the plan's limit of variants per job, 1 to 8, default 8.
    pub max_variants: u32,
    /// `MOTIONSVC_MAX_QUEUED`: waiting jobs per account, default 100.
    pub max_queued: u32,
    /// `MOTIONSVC_BILLING`: `off` (default) or `on`. While it is off, nothing is charged.
    pub billing: Option<Billing>,
    /// `MOTIONSVC_CREDITS`: the credits that accounts are shown while billing is off, default 1000.
    pub credits: u32,
    /// `MOTIONSVC_RATE_LIMITS`: `on` (default) or `off`.
    pub rate_limits: bool,
    /// `MOTIONSVC_TRUSTED_PROXIES`: addresses (`10.0.0.7`) and blocks (`10.0.0.0/8`) of the proxies
    /// in front of the service, comma separated. The caller is the last entry of `X-Forwarded-For`
    /// that is not one of them; anybody can forge the entries further left. Default: none, and the
    /// caller is the address that connects.
    pub trusted_proxies: Vec<ProxyRange>,
    /// `MOTIONSVC_MAX_CONNECTIONS`: simultaneous connections, 1 to 1000000, default 10000, and
    /// never more than half of the files the process may open. At the limit, the connection that
    /// has waited longest without a request is closed to make room; if none is waiting, the
    /// response is 503.
    pub max_connections: usize,
    /// `MOTIONSVC_MAX_CONNECTIONS_OF_ONE`: simultaneous connections from one IP address, 1 to
    /// 1000000, default 1000. An IPv6 /64 counts as one address. Trusted proxies are not counted.
    pub max_connections_of_one: usize,
    /// `MOTIONSVC_HEADER_TIMEOUT_S`: seconds until a connection with an incomplete header is
    /// closed, 1 to 300, default 10.
    pub header_time: Duration,
    /// `MOTIONSVC_DATABASE_TIMEOUT_S`: seconds that a request waits for a free database connection,
    /// 1 to 300, default 8; one statement may take three times as long. After that, the response
    /// is 503. A stalled database is detected after three quarters of this time.
    pub database_patience: Duration,
    /// `MOTIONSVC_LIST_MODELS`: `bare` (default) or `wrapped`, for clients that expect `{count,
    /// list}`.
    pub list_models_wrapped: bool,
    /// `MOTIONSVC_WORKER_NAME`: name of the worker in a job's processing info, default `cpu-0`.
    pub worker_name: String,
    /// `MOTIONSVC_STUCK_AFTER_S`: seconds of silence after which a worker counts as lost, 5 to
    /// 3600, default 120.
    pub stuck_after: Duration,
    /// `MOTIONSVC_KEEP_DAYS`: days that the files of finished clips are kept, 1 to 36500,
    /// default 90. Videos and failed jobs have their own retention periods.
    pub keep_days: u16,
    /// `MOTIONSVC_DRAIN_S`: seconds that a worker continues its job after it is asked to stop,
    /// before it hands the job back, 0 to 3600, default 0. The progress of a variant is kept either
    /// way.
    pub drain: Duration,
    /// `MOTIONSVC_PICTURES`: `on` (default) or `off`: whether workers draw animated previews for
    /// cards once a job is finished and no other is waiting. Each takes seconds on a computer
    /// without a graphics card.
    pub pictures: bool,
    /// `MOTIONSVC_ACTIONS`: absolute path of a folder with custom actions, performed in addition to
    /// Limber's; none by default. Servers and workers need the same folder and read it when they
    /// start; `limber actions check` reports errors in it.
    pub actions: Option<PathBuf>,
    /// `MOTIONSVC_MAX_MODEL_MIB`: largest file of a character in MiB, 1 to 4096, default 200.
    /// Larger values have no effect on characters, because Limber reads no character file over
    /// 200 MiB.
    pub max_model_mib: u64,
    /// `MOTIONSVC_MAX_THUMB_MIB`: largest thumbnail of a character in MiB, 1 to 64, default 5.
    pub max_thumb_mib: u64,
    /// `MOTIONSVC_MODEL_IMPORT_HOSTS`: hosts that characters may be fetched from when a client
    /// gives an address there, comma separated, `name` or `name:port`; none by default. Only by
    /// https, only from public addresses, within 30 seconds and the size limit of uploads.
    pub model_import_hosts: Vec<String>,
    /// `MOTIONSVC_MAX_MODELS`: characters per account, 1 to 100000, default 500.
    pub max_models: u32,
    /// How long an unreferenced file is kept before it is removed; not read from the environment.
    pub orphan_age: Duration,
    /// Metrics, traces and logging.
    pub watch: Watching,
    /// The only callers that are served, if the service runs for a single app on one computer; not
    /// read from the environment. By default, everyone is served.
    pub admission: Option<Admission>,
    /// Limits and intervals of the worker; apart from the stage limits, not read from the
    /// environment.
    pub work: WorkLimits,
    /// Limits and timeouts of uploads; not read from the environment.
    pub uploads: UploadLimits,
    /// The program that parses untrusted files; not read from the environment.
    pub reader: ReaderProgram,
    /// Resource limits of that program; not read from the environment.
    pub import: ImportLimits,
}

/// The program, and its arguments, that is started as a child process to parse untrusted files and
/// to render videos and previews. It must call [`reader_main`](crate::reader_main).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderProgram {
    /// Path of the executable.
    pub path: PathBuf,
    /// Arguments passed to it.
    pub arguments: Vec<String>,
}

impl ReaderProgram {
    /// Uses the running executable, with these arguments.
    #[must_use]
    pub fn of_this_program(arguments: &[&str]) -> Self {
        let path = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("limber-motion"));
        Self { path, arguments: arguments.iter().map(|word| (*word).to_owned()).collect() }
    }
}

/// Resource limits for parsing one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportLimits {
    /// Memory in MiB on top of what the program needs to start. Not enforced on Windows.
    pub memory_mib: u64,
    /// Limit of both CPU time and elapsed time.
    pub time: Duration,
    /// Files parsed concurrently. A single account may use one fewer, so that it cannot block all
    /// others with its own files.
    pub at_once: usize,
}

impl Default for ImportLimits {
    fn default() -> Self {
        Self { memory_mib: 960, time: Duration::from_secs(30), at_once: 3 }
    }
}

/// Prices, in tenths of a credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Billing {
    /// `MOTIONSVC_PRICE_SECOND`: price in credits of a second of new motion, for each variant;
    /// default 0.1.
    pub tenths_per_second: u32,
    /// `MOTIONSVC_PRICE_DOWNLOAD_SECOND`: price in credits of each second, or part of one, of a
    /// variant whose files are downloaded for the first time; default 1.
    pub unlock_tenths_per_second: u32,
    /// `MOTIONSVC_PRICE_RENDER_SECOND`: price in credits of each second, or part of one, of a
    /// video; default 0.5.
    pub video_tenths_per_second: u32,
}

impl Default for Billing {
    fn default() -> Self {
        Self { tenths_per_second: 1, unlock_tenths_per_second: 10, video_tenths_per_second: 5 }
    }
}

/// Timeouts and limits of uploads. File size limits are set elsewhere: by `max_model_mib` and
/// `max_thumb_mib` in [`Config`], which `Limits` in `service.rs` holds in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UploadLimits {
    /// How long a writer may send nothing before another may take over its upload.
    pub silence: Duration,
    /// Bytes of a rejected request body that are still read, so that the client receives the
    /// response.
    pub drained_bytes: u64,
    /// Interval at which expired uploads are removed.
    pub upkeep: Duration,
    /// Unfinished or unused uploads that one account may have at a time.
    pub at_once: u32,
}

impl Default for UploadLimits {
    fn default() -> Self {
        Self {
            silence: Duration::from_secs(30),
            drained_bytes: 64 << 20,
            upkeep: Duration::from_secs(3600),
            at_once: 100,
        }
    }
}

/// Limits and intervals of a worker. The time limit of a stage is
/// `limber_pipeline::Stage::limit_s`, scaled by `stage_limit_scale`, unless `stage_limits` sets it.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkLimits {
    /// Factor applied to the stages' default time limits: 1 by default, more for slow machines.
    pub stage_limit_scale: f32,
    /// `MOTIONSVC_STAGE_LIMITS`: how many seconds a stage may take for each variant, 1 to 86400,
    /// for example `generate:600,bake:300`. The stages are generate (300), tracking (120),
    /// correction (60), bvh (30) and bake (120).
    pub stage_limits: BTreeMap<String, Duration>,
    /// Delays before the first and the second retry.
    pub retry_delays: [Duration; 2],
    /// Interval of the worker's heartbeat.
    pub heartbeat: Duration,
    /// Interval at which a worker polls the queue, in case it missed a notification.
    pub poll: Duration,
}

impl Default for WorkLimits {
    fn default() -> Self {
        Self {
            stage_limit_scale: 1.0,
            stage_limits: BTreeMap::new(),
            retry_delays: [Duration::from_secs(5), Duration::from_secs(30)],
            heartbeat: Duration::from_millis(500),
            poll: Duration::from_secs(2),
        }
    }
}

impl Config {
    /// Returns the default configuration, storing files in a folder.
    #[must_use]
    pub fn new(database_url: SecretString, folder: PathBuf) -> Self {
        let usual = Limits::default();
        Self {
            database_url,
            scratch: folder.clone(),
            store: StorePlace::Folder(folder),
            listen: SocketAddr::from(([127, 0, 0, 1], 8790)),
            public_url: None,
            session_cookie: "svcsess".to_owned(),
            cookie_domain: None,
            session_life: Duration::from_secs(432_000),
            link_life: Duration::from_secs(3600),
            origins: [
                "http://localhost",
                "http://localhost:*",
                "tauri://localhost",
                "http://tauri.localhost",
            ]
            .map(str::to_owned)
            .to_vec(),
            max_duration_s: 10.0,
            max_variants: MAX_VARIANTS,
            max_queued: 100,
            billing: None,
            credits: 1000,
            rate_limits: true,
            trusted_proxies: Vec::new(),
            max_connections: usual.connections,
            max_connections_of_one: usual.connections_of_one,
            header_time: usual.header_time,
            database_patience: Duration::from_secs(8),
            list_models_wrapped: false,
            worker_name: "cpu-0".to_owned(),
            stuck_after: Duration::from_secs(120),
            keep_days: 90,
            drain: Duration::ZERO,
            pictures: true,
            actions: None,
            max_model_mib: MAX_CHARACTER_BYTES >> 20,
            max_thumb_mib: 5,
            max_models: 500,
            model_import_hosts: Vec::new(),
            orphan_age: Duration::from_secs(24 * 3600),
            watch: Watching::default(),
            admission: None,
            work: WorkLimits::default(),
            uploads: UploadLimits::default(),
            reader: ReaderProgram::of_this_program(&["reader"]),
            import: ImportLimits::default(),
        }
    }

    /// Reads the settings through `lookup`, which outside tests is `std::env::var(name).ok()`.
    ///
    /// # Errors
    /// [`ConfigError`] lists all problems.
    pub fn from_env(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let mut reader = Reader::new(&lookup);
        let database_url =
            reader.required("MOTIONSVC_DATABASE_URL", "postgres://user@host/database");
        if !database_url.is_empty() && !database_url.starts_with("postgres") {
            reader.problem("MOTIONSVC_DATABASE_URL", "must begin with postgres://");
        }
        let store = place::place_of(&mut reader);
        let beside = match &store {
            StorePlace::Folder(folder) => folder.clone(),
            StorePlace::S3(_) => std::env::temp_dir().join("limber-motion"),
        };
        let scratch = reader.text("MOTIONSVC_SCRATCH").map_or(beside, PathBuf::from);
        let defaults = Self::new(SecretString::from(database_url), PathBuf::new());
        let seconds = Duration::from_secs;
        let config = Self {
            store,
            scratch,
            listen: reader
                .parsed("MOTIONSVC_LISTEN", "an address and port")
                .unwrap_or(defaults.listen),
            public_url: reader.parsed("MOTIONSVC_PUBLIC_URL", "an http(s) address"),
            session_cookie: reader.cookie_name("MOTIONSVC_SESSION_COOKIE", defaults.session_cookie),
            cookie_domain: reader.text("MOTIONSVC_COOKIE_DOMAIN"),
            session_life: seconds(reader.number(
                "MOTIONSVC_SESSION_LIFE_S",
                300..=2_592_000,
                432_000,
            )),
            link_life: seconds(reader.number("MOTIONSVC_LINK_LIFE_S", 10..=604_800, 3600)),
            origins: reader.list("MOTIONSVC_ORIGINS").unwrap_or(defaults.origins),
            max_duration_s: reader.number("MOTIONSVC_MAX_DURATION_S", 1.0..=60.0, 10.0),
            max_variants: reader.number(
                "MOTIONSVC_MAX_VARIANTS",
                1..=MAX_VARIANTS,
                defaults.max_variants,
            ),
            max_queued: reader.number("MOTIONSVC_MAX_QUEUED", 1..=1_000_000, 100),
            max_model_mib: reader.number(
                "MOTIONSVC_MAX_MODEL_MIB",
                1..=4096,
                defaults.max_model_mib,
            ),
            model_import_hosts: reader.hosts("MOTIONSVC_MODEL_IMPORT_HOSTS"),
            max_models: reader.number("MOTIONSVC_MAX_MODELS", 1..=100_000, 500),
            max_thumb_mib: reader.number("MOTIONSVC_MAX_THUMB_MIB", 1..=64, 5),
            billing: billing_of(&mut reader),
            credits: reader.number("MOTIONSVC_CREDITS", 0..=1_000_000_000, 1000),
            rate_limits: reader.choice("MOTIONSVC_RATE_LIMITS", ["off", "on"], 1) == 1,
            trusted_proxies: reader.proxies("MOTIONSVC_TRUSTED_PROXIES"),
            max_connections: reader.number("MOTIONSVC_MAX_CONNECTIONS", 1..=1_000_000, 10_000),
            max_connections_of_one: reader.number(
                "MOTIONSVC_MAX_CONNECTIONS_OF_ONE",
                1..=1_000_000,
                1000,
            ),
            header_time: seconds(reader.number("MOTIONSVC_HEADER_TIMEOUT_S", 1..=300, 10)),
            database_patience: seconds(reader.number("MOTIONSVC_DATABASE_TIMEOUT_S", 1..=300, 8)),
            pictures: reader.choice("MOTIONSVC_PICTURES", ["off", "on"], 1) == 1,
            actions: actions_of(&mut reader),
            list_models_wrapped: reader.choice("MOTIONSVC_LIST_MODELS", ["bare", "wrapped"], 0)
                == 1,
            worker_name: reader.text("MOTIONSVC_WORKER_NAME").unwrap_or(defaults.worker_name),
            stuck_after: seconds(reader.number("MOTIONSVC_STUCK_AFTER_S", 5..=3600, 120)),
            keep_days: reader.number("MOTIONSVC_KEEP_DAYS", 1..=36500, 90),
            drain: seconds(reader.number("MOTIONSVC_DRAIN_S", 0..=3600, 0)),
            watch: Watching::read(&mut reader),
            work: WorkLimits {
                stage_limits: reader.stage_limits("MOTIONSVC_STAGE_LIMITS"),
                ..WorkLimits::default()
            },
            ..defaults
        };
        if config.public_url.as_ref().is_some_and(|url| !matches!(url.scheme(), "http" | "https")) {
            reader.problem("MOTIONSVC_PUBLIC_URL", "must begin with http:// or https://");
        }
        reader.finish(config)
    }

    /// Returns a message for each name that has our prefix but is not a setting.
    pub fn unknown_names<'a>(set: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
        let known = RefCell::new(BTreeSet::new());
        // with no variable set, `from_env` looks up every name; the errors about missing ones do
        // not matter
        let _ = Self::from_env(|name| {
            known.borrow_mut().extend(name.strip_prefix(PREFIX).map(str::to_owned));
            None
        });
        unknown_settings(PREFIX, set, known.into_inner())
    }

    /// Limits on incoming connections.
    pub(crate) fn connections(&self) -> Limits {
        Limits {
            connections: self.max_connections,
            connections_of_one: self.max_connections_of_one,
            header_time: self.header_time,
            ..Limits::default()
        }
    }

    /// Returns the base address of links, without a trailing slash.
    #[must_use]
    pub fn public_base(&self, listening_on: SocketAddr) -> String {
        let base = self
            .public_url
            .as_ref()
            .map_or_else(|| format!("http://{listening_on}"), Url::to_string);
        base.trim_end_matches('/').to_owned()
    }
}

impl fmt::Display for Config {
    /// One setting per line, without the database password, for `doctor`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut database = Url::from_str(self.database_url.expose_secret()).ok();
        if let Some(url) = &mut database {
            let _ = url.set_password(None);
        }
        let database = database.map_or_else(|| "not an address".to_owned(), |url| url.to_string());
        writeln!(formatter, "database       {database}")?;
        writeln!(formatter, "files          {}", self.store)?;
        writeln!(formatter, "listen         {}", self.listen)?;
        writeln!(formatter, "public address {}", self.public_base(self.listen))?;
        writeln!(
            formatter,
            "longest clip   {} s, {} variants",
            self.max_duration_s, self.max_variants
        )?;
        if let Some(folder) = &self.actions {
            writeln!(formatter, "actions        {}", folder.display())?;
        }
        match self.billing {
            None => write!(formatter, "billing        off, {} credits shown", self.credits),
            Some(billing) => write!(
                formatter,
                "billing        on, {} credits per second, {} per second downloaded, {} per second \
                 of video",
                f64::from(billing.tenths_per_second) / 10.0,
                f64::from(billing.unlock_tenths_per_second) / 10.0,
                f64::from(billing.video_tenths_per_second) / 10.0
            ),
        }
    }
}

fn actions_of(reader: &mut Reader<'_>) -> Option<PathBuf> {
    let folder = reader.text("MOTIONSVC_ACTIONS").map(PathBuf::from);
    if folder.as_ref().is_some_and(|folder| !folder.is_absolute()) {
        reader.problem("MOTIONSVC_ACTIONS", "must be an absolute path such as /srv/motion-actions");
    }
    folder
}

fn billing_of(reader: &mut Reader<'_>) -> Option<Billing> {
    let usual = Billing::default();
    let billing = Billing {
        tenths_per_second: reader.tenths("MOTIONSVC_PRICE_SECOND", usual.tenths_per_second),
        unlock_tenths_per_second: reader
            .tenths("MOTIONSVC_PRICE_DOWNLOAD_SECOND", usual.unlock_tenths_per_second),
        video_tenths_per_second: reader
            .tenths("MOTIONSVC_PRICE_RENDER_SECOND", usual.video_tenths_per_second),
    };
    (reader.choice("MOTIONSVC_BILLING", ["off", "on"], 0) == 1).then_some(billing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Config, ConfigError> {
        Config::from_env(|name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
    }

    /// An absolute path, valid on every operating system.
    fn whole_path() -> String {
        std::env::temp_dir().join("motion-files").to_string_lossy().into_owned()
    }

    #[test]
    fn all_problems_are_reported_in_one_message() {
        let error = read(&[
            ("MOTIONSVC_LISTEN", "nowhere"),
            ("MOTIONSVC_MAX_VARIANTS", "9"),
            ("MOTIONSVC_STORE", "gopher://bucket"),
            ("MOTIONSVC_S3_REGION", "here"),
            ("MOTIONSVC_SESSION_COOKIE", "a=b"),
            ("MOTIONSVC_PRICE_SECOND", "0.15"),
            ("MOTIONSVC_STAGE_LIMITS", "bake:60,dream:5"),
            ("MOTIONSVC_MODEL_IMPORT_HOSTS", "files.example, https://other.example/models"),
            ("MOTIONSVC_TRUSTED_PROXIES", "10.0.0.0/8, proxy.example"),
            ("MOTIONSVC_ACTIONS", "actions"),
        ])
        .expect_err("ten wrong settings and one missing");
        let text = error.to_string();
        let wrong = [
            "DATABASE_URL",
            "LISTEN",
            "MAX_VARIANTS",
            "STORE must",
            "S3_REGION is set",
            "SESSION_COOKIE",
            "PRICE_SECOND",
            "STAGE_LIMITS",
            "IMPORT_HOSTS",
            "TRUSTED_PROXIES",
            "ACTIONS must",
        ];
        for name in wrong {
            assert!(text.contains(name), "{name} in {text}");
        }
    }

    #[test]
    fn a_bucket_is_described_without_its_secret() {
        let set = [
            ("MOTIONSVC_DATABASE_URL", "postgres://localhost/motion"),
            ("MOTIONSVC_STORE", "s3://studio-files/motion/a"),
            ("MOTIONSVC_S3_ENDPOINT", "http://minio:9000"),
            ("MOTIONSVC_S3_ACCESS_KEY_ID", "limber"),
            ("MOTIONSVC_S3_SECRET_ACCESS_KEY", "hush"),
        ];
        let config = read(&set).expect("valid");
        let StorePlace::S3(place) = &config.store else { panic!("a bucket") };
        assert_eq!((place.bucket.as_str(), place.prefix.as_str()), ("studio-files", "motion/a"));
        assert!(place.path_style && place.redirect);
        assert!(config.to_string().contains("s3://studio-files/motion/a at http://minio:9000/"));
        assert!(!format!("{config:?}{config}").contains("hush"));
    }

    #[test]
    fn a_bucket_and_its_settings_are_checked_together() {
        let error = read(&[
            ("MOTIONSVC_DATABASE_URL", "postgres://localhost/motion"),
            ("MOTIONSVC_STORE", "s3://No_Bucket/../x"),
            ("MOTIONSVC_S3_ENDPOINT", "http://me:secret@minio:9000/path"),
            ("MOTIONSVC_S3_PUBLIC_ENDPOINT", "minio"),
            ("MOTIONSVC_S3_ACCESS_KEY_ID", "limber"),
            ("MOTIONSVC_S3_PATH_STYLE", "maybe"),
        ])
        .expect_err("five wrong settings")
        .to_string();
        for name in ["STORE", "S3_ENDPOINT", "PUBLIC_ENDPOINT", "SECRET_ACCESS_KEY", "PATH_STYLE"] {
            assert!(error.contains(name), "{name} in {error}");
        }
        assert!(!error.contains("me:secret"), "{error}");
    }

    #[test]
    fn relative_store_paths_are_rejected() {
        let database = ("MOTIONSVC_DATABASE_URL", "postgres://localhost/motion");
        for elsewhere in ["motion-files", "./motion-files", "../motion-files"] {
            let error = read(&[database, ("MOTIONSVC_STORE", elsewhere)]).expect_err(elsewhere);
            assert!(
                error.to_string().contains("MOTIONSVC_STORE must be an absolute path"),
                "{error}"
            );
        }
        let missing = read(&[database]).expect_err("no store").to_string();
        assert!(missing.contains("MOTIONSVC_STORE is missing"), "{missing}");
        let whole = whole_path();
        let config = read(&[database, ("MOTIONSVC_STORE", whole.as_str())]);
        let StorePlace::Folder(folder) = config.expect("valid").store else { panic!("a folder") };
        assert_eq!(folder, PathBuf::from(whole));
    }

    #[test]
    fn misspelt_settings_are_reported_with_a_suggestion() {
        let names = [
            "MOTIONSVC_MAX_VARIANT",
            "MOTIONSVC_S3_REGION",
            "MOTIONSVC_QWERTY",
            "MOTIONSVC_STORE",
            "AUTHSVC_STORE",
        ];
        let told: Vec<String> = Config::unknown_names(names).into_iter().collect();
        let slip = "MOTIONSVC_MAX_VARIANT is not a setting of this service; did you mean \
                    MOTIONSVC_MAX_VARIANTS?";
        assert_eq!(told, [slip, "MOTIONSVC_QWERTY is not a setting of this service"]);
    }

    #[test]
    fn a_database_and_a_store_are_enough() {
        let config = read(&[
            ("MOTIONSVC_DATABASE_URL", "postgres://a:secret@localhost/motion"),
            ("MOTIONSVC_STORE", whole_path().as_str()),
        ])
        .expect("valid");
        assert_eq!(config.session_cookie, "svcsess");
        assert_eq!(config.session_life.as_secs(), 432_000);
        assert!(config.model_import_hosts.is_empty(), "no host is allowed by default");
        assert!(config.trusted_proxies.is_empty(), "no proxy is trusted by default");
        assert!(!config.to_string().contains("secret"), "the password is never shown");
        assert!(!format!("{config:?}").contains("secret"), "not even by {{:?}}");
    }
}
