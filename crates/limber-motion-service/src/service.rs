//! State shared by all requests, assembled once at startup.

use std::{net::SocketAddr, sync::Arc};

use limber_api::proxies::ProxyRange;
use limber_serve::Pulse;
use limber_telemetry::RequestMeasures;
use tokio_util::sync::CancellationToken;

use crate::{
    Config, Environment, FilesError, ServiceError,
    accounts::{Accounts, CookieSigner},
    credits::{Credits, Prices},
    events::Events,
    fetching::Fetcher,
    files::{FileStore, Links},
    http::RateLimiter,
    importing::Importer,
    models::Models,
    pipeline::Pipeline,
    private_folder::keep_private,
    shares::Shares,
    stock::Stock,
    store::{Store, queue_positions::QueuePositions},
    store_id,
    telemetry::SERVICE,
    uploads::{Spool, UploadKind, UploadLinks, Uploads},
};

/// Size of the connection pool that HTTP handlers use.
const CONNECTIONS: u32 = 10;
/// Connections of the pool that may wait for the file store during a write, which can be slow; the
/// others stay available for quick queries.
const WRITERS: usize = 5;

/// Maximum sizes of uploads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    model_bytes: u64,
    thumb_bytes: u64,
}

impl Limits {
    pub(crate) const fn upload_bytes(&self, kind: UploadKind) -> u64 {
        match kind {
            UploadKind::Model => self.model_bytes,
            UploadKind::Thumb => self.thumb_bytes,
        }
    }
}

/// The dependencies of the HTTP handlers.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) environment: Environment,
    pub(crate) store: Store,
    /// Detects that the database has stalled.
    pub(crate) pulse: Pulse,
    pub(crate) queue_positions: QueuePositions,
    pub(crate) files: FileStore,
    pub(crate) accounts: Accounts,
    pub(crate) cookies: CookieSigner,
    pub(crate) links: Links,
    pub(crate) uploads: Uploads,
    pub(crate) upload_links: UploadLinks,
    pub(crate) models: Models,
    pub(crate) limits: Limits,
    /// Cancelled when the service shuts down.
    pub(crate) stopping: CancellationToken,
    pub(crate) limiter: RateLimiter,
    /// Proxies whose `X-Forwarded-For` entries are trusted.
    pub(crate) trusted_proxies: Vec<ProxyRange>,
    pub(crate) measures: RequestMeasures,
    pub(crate) pipeline: Pipeline,
    pub(crate) stock: Stock,
    pub(crate) origins: Vec<String>,
    pub(crate) public_base: String,
    pub(crate) cookie_domain: Option<String>,
    pub(crate) session_life_ms: i64,
    pub(crate) max_duration_s: f32,
    pub(crate) max_queued: u32,
    pub(crate) credits: Credits,
    /// Publishes job state changes as they happen.
    pub(crate) events: Events,
    pub(crate) list_models_wrapped: bool,
    /// Start of the service; reported as creation and modification time of the stock characters.
    pub(crate) started_ms: i64,
}

impl Service {
    pub(crate) async fn start(
        config: &Config,
        listening_on: SocketAddr,
        environment: Environment,
    ) -> Result<Arc<Self>, ServiceError> {
        let pipeline = Pipeline::of(config)?;
        // migrations may take long, so they do not use the pool's timeouts
        Store::connect(&config.database_url, 1).await?.migrate().await?;
        let patience = config.database_patience;
        let store = Store::connect_to_serve(&config.database_url, CONNECTIONS, patience).await?;
        let files = FileStore::at(&config.store).await?;
        keep_private(&config.scratch).map_err(FilesError::Folder)?;
        let id = store_id::store_id_of(&store, &files, &environment).await?;
        store.note_file_store(id.as_str()).await?;
        let mut fresh = [0; 32];
        environment.random.fill(&mut fresh);
        let keys = store.signing_keys(&fresh).await?;
        let public_base = config.public_base(listening_on);
        let ms =
            |duration: std::time::Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        let stopping = CancellationToken::new();
        let spool = Spool::beside(&files, &store, config, &environment)?;
        let uploads = Uploads::new(
            store.clone(),
            spool.clone(),
            environment.clone(),
            config.uploads,
            stopping.clone(),
        );
        let importer =
            Importer::new(config.reader.clone(), config.import, config.scratch.join("imports"))
                .map_err(FilesError::Folder)?;
        let stock = Stock::keep(&store, &files).await?;
        let fetcher = match config.model_import_hosts.as_slice() {
            [] => None,
            hosts => {
                let folder = config.scratch.join("imports");
                let made = Fetcher::new(hosts, folder, config.max_model_mib << 20);
                Some(made.map_err(ServiceError::Fetching)?)
            }
        };
        let models = Models {
            fetcher,
            stock: stock.clone(),
            store: store.clone(),
            files: files.clone(),
            importer,
            writers: Shares::new(WRITERS),
            environment: environment.clone(),
            uploads: spool,
            most: config.max_models,
            upkeep: config.uploads.upkeep,
            orphan_age: config.orphan_age,
        };
        Ok(Arc::new(Self {
            stock,
            accounts: Accounts::new(store.clone(), environment.clone()),
            cookies: CookieSigner::new(config.session_cookie.clone(), keys.clone()),
            upload_links: UploadLinks::new(public_base.clone(), keys.clone()),
            links: Links::new(public_base.clone(), ms(config.link_life), keys),
            limits: Limits {
                model_bytes: config.max_model_mib << 20,
                thumb_bytes: config.max_thumb_mib << 20,
            },
            models,
            uploads,
            events: Events::listen(store.clone(), stopping.clone()).await?,
            stopping,
            limiter: RateLimiter::new(config.rate_limits, Arc::clone(&environment.clock)),
            trusted_proxies: config.trusted_proxies.clone(),
            measures: RequestMeasures::new(SERVICE, "limber.motion.refusals"),
            pipeline,
            origins: config.origins.clone(),
            public_base,
            cookie_domain: config.cookie_domain.clone(),
            session_life_ms: ms(config.session_life),
            max_duration_s: config.max_duration_s,
            max_queued: config.max_queued,
            credits: Credits::new(
                store.clone(),
                config.billing.map(Prices::of),
                config.credits,
                config.max_variants,
            ),
            list_models_wrapped: config.list_models_wrapped,
            started_ms: environment.clock.now_ms(),
            pulse: Pulse::of(&store.pool, patience),
            queue_positions: QueuePositions::new(store.clone(), Arc::clone(&environment.clock)),
            store,
            files,
            environment,
        }))
    }

    /// Returns a signed link to this content that is valid from now.
    pub(crate) fn link(&self, content: &str, file_name: &str) -> String {
        self.links.sign(content, file_name, self.environment.clock.now_ms())
    }
}
