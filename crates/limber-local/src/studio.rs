//! The studio as a whole: up, watched, down.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use limber_postgres::Cluster;
use secrecy::{ExposeSecret, SecretString};
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
    keeper::Kept,
    mail::PostOffice,
    port::Port,
    secrets::Secrets,
};

/// The slowest first start seen on a busy two-core machine was 20 s.
const SERVICE_PATIENCE: Duration = Duration::from_secs(60);

/// How far one step of the start-up is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepState {
    /// Comes later.
    Waiting,
    /// Under way.
    Working,
    /// Over.
    Done,
}

/// One step of the start-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Stable name.
    pub id: &'static str,
    /// What happens, in a few words.
    pub words: &'static str,
    /// How far it is.
    pub state: StepState,
}

/// Hears every change of the steps.
pub type Progress = Box<dyn Fn(Vec<Step>) + Send + Sync>;

/// Where the studio listens, and how to get in.
#[derive(Debug, Clone)]
pub struct Addresses {
    /// `http://127.0.0.1:…` of the identity service.
    pub identity: String,
    /// The same of the motion service.
    pub motion: String,
    /// Client id at the motion service.
    pub client_id: String,
    /// Its secret.
    pub client_secret: SecretString,
}

/// The studio on this computer. One value for the life of the program.
#[derive(Debug)]
pub struct LocalStudio {
    root: PathBuf,
    mailbox: Arc<Mailbox>,
    up: Mutex<Option<Up>>,
}

/// What runs while the studio is up, in the order in which it was started.
#[derive(Debug)]
struct Up {
    _folder: DataFolder,
    addresses: Addresses,
    database: JoinHandle<()>,
    stop: watch::Sender<bool>,
    services: Vec<Kept>,
}

const STEPS: [(&str, &str); 4] = [
    ("folder", "Opening your data folder"),
    ("database", "Starting the private database"),
    ("services", "Starting accounts and motion"),
    ("worker", "Waking the engine"),
];

impl LocalStudio {
    /// A studio in this data folder; nothing is started yet.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            mailbox: Arc::new(Mailbox::new(root.join("mail"))),
            up: Mutex::default(),
        }
    }

    /// Mail that the studio sent.
    #[must_use]
    pub fn mailbox(&self) -> Arc<Mailbox> {
        Arc::clone(&self.mailbox)
    }

    /// What the studio keeps for itself, bytes: the database, and its own files of every result. Looks at
    /// every file, so it may take a while.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        folder::stored_bytes(&self.root)
    }

    /// Starts everything; answers at once when it is up already.
    ///
    /// # Errors
    /// [`LocalError`]; what had been started is stopped again, and nothing on disk is lost.
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

    /// Stops everything in reverse order and waits until it is gone.
    pub async fn stop(&self) {
        if let Some(up) = self.up.lock().await.take() {
            up.stop().await;
        }
    }

    async fn bring_up(&self, steps: &Steps) -> Result<Up, LocalError> {
        steps.reach("folder");
        let folder = DataFolder::open(&self.root)?;
        let secrets = Secrets::of(folder.root()).map_err(LocalError::folder)?;
        let post = PostOffice::open(self.mailbox()).map_err(LocalError::System)?;
        let identity_port = Port::take().map_err(LocalError::System)?;
        let motion_port = Port::take().map_err(LocalError::System)?;
        let (identity, motion) = (identity_port.address, motion_port.address);
        steps.reach("database");
        let database =
            Database::start(&folder.database(), &folder.log(Service::Guard.word())).await?;
        steps.reach("services");
        let files = folder.motion_files();
        let client = match Client::of(folder.root(), &database.cluster, &files).await {
            Ok(client) => client,
            Err(error) => {
                database.stop().await;
                return Err(error);
            }
        };
        let plan = Plan { identity, motion, mail: post, files, secrets, client };
        let (settings, heard) = watch::channel(plan.settings(&database.cluster));
        let keep = |service: Service, port| {
            Kept::new(service, port, heard.clone(), folder.log(service.word()))
        };
        let mut services = vec![
            keep(Service::Identity, Some(identity_port)),
            keep(Service::Motion, Some(motion_port)),
        ];
        let (identity, motion) = tokio::join!(
            wait_for_http(identity, SERVICE_PATIENCE),
            wait_for_http(motion, SERVICE_PATIENCE),
        );
        let (stop, stopped) = watch::channel(false);
        let addresses = plan.addresses();
        let place = (folder.database(), folder.log(Service::Guard.word()));
        let database = tokio::spawn(keep_database(database, place, plan, settings, stopped));
        if identity && motion {
            steps.reach("worker");
            services.push(keep(Service::Worker, None));
        }
        let up = Up { _folder: folder, addresses, database, stop, services };
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
        for service in self.services.into_iter().rev() {
            service.stop().await;
        }
        let _ = self.stop.send(true);
        let _ = self.database.await;
    }
}

/// What is decided once per start.
#[derive(Clone)]
struct Plan {
    identity: SocketAddr,
    motion: SocketAddr,
    mail: SocketAddr,
    files: PathBuf,
    secrets: Secrets,
    client: Client,
}

