//! The native viewer, tied to the timeline both ways.

use std::{
    path::PathBuf,
    sync::{Arc, Weak, atomic::Ordering},
};

use limber_api::viewer::{self, FrameRange, MAX_SPEED, MIN_SPEED, ViewerCommand, ViewerEvent};

use super::{App, Inner, lock};
use crate::{
    AppError, ErrorCode, Notice, Showing,
    library::ClipId,
    shown::{Language, Span, ViewerLayer, ViewerShown},
};

/// So many clips fit side by side in one viewer.
const MOST_SIDE_BY_SIDE: usize = 8;

impl App {
    /// Plays clips side by side in the native viewer.
    ///
    /// # Errors
    /// When a clip is gone or damaged, or the viewer does not start.
    pub async fn play_clips(&self, ids: &[String]) -> Result<(), AppError> {
        if ids.is_empty() || ids.len() > MOST_SIDE_BY_SIDE {
            return Err(AppError::new(
                ErrorCode::BadInput,
                Notice::HowManyToPlay { most: MOST_SIDE_BY_SIDE },
            ));
        }
        let mut showing = self.showing(vec![], vec![]);
        for id in ids {
            let clip = self.inner.library.find(&ClipId::parse(id)?)?;
            let alone = ids.len() == 1 || clip.variants == 1;
            let number = clip.id.variant;
            let title = clip.title();
            showing.names.push(if alone { title.to_owned() } else { format!("{number}  {title}") });
            showing.files.push(self.on_disk(move |app| app.inner.library.playable(&clip)).await?);
        }
        let (app, clips) = (Arc::downgrade(&self.inner), ids.to_vec());
        let told = Arc::new(move |event| hear(&app, &clips, &event));
        let was_open = lock(&self.inner.viewer).is_some();
        let looks = lock(&self.inner.looks).clone();
        self.inner.around.desktop.play(showing, told).await?;
        if let Some(looks) = looks.filter(|_| !was_open) {
            self.look_again(&looks).await;
        }
        Ok(())
    }

    /// Files for the viewer, in the look that it has now.
    pub(super) fn showing(&self, files: Vec<PathBuf>, names: Vec<String>) -> Showing {
        let light = self.inner.viewer_light.load(Ordering::Relaxed);
        Showing { files, names, light, language: self.spoken() }
    }

    /// Shows in a new window what the last one showed. Two clips in one place are asked for anew.
    async fn look_again(&self, looks: &[ViewerLayer]) {
        let all = viewer::ViewerLayer::NAMES.into_iter().map(|(_, layer)| layer);
        for layer in all.filter(|layer| *layer != viewer::ViewerLayer::Overlay) {
            let enabled = looks.contains(&layer.into());
            self.steer(ViewerCommand::Show { layer, enabled }).await;
        }
    }

    /// Stands the viewer at a frame. Without a viewer nothing happens, here and below.
    pub async fn viewer_seek(&self, frame: u32) {
        self.steer(ViewerCommand::Seek { frame }).await;
    }

    /// Starts or stops playing in the viewer.
    pub async fn viewer_play(&self, playing: bool) {
        let wish = if playing { ViewerCommand::Play {} } else { ViewerCommand::Pause {} };
        self.steer(wish).await;
    }

    /// Plays towards the first frame in the viewer.
    pub async fn viewer_play_backwards(&self) {
        self.steer(ViewerCommand::PlayBackwards {}).await;
    }

    /// Shows or hides a part of the viewer's picture.
    pub async fn viewer_show(&self, layer: ViewerLayer, enabled: bool) {
        self.steer(ViewerCommand::Show { layer: layer.into(), enabled }).await;
    }

    /// Which of the viewer's clips is B, from 1; places that are not there change nothing.
    pub async fn viewer_compare(&self, place: u32) {
        self.steer(ViewerCommand::Compare { with: place }).await;
    }

    /// How fast the viewer plays; 1 is real time.
    pub async fn viewer_speed(&self, factor: f32) {
        if factor.is_finite() {
            let factor = factor.clamp(MIN_SPEED, MAX_SPEED);
            self.steer(ViewerCommand::Speed { factor }).await;
        }
    }

    /// Whether the viewer goes on from the start after the last frame.
    pub async fn viewer_loop(&self, enabled: bool) {
        self.steer(ViewerCommand::SetLoop { enabled }).await;
    }

    /// Which part the viewer plays; everything without one, as it does when it shows other clips.
    ///
    /// # Errors
    /// When there is no frame in the part.
    pub async fn viewer_range(&self, part: Option<Span>) -> Result<(), AppError> {
        let range = part.map(FrameRange::try_from).transpose()?;
        self.steer(ViewerCommand::PlayRange { range }).await;
        Ok(())
    }

    /// Whether the viewer's bodies stay over their places.
    pub async fn viewer_in_place(&self, enabled: bool) {
        self.steer(ViewerCommand::SetInPlace { enabled }).await;
    }

    /// Which studio surrounds the viewer's bodies, now and from now on.
    pub async fn viewer_theme(&self, light: bool) {
        self.inner.viewer_light.store(light, Ordering::Relaxed);
        self.steer(ViewerCommand::SetTheme { light }).await;
    }

    /// What the viewer's window speaks.
    pub(super) async fn viewer_language(&self, language: Language) {
        self.steer(ViewerCommand::SetLanguage { language: language.into() }).await;
    }

    /// Has the viewer's camera see everything.
    pub async fn viewer_frame_all(&self) {
        self.steer(ViewerCommand::FrameAll {}).await;
    }

    async fn steer(&self, wish: ViewerCommand) {
        if !self.inner.around.desktop.steer(wish).await {
            self.set_viewer(None);
        }
    }

    fn set_viewer(&self, shown: Option<ViewerShown>) {
        let mut viewer = lock(&self.inner.viewer);
        if *viewer != shown {
            self.inner.around.events.viewer(shown.as_ref());
            *viewer = shown;
        }
    }
}

/// Follows what the viewer says of `clips`.
fn hear(app: &Weak<Inner>, clips: &[String], event: &ViewerEvent) {
    let Some(inner) = app.upgrade() else { return };
    let app = App { inner };
    let shown = lock(&app.inner.viewer).clone();
    let next = match *event {
        ViewerEvent::Ready { frames, fps, .. } => Some(ViewerShown {
            clips: clips.to_vec(),
            frames,
            fps: u32::from(fps),
            frame: 0,
            playing: true,
            backwards: false,
            layers: lock(&app.inner.looks).clone().unwrap_or_default(),
            compared: 1,
        }),
        ViewerEvent::Frame { index } => shown.map(|shown| ViewerShown { frame: index, ..shown }),
        ViewerEvent::Playing { playing, backwards } => {
            shown.map(|shown| ViewerShown { playing, backwards, ..shown })
        }
        ViewerEvent::Shows { ref layers, with } => {
            let layers: Vec<ViewerLayer> = layers.iter().copied().map(Into::into).collect();
            *lock(&app.inner.looks) = Some(layers.clone());
            shown.map(|shown| ViewerShown { layers, compared: with, ..shown })
        }
        ViewerEvent::Pressed(ref key) => {
            app.inner.around.events.pressed(&key.clone().into());
            shown
        }
        ViewerEvent::Closed {} => None,
        ViewerEvent::Error { .. } => shown,
    };
    app.set_viewer(next);
}
