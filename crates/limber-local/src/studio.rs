//! The studio as a whole: start, supervision and stop.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use limber_postgres::DownloadProgress;
use secrecy::SecretString;
use tokio::{
    sync::{Mutex, watch},
    task::JoinHandle,
    time::sleep,
};

use crate::{
    LocalError, Mailbox, Service,
    child::Settings,
    client::Client,
    database::{self, Database},
    folder::{self, DataFolder},
    health::wait_for_http,
    mail::SmtpSink,
    plan::Plan,
    port::Port,
    secrets::{Secrets, SecretsOfThisStart},
    supervisor::Supervisor,
};

/// Timeout for a service to start. The slowest first start seen on a busy two-core machine took 20
/// s.
const SERVICE_PATIENCE: Duration = Duration::from_secs(60);

/// The state of one start-up step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepState {
    /// Not begun yet.
    Waiting,
    /// In progress.
    Working,
    /// Completed.
    Done,
}

/// One step of the start-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Stable ID.
    pub id: &'static str,
    /// A short description.
    pub words: &'static str,
    /// The state of this step.
    pub state: StepState,
    /// Download progress, if this step downloads anything.
    pub download: Option<DownloadProgress>,
}

/// Callback that receives all steps on every change.
pub type Progress = Box<dyn Fn(Vec<Step>) + Send + Sync>;

/// Addresses and credentials of the studio.
#[derive(Debug, Clone)]
pub struct Addresses {
    /// Base URL of the identity service, `http://127.0.0.1:…`.
    pub identity: String,
    /// Base URL of the motion service.
    pub motion: String,
    /// Client ID for the motion service.
    pub client_id: String,
    /// Client secret for the motion service.
    pub client_secret: SecretString,
    /// Secret that identifies the app to both services; a new one at each start.
    pub app_secret: SecretString,
}

/// The studio on this computer. Create one for the lifetime of the program.
#[derive(Debug)]
pub struct LocalStudio {
    root: PathBuf,
    mailbox: Arc<Mailbox>,
    up: Mutex<Option<Up>>,
}

/// What runs while the studio is up, in start order.
#[derive(Debug)]
struct Up {
    _folder: DataFolder,
    /// Listens for as long as the studio is up.
    _smtp_sink: SmtpSink,
    addresses: Addresses,
    database: JoinHandle<()>,
    stop: watch::Sender<bool>,
    services: Vec<Supervisor>,
}

const STEPS: [(&str, &str); 4] = [
    ("folder", "Opening your data folder"),
    ("database", "Starting the database"),
    ("services", "Starting the account and motion services"),
    ("worker", "Starting the engine"),
];

