//! Animated thumbnails that arrive after their clips, because studios render them when the job is
//! already done.
//!
//! A clip works without its thumbnail. Missing ones are requested for a while after a clip arrives,
//! and once at every start, because the process that was to render one may have been killed and
//! another may have rendered it since.

use std::{collections::HashMap, sync::Arc, time::Duration};

use limber_client::motion::{FetchLimits, JobId, JobSummary, ListFilter, MotionError};
use limber_domain::lock;

use super::{App, Services};
use crate::library::{ClipId, PICTURE};

/// Delay before the first request.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Upper limit of the delay, which doubles with each request.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// Number of requests, spread over about ten minutes; then the thumbnail is given up.
const MOST_TIMES: u32 = 25;
/// Number of recent jobs checked; older clips will not get a thumbnail any more.
const NEWEST_JOBS: u32 = 500;

impl App {
    /// Starts a background task that downloads thumbnails which the studio renders late.
    pub(super) fn fetch_late_pictures(&self) {
        let Ok(services) = self.services() else { return };
        let app = self.clone();
        let task = tokio::spawn(async move {
            loop {
                app.ask_for_pictures(&services).await;
                app.inner.missing_thumbnails.notified().await;
            }
        });
        if let Some(earlier) = lock(&self.inner.tasks).pictures.replace(task.abort_handle()) {
            earlier.abort();
        }
    }

