//! An S3 server in the test process, which can go away and come back.

use std::{
    collections::BTreeSet,
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use limber_motion_service::{S3Keys, S3Place, StorePlace};
use s3s::{
    S3Result,
    access::{S3Access, S3AccessContext},
    auth::SimpleAuth,
    s3_error,
    service::S3ServiceBuilder,
};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::{
    net::TcpSocket,
    sync::watch,
    task::{JoinHandle, JoinSet},
};

use crate::port::bound_to;

pub(crate) const BUCKET: &str = "studio-files";
const KEY: &str = "limber";
const SECRET: &str = "a secret that is long enough";

/// Records the bucket's operations, and can hold them up.
#[derive(Debug, Default)]
struct Gate {
    /// Operations and object names.
    asked: Mutex<Vec<(String, String)>>,
    held: watch::Sender<Option<&'static str>>,
}

impl Gate {
    async fn pass(&self, operation: &str, object: &str) {
        self.asked.lock().expect("not poisoned").push((operation.to_owned(), object.to_owned()));
        let mut held = self.held.subscribe();
        // the sender lives at least as long as anyone waits here
        let _ = held.wait_for(|held| held.is_none_or(|held| held != operation)).await;
    }
}

/// Permits signed requests to the existing bucket only. `s3s-fs` would create any other bucket on
/// the first write.
struct OnlyThatBucket(Arc<Gate>);

#[async_trait::async_trait]
impl S3Access for OnlyThatBucket {
    async fn check(&self, context: &mut S3AccessContext<'_>) -> S3Result<()> {
        if context.credentials().is_none() {
            return Err(s3_error!(AccessDenied));
        }
        match context.s3_path().as_object() {
            Some((bucket, _)) if bucket != BUCKET => Err(s3_error!(NoSuchBucket)),
            Some((_, object)) => {
                self.0.pass(context.s3_op().name(), object).await;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

pub(crate) struct Bucket {
    root: TempDir,
    address: SocketAddr,
    running: Option<JoinHandle<()>>,
    /// Reserves the port while no server listens there.
    away: Option<TcpSocket>,
    gate: Arc<Gate>,
}

impl Bucket {
    /// Opens an empty bucket.
    pub(crate) fn open() -> Self {
        let root = TempDir::new().expect("a folder");
        std::fs::create_dir(root.path().join(BUCKET)).expect("an empty folder");
        let socket = bound_to(([127, 0, 0, 1], 0).into());
        let address = socket.local_addr().expect("an address");
        let gate = Arc::default();
        let mut bucket = Self { root, address, running: None, away: Some(socket), gate };
        bucket.come_back();
        bucket
    }

    /// Starts serving, on the same port as before.
    pub(crate) fn come_back(&mut self) {
        let socket = self.away.take().expect("it is away");
        let listener = socket.listen(128).expect("nothing else listens there");
        let files = FileSystem::new(self.root.path()).expect("a folder");
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(KEY, SECRET));
        service.set_access(OnlyThatBucket(Arc::clone(&self.gate)));
        let service = service.build();
        self.running = Some(tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((socket, _)) = listener.accept().await {
                let service = service.clone();
                connections.spawn(async move {
                    let server = Builder::new(TokioExecutor::new());
                    let _ = server.serve_connection(TokioIo::new(socket), service).await;
                });
            }
        }));
    }

    /// Closes all connections and stops responding.
    pub(crate) async fn go_away(&mut self) {
        let running = self.running.take().expect("it runs");
        running.abort();
        let _ = running.await;
        self.away = Some(bound_to(self.address));
    }

    /// Blocks all operations of this kind, for example `GetObject`, until called with another
    /// value.
    pub(crate) fn hold(&self, operation: Option<&'static str>) {
        self.gate.held.send_replace(operation);
    }

    /// Returns how often this operation was requested for a content.
    pub(crate) fn asked(&self, operation: &str, content: &str) -> usize {
        let asked = self.gate.asked.lock().expect("not poisoned");
        let is_it = |object: &str| object.rsplit('/').next() == Some(content);
        asked.iter().filter(|(kind, object)| kind == operation && is_it(object)).count()
    }

    /// Returns the settings for this bucket.
    pub(crate) fn place(&self) -> StorePlace {
        let endpoint = format!("http://{}", self.address).parse().expect("an address");
        let keys = S3Keys { id: KEY.to_owned(), secret: SECRET.to_owned().into(), token: None };
        StorePlace::S3(Box::new(S3Place {
            bucket: BUCKET.to_owned(),
            prefix: "motion/tests".to_owned(),
            endpoint: Some(endpoint),
            public_endpoint: None,
            region: "us-east-1".to_owned(),
            keys: Some(keys),
            path_style: true,
            redirect: true,
        }))
    }

    /// Returns host and port.
    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    fn below(&self, folder: &str) -> PathBuf {
        self.root.path().join(BUCKET).join("motion/tests").join(folder)
    }

    /// Returns the names of all contents.
    pub(crate) fn contents(&self) -> BTreeSet<String> {
        let files = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten();
        files(self.below("objects"))
            .flat_map(|folder| files(folder.path()))
            .map(|file| file.file_name().into_string().expect("text"))
            .collect()
    }

    /// Modifies the stored bytes of a content.
    pub(crate) fn spoil(&self, content: &str, spoil: impl FnOnce(&mut Vec<u8>)) {
        let file = self.below("objects").join(&content[..2]).join(content);
        let mut bytes = std::fs::read(&file).expect("it exists");
        spoil(&mut bytes);
        std::fs::write(&file, bytes).expect("written");
    }

    /// Returns the number of objects stored by upload sessions.
    pub(crate) fn pieces(&self) -> usize {
        self.files_of_pieces().len()
    }

    /// Flips a bit in the last byte of each of them.
    pub(crate) fn spoil_pieces(&self) {
        for file in self.files_of_pieces() {
            let mut bytes = std::fs::read(&file).expect("it exists");
            *bytes.last_mut().expect("a byte") ^= 1;
            std::fs::write(file, bytes).expect("written");
        }
    }

    /// Deletes the last piece of the only session.
    pub(crate) fn lose_last_piece(&self) {
        let last = self.files_of_pieces().into_iter().max().expect("a piece");
        std::fs::remove_file(last).expect("removed");
    }

    fn files_of_pieces(&self) -> Vec<PathBuf> {
        let files = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten();
        let pieces = files(self.below("uploads")).flat_map(|session| files(session.path()));
        pieces.map(|piece| piece.path()).collect()
    }
}