impl LocalStudio {
    /// Makes a studio in this data folder without starting it.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            mailbox: Arc::new(Mailbox::new(root.join("mail"))),
            up: Mutex::default(),
        }
    }

    /// Returns the mailbox with the studio's emails.
    #[must_use]
    pub fn mailbox(&self) -> Arc<Mailbox> {
        Arc::clone(&self.mailbox)
    }

    /// Returns the size of the studio's own data in bytes: the database and its copies of all
    /// results. Visits every file, so it may take a while.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        folder::stored_bytes(&self.root)
    }

    /// Starts everything; returns immediately if it is already running.
    ///
    /// # Errors
    /// [`LocalError`]; everything that was started is stopped again, and no data is lost.
    pub async fn start(&self, progress: Progress) -> Result<Addresses, LocalError> {
        let mut up = self.up.lock().await;
        if let Some(up) = &*up {
            return Ok(up.addresses.clone());
        }
        let started = self.bring_up(&Steps::new(progress)).await?;
        let addresses = started.addresses.clone();
        *up = Some(started);
        Ok(addresses)
    }

    /// Stops everything in reverse order and waits until it has ended.
    pub async fn stop(&self) {
        if let Some(up) = self.up.lock().await.take() {
            up.stop().await;
        }
    }

    async fn bring_up(&self, steps: &Steps) -> Result<Up, LocalError> {
        steps.reach("folder");
        let folder = DataFolder::open(&self.root)?;
        let secrets = Secrets::of(folder.root()).map_err(LocalError::folder)?;
        let of_this_start = SecretsOfThisStart::draw(folder.root()).map_err(LocalError::folder)?;
        // dropped, and so closed, if anything below fails
        let smtp_sink = SmtpSink::open(self.mailbox(), of_this_start.smtp_password.clone());
        let smtp_sink = smtp_sink.map_err(LocalError::System)?;
        let identity_port = Port::take().map_err(LocalError::System)?;
        let motion_port = Port::take().map_err(LocalError::System)?;
        let (identity, motion) = (identity_port.address, motion_port.address);
        steps.reach("database");
        let log = folder.log(Service::Guard.word());
        let hear = |fetching| steps.download("database", fetching);
        let database = Database::start(&folder.database(), &log, &hear).await?;
        steps.reach("services");
        let files = folder.motion_files();
        // the service requires absolute paths, and the data folder may be given as a relative one
        let files = std::path::absolute(&files).unwrap_or(files);
        let client = match Client::of(folder.root(), &database.cluster, &files).await {
            Ok(client) => client,
            Err(error) => {
                database.stop().await;
                return Err(error);
            }
        };
        let mail = smtp_sink.address;
        let plan = Plan { identity, motion, mail, files, secrets, of_this_start, client };
        let (settings, heard) = watch::channel(plan.settings(&database.cluster));
        let supervise = |service: Service, port| {
            Supervisor::new(service, port, heard.clone(), folder.log(service.word()))
        };
        let mut services = vec![
            supervise(Service::Identity, Some(identity_port)),
            supervise(Service::Motion, Some(motion_port)),
        ];
        let (identity, motion) = tokio::join!(
            wait_for_http(identity, SERVICE_PATIENCE),
            wait_for_http(motion, SERVICE_PATIENCE),
        );
        let (stop, stopped) = watch::channel(false);
        let addresses = plan.addresses();
        let place = (folder.database(), folder.log(Service::Guard.word()));
        let database = tokio::spawn(supervise_database(database, place, plan, settings, stopped));
        if identity && motion {
            steps.reach("worker");
            services.push(supervise(Service::Worker, None));
        }
        let up = Up { _folder: folder, _smtp_sink: smtp_sink, addresses, database, stop, services };
        for (answers, name) in [(identity, "account service"), (motion, "motion service")] {
            if !answers {
                up.stop().await;
                return Err(LocalError::Service(name));
            }
        }
        steps.finish();
        Ok(up)
    }
}

impl Up {
    async fn stop(self) {
        let mut ports = Vec::new();
        for service in self.services.into_iter().rev() {
            ports.extend(service.stop().await);
        }
        let _ = self.stop.send(true);
        let _ = self.database.await;
        // clients that still connected until here got no answer; from now on another program may
        // answer
        drop(ports);
    }
}

/// Monitors the database, restarts it when it dies, and stops it at the end. `place` is its folder
/// and the log of its guard.
async fn supervise_database(
    mut database: Database,
    place: (PathBuf, PathBuf),
    plan: Plan,
    settings: watch::Sender<Settings>,
    mut stopped: watch::Receiver<bool>,
) {
    loop {
        tokio::select! {
            () = database::wait_for_death(&database.cluster) => {}
            _ = stopped.wait_for(|stop| *stop) => break,
        }
        tracing::warn!("the database has stopped; starting it again");
        match Database::start(&place.0, &place.1, &|_| {}).await {
            Ok(again) => {
                database = again;
                // the services are restarted with its new address
                let _ = settings.send(plan.settings(&database.cluster));
            }
            Err(error) => {
                tracing::error!(%error, "the database could not be restarted");
                sleep(Duration::from_secs(5)).await;
            }
        }
    }
    database.stop().await;
}

/// Reports the progress of the start-up.
struct Steps {
    progress: Progress,
}

impl Steps {
    fn new(progress: Progress) -> Self {
        Self { progress }
    }

    fn reach(&self, id: &str) {
        self.tell(Self::place(id), None);
    }

    fn download(&self, id: &str, fetching: DownloadProgress) {
        self.tell(Self::place(id), Some(fetching));
    }

    fn finish(&self) {
        self.tell(STEPS.len(), None);
    }

    fn place(id: &str) -> usize {
        STEPS.iter().position(|(known, _)| *known == id).unwrap_or(0)
    }

