//! Asks studios to delete their own copies of permanently deleted clips.
//!
//! No other clip of the library needs them: an edit or a video of a clip starts from the job that
//! made that very clip, never from the jobs of its sources. A queued job that starts from a clip
//! deleted meanwhile still gets it; the service takes care of that.

use std::{sync::Arc, time::Duration};

use limber_domain::lock;

use super::{App, Services};

/// Delay before a failed request is repeated.
const PATIENCE: Duration = Duration::from_secs(300);

impl App {
    /// Starts a background task that has the connected studio delete what was permanently deleted
    /// here.
    pub(super) fn purge_deleted(&self) {
        let Ok(services) = self.services() else { return };
        let app = self.clone();
        let task = tokio::spawn(async move {
            loop {
                let emptied = app.inner.emptied.notified();
                if app.purge_once(&services).await {
                    emptied.await;
                } else {
                    let _ = tokio::time::timeout(PATIENCE, emptied).await;
                }
            }
        });
        if let Some(earlier) = lock(&self.inner.tasks).purge.replace(task.abort_handle()) {
            earlier.abort();
        }
    }

    /// Returns `false` if the studio has to be asked again.
    async fn purge_once(&self, services: &Arc<Services>) -> bool {
        let studio = services.studio.clone();
        let jobs = self.on_disk(move |app| Ok(app.inner.library.purgeable(&studio))).await;
        let jobs = jobs.unwrap_or_default();
        if jobs.is_empty() {
            return true;
        }
        if self.services_of_signed_in().is_err() {
            return false;
        }
        let mut purged = Vec::new();
        for job in &jobs {
            match services.motion.purge(job).await {
                Ok(()) => purged.push(job.clone()),
                // already gone, or not ours
                Err(error) if matches!(error.kind(), Some("job_not_found" | "gone")) => {
                    purged.push(job.clone());
                }
                Err(error) => {
                    tracing::warn!(%error, "a studio did not remove deleted clips");
                    break;
                }
            }
        }
        let all = purged.len() == jobs.len();
        // if the app is killed before this, the request is repeated, which is harmless
        let noted = self.on_disk(move |app| {
            app.inner.library.purged(&purged);
            Ok(())
        });
        noted.await.is_ok() && all
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use limber_client::{
        identity::{IdentityClient, IdentityOptions},
        motion::MotionClient,
    };
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpSocket},
    };

    use super::{super::HERE, *};
    use crate::{
        library::clip,
        testing,
        views::{SessionState, Who},
    };

    const PURGE: &str = "DELETE /job/v1/purge/job-000000000001";

    /// A fake motion service that answers every purge with this, and the requests it received.
    async fn service(status: u16, body: &'static str) -> (String, Arc<Mutex<Vec<String>>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = Arc::clone(&asked);
        tokio::spawn(async move {
            while let Ok((mut request, _)) = listener.accept().await {
                let mut head = vec![0; 4096];
                let length = request.read(&mut head).await.expect("a request");
                let line = String::from_utf8_lossy(&head[..length]);
                let line = line.split(" HTTP/").next().unwrap_or_default().to_owned();
                let (status, body) =
                    if line.starts_with("DELETE") { (status, body) } else { (200, "{}") };
                heard.lock().expect("not poisoned").push(line);
                let answer = format!(
                    "HTTP/1.1 {status} As told\r\ncontent-type: application/json\r\n\
                     set-cookie: svcsess=one; Path=/\r\ncontent-length: {}\r\n\
                     connection: close\r\n\r\n{body}",
                    body.len()
                );
                request.write_all(answer.as_bytes()).await.expect("something is listening");
            }
        });
        (address, asked)
    }

    /// An app with both clips of a job, signed in to the studio at this address.
    fn app(folder: &std::path::Path, address: &str) -> (App, Arc<Services>) {
        let app = testing::app(folder);
        for variant in [1, 2] {
            app.inner.library.add(clip(variant)).expect("added");
        }
        let services = connect(&app, address);
        (app, services)
    }

    fn connect(app: &App, address: &str) -> Arc<Services> {
        let url = address.parse().expect("an address");
        let identity = IdentityClient::new(&url, &IdentityOptions::default()).expect("a client");
        let motion = MotionClient::new(address, "limber", "secret".into()).expect("a client");
        let services = Arc::new(Services { studio: HERE.to_owned(), identity, motion });
        *lock(&app.inner.services) = Some(Arc::clone(&services));
        sign_in(app);
        services
    }

    fn sign_in(app: &App) {
        let who = Who { email: None, phone: None, anonymous: true };
        *lock(&app.inner.session) = SessionState::SignedIn { who, remembered: false };
    }

    async fn delete_for_good(app: &App, variants: &[u32]) {
        let ids = variants.iter().map(|variant| clip(*variant).id.to_string()).collect();
        app.delete_clips(ids).await.expect("deleted");
        app.empty_bin().await.expect("emptied");
    }

    fn purges(asked: &Mutex<Vec<String>>) -> usize {
        asked.lock().expect("not poisoned").iter().filter(|line| *line == PURGE).count()
    }

    #[tokio::test]
    async fn a_job_is_purged_once_when_all_its_clips_are_deleted() {
        let folder = tempfile::tempdir().expect("a folder");
        let (address, asked) = service(200, r#"{"result":true}"#).await;
        let (app, services) = app(folder.path(), &address);
        delete_for_good(&app, &[1]).await;
        let second = vec![clip(2).id.to_string()];
        app.delete_clips(second.clone()).await.expect("deleted");
        assert!(app.purge_once(&services).await);
        assert_eq!(purges(&asked), 0, "the second one can be brought back");
        app.restore_clips(second).await.expect("restored");

        delete_for_good(&app, &[2]).await;
        *lock(&app.inner.session) = SessionState::SignedOut;
        assert!(!app.purge_once(&services).await, "nobody is signed in");
        assert_eq!(purges(&asked), 0);
        sign_in(&app);
        assert!(app.purge_once(&services).await && app.purge_once(&services).await);
        assert_eq!(purges(&asked), 1);
    }

    #[tokio::test]
    async fn purging_is_retried_after_a_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        // kept bound, so that nobody else can listen there
        let port = TcpSocket::new_v4().expect("a socket");
        port.bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
        let nowhere = format!("http://{}", port.local_addr().expect("an address"));
        let (earlier, services) = app(folder.path(), &nowhere);
        delete_for_good(&earlier, &[1, 2]).await;
        assert!(!earlier.purge_once(&services).await);

        let later = testing::app(folder.path());
        let body = r#"{"message":"none","type":"job_not_found","requestId":"1"}"#;
        let (address, asked) = service(404, body).await;
        let services = connect(&later, &address);
        assert!(later.purge_once(&services).await && later.purge_once(&services).await);
        assert_eq!(purges(&asked), 1, "clips that the studio does not have are not purged again");
    }
}