impl Plan {
    fn addresses(&self) -> Addresses {
        Addresses {
            identity: format!("http://{}", self.identity),
            motion: format!("http://{}", self.motion),
            client_id: self.client.id.clone(),
            client_secret: self.client.secret.clone(),
        }
    }

    /// One set of variables for all services: each reads those of its own prefix.
    fn settings(&self, cluster: &Cluster) -> Settings {
        let url = |name| cluster.url(name).expose_secret().to_owned();
        let variables = [
            ("AUTHSVC_SITE_URL", "limber://auth/callback".to_owned()),
            ("AUTHSVC_URI_ALLOW_LIST", "limber://auth/callback".to_owned()),
            ("AUTHSVC_API_EXTERNAL_URL", format!("http://{}", self.identity)),
            ("AUTHSVC_API_HOST", self.identity.ip().to_string()),
            ("AUTHSVC_PORT", self.identity.port().to_string()),
            ("AUTHSVC_DB_DRIVER", "postgres".to_owned()),
            ("AUTHSVC_DATABASE_URL", url(database::IDENTITY)),
            ("AUTHSVC_DB_MAX_POOL_SIZE", "8".to_owned()),
            ("AUTHSVC_JWT_SECRET", self.secrets.token_signing.expose_secret().to_owned()),
            // the only client is this app
            ("AUTHSVC_RATE_LIMIT_BY_IP", "false".to_owned()),
            ("AUTHSVC_EXTERNAL_ANONYMOUS_USERS_ENABLED", "true".to_owned()),
            // who was signed out from elsewhere is out at once, not when the token has run out
            ("AUTHSVC_SECURITY_ACCESS_TOKEN_REQUIRE_SESSION", "true".to_owned()),
            ("AUTHSVC_SMTP_HOST", self.mail.ip().to_string()),
            ("AUTHSVC_SMTP_PORT", self.mail.port().to_string()),
            ("AUTHSVC_SMTP_ADMIN_EMAIL", "studio@limber.localhost".to_owned()),
            ("AUTHSVC_SMTP_SENDER_NAME", "Limber".to_owned()),
            ("AUTHSVC_SMTP_MAX_FREQUENCY", "1".to_owned()),
            ("MOTIONSVC_DATABASE_URL", url(database::MOTION)),
            ("MOTIONSVC_STORE", self.files.to_string_lossy().into_owned()),
            ("MOTIONSVC_LISTEN", self.motion.to_string()),
            // the only client is this app, which paces itself
            ("MOTIONSVC_RATE_LIMITS", "off".to_owned()),
            ("MOTIONSVC_STUCK_AFTER_S", "20".to_owned()),
            // clips are changed and filmed from its files, last year's too
            ("MOTIONSVC_KEEP_DAYS", "36500".to_owned()),
        ];
        let named = variables.map(|(name, value)| (name.to_owned(), value));
        Settings(BTreeMap::from(named))
    }
}

/// Watches the database, starts it again when it dies, and stops it in the end. `place` is its
/// folder and its guard's log.
async fn keep_database(
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
        tracing::warn!("the database is gone and is started again");
        match Database::start(&place.0, &place.1).await {
            Ok(again) => {
                database = again;
                // the services restart with its new address
                let _ = settings.send(plan.settings(&database.cluster));
            }
            Err(error) => {
                tracing::error!(%error, "the database cannot be started again");
                sleep(Duration::from_secs(5)).await;
            }
        }
    }
    database.stop().await;
}

/// Tells how far the start-up is.
struct Steps {
    progress: Progress,
}

impl Steps {
    fn new(progress: Progress) -> Self {
        Self { progress }
    }

    fn reach(&self, id: &str) {
        let at = STEPS.iter().position(|(known, _)| *known == id).unwrap_or(0);
        self.tell(at);
    }

    fn finish(&self) {
        self.tell(STEPS.len());
    }

    fn tell(&self, at: usize) {
        let steps = STEPS.iter().enumerate().map(|(index, &(id, words))| Step {
            id,
            words,
            state: match index.cmp(&at) {
                std::cmp::Ordering::Less => StepState::Done,
                std::cmp::Ordering::Equal => StepState::Working,
                std::cmp::Ordering::Greater => StepState::Waiting,
            },
        });
        (self.progress)(steps.collect());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex as StdMutex;

    use super::*;

    #[test]
    fn steps_are_told_in_order_and_all_done_in_the_end() {
        let heard: Arc<StdMutex<Vec<Vec<Step>>>> = Arc::default();
        let ear = Arc::clone(&heard);
        let steps = Steps::new(Box::new(move |steps| ear.lock().expect("whole").push(steps)));
        steps.reach("database");
        steps.finish();
        let heard = heard.lock().expect("whole");
        let states: Vec<_> = heard[0].iter().map(|step| step.state).collect();
        use StepState::{Done, Waiting, Working};
        assert_eq!(states, [Done, Working, Waiting, Waiting]);
        assert!(heard[1].iter().all(|step| step.state == Done));
    }
}
