//! Small pictures of what can stand behind a character in a film. They are painted once, beside
//! everything else; until one is there, its backdrop is shown without.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{files::FileStore, road, stock::keep_for_all, store::Store};

/// Something to stand before.
#[derive(Debug)]
pub(crate) struct Backdrop {
    pub(crate) name: &'static str,
    pub(crate) is_flat: bool,
    /// Content id of its picture, once that is painted.
    pub(crate) thumb: OnceLock<String>,
}

/// All backdrops. Clones share their pictures.
#[derive(Debug, Clone)]
pub(crate) struct Backdrops {
    all: Arc<[Backdrop]>,
    begun: Arc<AtomicBool>,
    store: Store,
    files: FileStore,
    drawing: TaskTracker,
    stopping: CancellationToken,
}

impl Backdrops {
    /// Without pictures. What paints them is counted by `drawing` until `stopping`.
    pub(crate) fn new(
        store: Store,
        files: FileStore,
        (drawing, stopping): (TaskTracker, CancellationToken),
    ) -> Self {
        let backdrop = |(name, is_flat)| Backdrop { name, is_flat, thumb: OnceLock::new() };
        let all = road::backdrops().map(backdrop).collect();
        Self { all, begun: Arc::default(), store, files, drawing, stopping }
    }

    /// All of them, in the order of a menu.
    pub(crate) fn all(&self) -> &[Backdrop] {
        &self.all
    }

    /// What the pictures are made of.
    pub(crate) fn contents(&self) -> impl Iterator<Item = String> + '_ {
        self.all.iter().filter_map(|backdrop| backdrop.thumb.get().cloned())
    }

    /// Has the pictures painted, unless somebody did before. Waits for nothing.
    pub(crate) fn paint(&self) {
        if !self.begun.swap(true, Ordering::Relaxed) {
            self.drawing.spawn(self.clone().paint_all());
        }
    }

    async fn paint_all(self) {
        for backdrop in self.all.iter().filter(|backdrop| backdrop.thumb.get().is_none()) {
            if self.stopping.is_cancelled() {
                return;
            }
            let name = backdrop.name;
            let painted = tokio::task::spawn_blocking(move || road::backdrop_thumb(name)).await;
            let Ok(Some(png)) = painted else { continue };
            match keep_for_all(&self.store, &self.files, png).await {
                // the only writer
                Ok(id) => drop(backdrop.thumb.set(id.as_str().to_owned())),
                Err(error) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "pictures of backdrops cannot be kept until they are asked for again: {error}"
                    );
                    self.begun.store(false, Ordering::Relaxed);
                    return;
                }
            }
        }
    }
}
