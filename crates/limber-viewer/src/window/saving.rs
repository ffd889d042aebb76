//! Saving the view to a file: an image, or a turntable video.

use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
};

use limber_api::viewer::ViewerLayer;
use limber_render::{Look, PictureSize, Quality, SmoothTarget};
use three_d::Viewport;

use super::Viewer;
use crate::{
    Turntable, ViewerError, link::Incoming, screenshot, turntable::render_turntable, words::said,
};

/// A turntable video rendering in the background. Dropping it stops it.
pub(super) struct TurntableJob {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for TurntableJob {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // the thread has already reported its outcome
            let _ = thread.join();
        }
    }
}

impl Viewer {
    /// Saves the current view as an image and reports where.
    pub(super) fn save_picture(&mut self, picture: Viewport) -> Result<(), ViewerError> {
        let area = PictureSize::new(picture.width, picture.height);
        let mut fine = SmoothTarget::new(&self.context, self.session.grid().cell_size(area))?;
        let look = Look { quality: Quality::Fine, ..self.session.look };
        let drawn = self.session.picture(area, &look, |scene| fine.read(&mut self.stage, scene))?;
        let stem = format!("{} {:04}", self.label(), self.session.playback.frame());
        let saved = screenshot::packed(drawn)
            .and_then(|png| screenshot::save_new(&self.pictures, &stem, &png));
        self.tell_saved(saved.map_err(|error| error.to_string()));
        Ok(())
    }

    /// Starts rendering a turntable video at the size of the image.
    pub(super) fn save_turntable(&mut self, picture: Viewport) {
        if self.turntable.is_some() {
            return;
        }
        let name =
            match screenshot::free_name(&self.pictures, &format!("{} turn", self.label()), "mp4") {
                Ok(name) => name,
                Err(error) => return self.tell_saved(Err(error.to_string())),
            };
        let layers = self.session.layers().into_iter();
        let lane = self.session.lineup.lanes.first();
        let wanted = Turntable {
            file: self.pictures.join(&name),
            clip: lane.map(|lane| lane.choices[lane.chosen].name.clone()),
            // video sides must be even
            size: (picture.width.max(2) / 2 * 2, picture.height.max(2) / 2 * 2),
            layers: layers.filter(|layer| *layer != ViewerLayer::Skin).collect(),
            light: self.session.is_light(),
        };
        let (files, proxy) = (self.files.clone(), self.proxy.clone());
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let work = move || {
            let mut each = |share| {
                let _ = proxy.send_event(Incoming::TurntableProgress(share));
                if stopped.load(Ordering::Relaxed) {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            };
            let rendered = render_turntable(&files, &wanted, &mut each);
            let outcome = rendered.map(|()| name).map_err(|error| error.to_string());
            // the window may be closing
            let _ = proxy.send_event(Incoming::TurntableEnded(outcome));
        };
        match std::thread::Builder::new().name("turn".to_owned()).spawn(work) {
            Ok(thread) => {
                self.turntable = Some(TurntableJob { stop, thread: Some(thread) });
                self.show_turntable_progress(0.0);
            }
            Err(error) => self.tell_saved(Err(error.to_string())),
        }
    }

    /// Shows the progress of the video.
    pub(super) fn show_turntable_progress(&mut self, share: f32) {
        let words = said(self.session.language, "Rendering turntable… {} %");
        self.session.notice = Some(words.replace("{}", &format!("{:.0}", share * 100.0)));
        self.dirty = true;
    }

    /// Handles the end of the video.
    pub(super) fn end_turntable(&mut self, outcome: &Result<String, String>) {
        self.turntable = None;
        self.tell_saved(outcome.clone());
    }

    fn label(&self) -> &str {
        self.session.lineup.lanes.first().map_or("picture", |lane| &lane.label)
    }

    fn tell_saved(&mut self, saved: Result<String, String>) {
        let folder = self.pictures.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let say = |english| said(self.session.language, english);
        self.session.notice = Some(match saved {
            Ok(name) if folder.is_empty() => say("Saved “{}”").replace("{}", &name),
            Ok(name) => {
                let words = say("Saved “{}” in {}").replacen("{}", &name, 1);
                words.replacen("{}", &folder, 1)
            }
            Err(reason) => reason,
        });
        self.dirty = true;
    }
}
