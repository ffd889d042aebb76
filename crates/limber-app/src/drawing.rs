//! A single thread for everything that the app renders itself.
//!
//! Graphics drivers and the allocator keep memory for every thread that has ever rendered. On a
//! pool of threads, the app would grow with each image shown.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Mutex,
    thread,
    time::Duration,
};

use limber_domain::lock;
use tokio::sync::{mpsc, oneshot};

/// Queue length. Pages request one image at a time; further callers wait for room.
const MOST_WAITING: usize = 8;
/// Timeout for one image, including the wait. A software renderer needs seconds; a hung driver
/// never returns.
const LONGEST: Duration = Duration::from_secs(120);

type Drawing = Box<dyn FnOnce() + Send>;

/// Why nothing was rendered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotDrawn {
    /// The work panicked.
    #[error("rendering failed")]
    Failed,
    /// The work, or work queued before it, did not finish in time.
    #[error("it was not rendered within {} seconds", LONGEST.as_secs())]
    TooLong,
    /// The system could not start the thread.
    #[error("no thread could be started to render it: {0}")]
    NoThread(#[source] io::Error),
}

/// Renders images one after another, in the order requested, on its own thread. The thread starts
/// with the first image and ends when this is dropped.
#[derive(Default)]
pub(crate) struct DrawingThread(Mutex<Option<mpsc::Sender<Drawing>>>);

impl DrawingThread {
    /// Runs the work on the thread and returns its result. Work whose caller has gone away is
    /// skipped.
    pub(crate) async fn draw<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NotDrawn> {
        let queue = self.queue()?;
        let (tell, told) = oneshot::channel();
        let drawing: Drawing = Box::new(move || {
            if !tell.is_closed() {
                // the caller may have given up meanwhile
                let _ = tell.send(work());
            }
        });
        let answer = async {
            queue.send(drawing).await.ok()?;
            told.await.ok()
        };
        match tokio::time::timeout(LONGEST, answer).await {
            Ok(Some(drawn)) => Ok(drawn),
            Ok(None) => Err(NotDrawn::Failed),
            Err(_) => Err(NotDrawn::TooLong),
        }
    }

    /// Returns the queue, starting the thread if needed.
    fn queue(&self) -> Result<mpsc::Sender<Drawing>, NotDrawn> {
        let mut queue = lock(&self.0);
        if let Some(open) = &*queue {
            return Ok(open.clone());
        }
        let (open, mut waiting) = mpsc::channel(MOST_WAITING);
        thread::Builder::new()
            .name("drawing".to_owned())
            .spawn(move || {
                // until all senders are dropped
                while let Some(drawing) = waiting.blocking_recv() {
                    draw_now(drawing);
                }
            })
            .map_err(NotDrawn::NoThread)?;
        Ok(queue.insert(open).clone())
    }
}

fn draw_now(drawing: Drawing) {
    // the caller sees the dropped channel
    if catch_unwind(AssertUnwindSafe(drawing)).is_err() {
        tracing::error!("drawing a picture panicked");
    }
}

#[cfg(test)]
mod tests {
    use std::{
        cell::RefCell,
        collections::HashSet,
        future::ready,
        pin::pin,
        sync::{
            Arc,
            atomic::{AtomicBool, Ordering},
            mpsc::channel,
        },
        thread::ThreadId,
    };

    use tokio::task::JoinSet;

    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn concurrent_images_are_rendered_on_one_thread() {
        let drawing = Arc::new(DrawingThread::default());
        let wanted: Vec<usize> = (0..5 * MOST_WAITING).collect();
        let mut asking = JoinSet::new();
        for number in wanted.clone() {
            let drawing = Arc::clone(&drawing);
            asking.spawn(async move {
                let work = move || (number, thread::current().id());
                drawing.draw(work).await.expect("it is rendered")
            });
        }
        let mut drawn: Vec<(usize, ThreadId)> = asking.join_all().await;
        drawn.sort_by_key(|(number, _)| *number);
        let (numbers, threads): (Vec<_>, HashSet<_>) = drawn.into_iter().unzip();
        assert_eq!(numbers, wanted);
        assert_eq!(threads.len(), 1);
    }

    #[tokio::test]
    async fn a_panic_while_rendering_affects_only_its_image() {
        let drawing = DrawingThread::default();
        let before = drawing.draw(|| thread::current().id()).await.expect("it is rendered");
        let failed: Result<(), NotDrawn> = drawing.draw(|| panic!("on purpose")).await;
        assert!(matches!(failed, Err(NotDrawn::Failed)), "{failed:?}");
        let after = drawing.draw(|| thread::current().id()).await.expect("it is rendered");
        assert_eq!(before, after);
    }

    #[tokio::test]
    async fn an_abandoned_image_is_not_rendered() {
        let drawing = DrawingThread::default();
        let (free, held) = channel::<()>();
        let mut first = pin!(drawing.draw(move || held.recv().is_ok()));
        tokio::select! {
            biased;
            _ = &mut first => panic!("it is blocked"),
            () = ready(()) => {}
        }
        let is_drawn = Arc::new(AtomicBool::new(false));
        let tell = Arc::clone(&is_drawn);
        tokio::select! {
            biased;
            _ = drawing.draw(move || tell.store(true, Ordering::SeqCst)) => panic!("not its turn"),
            () = ready(()) => {}
        }
        free.send(()).expect("the first waits for it");
        assert!(first.await.expect("it is rendered"));
        assert_eq!(drawing.draw(|| 3).await.expect("it is rendered"), 3);
        assert!(!is_drawn.load(Ordering::SeqCst));
    }

    thread_local! {
        /// Dropped when its thread ends.
        static ALIVE: RefCell<Option<oneshot::Sender<()>>> = const { RefCell::new(None) };
    }

    #[tokio::test]
    async fn the_thread_ends_with_the_app() {
        let drawing = DrawingThread::default();
        let (alive, ended) = oneshot::channel();
        drawing.draw(move || ALIVE.set(Some(alive))).await.expect("it is rendered");
        drop(drawing);
        let ended = tokio::time::timeout(LONGEST, ended).await.expect("the thread ends");
        ended.expect_err("nothing is sent");
    }
}