    /// Polls until every clip has its thumbnail, or none can be expected.
    async fn ask_for_pictures(&self, services: &Arc<Services>) {
        let mut pause = FIRST_PAUSE;
        for _ in 0..MOST_TIMES {
            match self.fetch_pictures_once(services).await {
                Ok(true) => return,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "the previews of clips could not be requested");
                }
            }
            let more = self.inner.missing_thumbnails.notified();
            if tokio::time::timeout(pause, more).await.is_ok() {
                // a clip without a thumbnail just arrived, so start over with a short delay
                pause = FIRST_PAUSE;
            } else {
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }
    }

    /// Returns whether no clip of this studio is still waiting for a thumbnail.
    async fn fetch_pictures_once(&self, services: &Arc<Services>) -> Result<bool, MotionError> {
        let lacking = self.without_picture(services);
        if lacking.is_empty() || self.services_of_signed_in().is_err() {
            return Ok(lacking.is_empty());
        }
        let filter = ListFilter { limit: Some(NEWEST_JOBS), ..ListFilter::default() };
        let listed = services.motion.list(&filter).await?;
        let jobs: HashMap<&JobId, &JobSummary> = listed.iter().map(|job| (&job.rid, job)).collect();
        let mut all = true;
        for id in lacking {
            let Some(job) = jobs.get(&id.job) else { continue };
            let number = id.variant.get().to_string();
            let variant = job.variants.as_ref().and_then(|variants| variants.get(&number));
            match variant.and_then(|variant| variant.thumb.as_deref()) {
                Some(address) => {
                    // a failed download must not block the others
                    if let Err(error) = self.fetch_picture(services, &id, address).await {
                        tracing::warn!(%error, "the preview of a clip could not be downloaded");
                        all = false;
                    }
                }
                None => all = false,
            }
        }
        Ok(all)
    }

    /// Returns clips of this studio that have no thumbnail.
    fn without_picture(&self, services: &Services) -> Vec<ClipId> {
        let journal = &self.inner.journal;
        let is_of_it = |id: &ClipId| {
            journal.find(&id.job).is_some_and(|entry| entry.studio == services.studio)
        };
        self.inner.library.without_picture().into_iter().filter(is_of_it).collect()
    }

    async fn fetch_picture(
        &self,
        services: &Services,
        id: &ClipId,
        address: &str,
    ) -> Result<(), MotionError> {
        let to = self.inner.library.path(id, PICTURE);
        let fetched = services.motion.fetch(address, &to, FetchLimits::default()).await?;
        let (app, taking) = (self.clone(), id.clone());
        let taken = tokio::task::spawn_blocking(move || {
            app.inner.library.take_picture(&taking, fetched.into())
        });
        if taken.await.is_ok_and(|taken| taken) {
            self.inner.environment.events.library(&[id.to_string()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use limber_client::{
        identity::{IdentityClient, IdentityOptions},
        motion::MotionClient,
    };
    use serde_json::json;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::{super::HERE, *};
    use crate::{
        journal::{Entry, Outcome},
        library::clip,
        testing,
        views::{SessionState, Who},
    };

    /// The head of a sprite sheet of five by five cells, for a clip of three seconds.
    fn sheet() -> Vec<u8> {
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        png.extend(800_u32.to_be_bytes());
        png.extend(800_u32.to_be_bytes());
        png
    }

    /// A fake motion service with one job, and whether its thumbnail has been rendered.
    struct Service {
        address: String,
        has_drawn: Arc<Mutex<bool>>,
    }

    impl Service {
        async fn start() -> Self {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
            let address = format!("http://{}", listener.local_addr().expect("an address"));
            let has_drawn: Arc<Mutex<bool>> = Arc::default();
            let (base, drawn) = (address.clone(), Arc::clone(&has_drawn));
            tokio::spawn(async move {
                while let Ok((mut request, _)) = listener.accept().await {
                    let mut head = vec![0; 4096];
                    let length = request.read(&mut head).await.expect("a request");
                    let line = String::from_utf8_lossy(&head[..length]).into_owned();
                    let is_drawn = *drawn.lock().expect("not poisoned");
                    let body = match line.split(' ').nth(1).unwrap_or_default() {
                        path if path.starts_with("/job/v1/list") => list(&base, is_drawn),
                        "/sheet" => sheet(),
                        _ => b"{}".to_vec(),
                    };
                    let head = format!(
                        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\
                         set-cookie: svcsess=one; Path=/\r\ncontent-length: {}\r\n\
                         connection: close\r\n\r\n",
                        body.len()
                    );
                    request.write_all(head.as_bytes()).await.expect("something is listening");
                    request.write_all(&body).await.expect("something is listening");
                }
            });
            Self { address, has_drawn }
        }
    }

    fn list(base: &str, is_drawn: bool) -> Vec<u8> {
        let thumb = is_drawn.then(|| format!("{base}/sheet"));
        let job = json!({
            "rid": clip(1).id.job, "processor": "text2motion", "parameters": {}, "status": "SUCCESS",
            "processingInfo": { "queuedAt": 1, "attempts": 1, "stages": [], "version": "0" },
            "variants": { "1": { "download": true, "thumb": thumb } },
            "chargedAmount": 0.0, "ctime": 1, "mtime": 2
        });
        json!({ "count": 1, "list": [job] }).to_string().into_bytes()
    }

    /// An app with a clip that arrived without its thumbnail.
    fn app(folder: &std::path::Path, service: &Service) -> (App, Arc<Services>) {
        let app = testing::app(folder);
        let clip = clip(1);
        let entry = Entry {
            id: clip.id.job.clone(),
            studio: HERE.to_owned(),
            prompt: clip.prompt.clone(),
            name: None,
            character_id: clip.character_id.clone(),
            character_name: clip.character_name.clone(),
            variants: 1,
            made_at: clip.made_at,
            origin: None,
            video: None,
            asked: None,
            warnings: vec![],
            outcome: Outcome::Done,
        };
        app.inner.journal.put(entry).expect("recorded");
        app.inner.library.add(clip).expect("added");
        let url = service.address.parse().expect("an address");
        let identity = IdentityClient::new(&url, &IdentityOptions::default()).expect("a client");
        let motion =
            MotionClient::new(&service.address, "limber", "secret".into()).expect("a client");
        let services = Arc::new(Services { studio: HERE.to_owned(), identity, motion });
        let who = Who { email: None, phone: None, anonymous: true };
        *lock(&app.inner.session) = SessionState::SignedIn { who, remembered: false };
        *lock(&app.inner.services) = Some(Arc::clone(&services));
        (app, services)
    }

    #[tokio::test]
    async fn a_late_preview_is_shown_once_available() {
        let folder = tempfile::tempdir().expect("a folder");
        let service = Service::start().await;
        let (app, services) = app(folder.path(), &service);
        let id = clip(1).id;
        assert!(!app.fetch_pictures_once(&services).await.expect("it answers"));
        assert!(app.clips()[0].picture.is_none(), "the clip is shown without");
        *service.has_drawn.lock().expect("not poisoned") = true;
        assert!(app.fetch_pictures_once(&services).await.expect("it answers"));
        assert!(app.clips()[0].picture.is_some());
        assert_eq!(app.clip_picture(&id.to_string()).await.expect("it is stored"), sheet());
        assert!(app.fetch_pictures_once(&services).await.expect("nothing more is requested"));
        // and it survives a restart
        assert!(testing::app(folder.path()).clips()[0].picture.is_some());
    }

    #[tokio::test]
    async fn a_late_preview_of_a_deleted_clip_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let service = Service::start().await;
        let (app, services) = app(folder.path(), &service);
        let id = clip(1).id;
        app.inner.library.delete(&id).expect("deleted");
        let sheet = format!("{}/sheet", service.address);
        app.fetch_picture(&services, &id, &sheet).await.expect("it arrives");
        assert!(app.clips().is_empty());
        app.inner.library.restore(&id).expect("nothing is in the way");
        assert!(app.clips()[0].picture.is_none());
        // the missed thumbnail is requested again
        *service.has_drawn.lock().expect("not poisoned") = true;
        assert!(app.fetch_pictures_once(&services).await.expect("it answers"));
        assert!(app.clips()[0].picture.is_some());
    }
}