    fn tell(&self, at: usize, download: Option<DownloadProgress>) {
        let steps = STEPS.iter().enumerate().map(|(index, &(id, words))| Step {
            id,
            words,
            state: match index.cmp(&at) {
                std::cmp::Ordering::Less => StepState::Done,
                std::cmp::Ordering::Equal => StepState::Working,
                std::cmp::Ordering::Greater => StepState::Waiting,
            },
            download: download.filter(|_| index == at),
        });
        (self.progress)(steps.collect());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex as StdMutex;

    use super::*;

    /// Number of listening sockets of this process.
    #[cfg(target_os = "linux")]
    fn listening() -> usize {
        let files = std::fs::read_dir("/proc/self/fd").expect("open files can be listed").flatten();
        let own: Vec<String> = files
            .filter_map(|file| {
                std::fs::read_link(file.path()).ok()?.into_os_string().into_string().ok()
            })
            .filter_map(|link| Some(link.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned()))
            .collect();
        let sockets = std::fs::read_to_string("/proc/self/net/tcp").expect("sockets can be listed");
        let words = sockets.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        // column 4 is the state, where `0A` means listening; column 10 is the inode
        words.filter(|words| words[3] == "0A" && own.iter().any(|own| own == words[9])).count()
    }

    #[cfg(target_os = "linux")]
    #[tokio::test(flavor = "multi_thread")]
    async fn a_failed_start_leaves_no_open_port_and_no_secret() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let data = place.path().join("database/data");
        std::fs::create_dir_all(&data).expect("the folder can be created");
        std::fs::write(data.join("PG_VERSION"), "9\n").expect("the file can be written");
        let studio = LocalStudio::new(place.path());
        for _ in 0..3 {
            let failed =
                studio.start(Box::new(|_| {})).await.expect_err("version 9 is not installed");
            assert!(matches!(failed, LocalError::DatabaseVersion { .. }), "{failed}");
        }
        // aborted tasks take a moment to end
        while listening() > 0 {
            tokio::task::yield_now().await;
        }
        assert!(!place.path().join(limber_api::local::SECRET_FILE).exists());
    }

    #[cfg(unix)]
    #[tokio::test(flavor = "multi_thread")]
    async fn ports_stay_reserved_until_everything_has_stopped() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let port = Port::take().expect("a port is available");
        let address = port.address;
        let (stop, mut stopped) = watch::channel(false);
        let (sender, bound) = tokio::sync::oneshot::channel();
        let database = tokio::spawn(async move {
            let _ = stopped.wait_for(|stop| *stop).await;
            let _ =
                sender.send(std::net::TcpListener::bind(address).map(drop).map_err(|e| e.kind()));
        });
        let up = Up {
            _folder: DataFolder::open(place.path()).expect("the folder can be opened"),
            _smtp_sink: SmtpSink::open(LocalStudio::new(place.path()).mailbox(), "hush".into())
                .expect("the mail server can be started"),
            addresses: Addresses {
                identity: String::new(),
                motion: String::new(),
                client_id: String::new(),
                client_secret: SecretString::default(),
                app_secret: SecretString::default(),
            },
            database,
            stop,
            services: vec![Supervisor::without_service(port)],
        };
        up.stop().await;
        let meanwhile = bound.await.expect("the task sends its result");
        assert_eq!(meanwhile, Err(std::io::ErrorKind::AddrInUse));
        assert!(std::net::TcpStream::connect(address).is_err(), "nothing is listening afterwards");
    }

    #[test]
    fn start_steps_are_reported_in_order_and_all_completed() {
        let heard: Arc<StdMutex<Vec<Vec<Step>>>> = Arc::default();
        let ear = Arc::clone(&heard);
        let steps = Steps::new(Box::new(move |steps| {
            ear.lock().expect("the mutex is not poisoned").push(steps);
        }));
        steps.reach("database");
        steps.finish();
        let heard = heard.lock().expect("the mutex is not poisoned");
        let states: Vec<_> = heard[0].iter().map(|step| step.state).collect();
        use StepState::{Done, Waiting, Working};
        assert_eq!(states, [Done, Working, Waiting, Waiting]);
        assert!(heard[1].iter().all(|step| step.state == Done));
    }
}
