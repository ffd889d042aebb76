//! Videos of clips: previews, submission, and where they are saved.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use limber_client::motion::{Camera, Container, FetchLimits, MotionError, Render, VariantId};
use limber_pipeline::{backdrops, video};

use super::{App, Services, edits::source, prices::agree};
use crate::{
    AppError, Doing, ErrorCode, MessageView, Notice, SaveAs,
    error::sentence,
    journal::{Entry, OriginalRequest, Outcome, VideoDestination},
    library::{Clip, ClipId, Origin, data_url},
    views::{
        Backdrop, ChangeKind, Credits, JobView, RenderRequest, SaveFormat, VideoCamera, VideoFormat,
    },
};

/// Default background: a light grey.
const GREY: [u8; 3] = [230; 3];
/// Width of a preview, pixels.
const STILL_WIDTH: u32 = 640;
/// Size limit for a downloaded video, bytes.
const LARGEST_VIDEO_BYTES: u64 = 4 << 30;
/// The service's size limit for backdrop thumbnails.
const LARGEST_PICTURE_BYTES: u64 = 1 << 20;

impl App {
    /// Lists all backdrops, with thumbnails.
    ///
    /// # Errors
    /// If nobody is signed in or the service does not answer.
    pub async fn backdrops(&self) -> Result<Vec<Backdrop>, AppError> {
        let services = self.services_of_signed_in()?;
        let mut backdrops = Vec::new();
        for entry in services.motion.backdrops().await? {
            let picture = self.backdrop_picture(&services, &entry.name, entry.thumb).await;
            let name = sentence(&entry.name.replace(['-', '_'], " "));
            let name = name.trim_end_matches('.').to_owned();
            backdrops.push(Backdrop { id: entry.name, name, picture });
        }
        Ok(backdrops)
    }

    async fn backdrop_picture(
        &self,
        services: &Services,
        name: &str,
        url: Option<String>,
    ) -> Option<String> {
        if let Some(known) = backdrops::find(name) {
            return data_url(known.thumb);
        }
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        let kept = self.inner.folders.pictures().join(format!("backdrop-{name}"));
        if !is_plain {
            return None;
        }
        if !kept.exists() {
            let limits = FetchLimits { bytes: LARGEST_PICTURE_BYTES, ..FetchLimits::default() };
            services.motion.fetch(&url?, &kept, limits).await.ok()?;
        }
        data_url(&tokio::fs::read(&kept).await.ok()?)
    }

    /// Renders a preview of the video at the given frame of the untrimmed clip on this computer,
    /// and returns it as a data URL.
    ///
    /// # Errors
    /// If the clip no longer exists or is damaged, the request is invalid, or this computer cannot
    /// render.
    pub async fn video_still(
        &self,
        request: RenderRequest,
        frame: u32,
    ) -> Result<String, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(&request.clip.id)?)?;
        let mut order = order(&request, &clip)?;
        let shrink = f64::from(STILL_WIDTH.min(order.width)) / f64::from(order.width);
        let even = |side: u32| ((f64::from(side) * shrink / 2.0).round() as u32 * 2).max(128);
        (order.width, order.height) = (even(order.width), even(order.height));
        let shown = frame.saturating_sub(request.clip.trim_left);
        let picture = shown as usize * usize::from(order.fps) / clip.fps.max(1) as usize;
        self.draw(move |app| {
            let glb = app.inner.library.seen(&clip, SaveFormat::Glb)?;
            let png = video::still(&glb, &order, picture).map_err(undrawn)?;
            data_url(&png).ok_or_else(|| undrawn("the image cannot be decoded"))
        })
        .await
        .map_err(undrawn)?
    }

    /// Asks where to save a video and submits it if it costs no more than `agreed`. It is saved
    /// there when it is done. Returns `None` if the user cancelled the dialog.
    ///
    /// # Errors
    /// [`ErrorCode::DearerThanAgreed`]; also if the studio no longer has the clip, or the request
    /// is invalid.
    pub async fn render_video(
        &self,
        request: RenderRequest,
        agreed: Credits,
    ) -> Result<Option<JobView>, AppError> {
        let services = self.services_of_signed_in()?;
        let clip = self.inner.library.find(&ClipId::parse(&request.clip.id)?)?;
        agree(&self.dry_run_render(&services, &request).await?, agreed)?;
        let ending = request.container.ending();
        let question = SaveAs { file_name: format!("{}.{ending}", clip.file_stem()), ending };
        let Some(mut to) = self.inner.environment.desktop.ask_where_to_save(question).await else {
            return Ok(None);
        };
        if to.extension().is_none() {
            to.set_extension(ending);
        }
        self.submit_render(request, to).await.map(Some)
    }

    /// Submits a video whose price was accepted and whose location is known.
    pub(super) async fn submit_render(
        &self,
        request: RenderRequest,
        to: PathBuf,
    ) -> Result<JobView, AppError> {
        let services = self.services_of_signed_in()?;
        let clip = self.inner.library.find(&ClipId::parse(&request.clip.id)?)?;
        let render = self.render_job(&request, &clip)?;
        let key = self.idempotency_key(&services.studio, "render", &render.to_process_request());
        let submitted = services.motion.render(&render, Some(key.as_str())).await;
        self.record_response(key, &submitted);
        let submitted = submitted.map_err(refused)?;
        let entry = Entry {
            id: submitted.job,
            studio: services.studio.clone(),
            prompt: clip.prompt.clone(),
            name: None,
            character_id: clip.character_id.clone(),
            character_name: clip.character_name.clone(),
            variants: 1,
            made_at: self.inner.environment.clock.now(),
            origin: Some(Origin::new(vec![clip.id.clone()], ChangeKind::Rendered)),
            video: Some(VideoDestination { to, kind: render.container.file_kind().to_owned() }),
            asked: None,
            warnings: submitted.messages.iter().map(MessageView::from).collect(),
            outcome: Outcome::Open,
        };
        self.add_job(entry.with_request(OriginalRequest::Render(request)))
    }

    /// Builds the service request of a video, with the clip's current corrections.
    pub(super) fn render_job(
        &self,
        request: &RenderRequest,
        clip: &Clip,
    ) -> Result<Render, AppError> {
        let mut render = render(request, clip)?;
        render.source.corrections = self.inner.library.corrections_to_send(&clip.id)?;
        Ok(render)
    }

    /// Downloads a finished video and saves it where the user asked for.
    pub(super) async fn fetch_video(
        &self,
        services: &Arc<Services>,
        entry: &Entry,
        destination: &VideoDestination,
    ) -> Result<Outcome, MotionError> {
        let links = services.motion.links(&entry.id, VariantId::FIRST).await?;
        let Some(url) = links.url(&destination.kind) else {
            return Ok(Outcome::failed(Notice::VideoRemoved));
        };
        let kept = self.inner.folders.videos().join(format!("{}.{}", entry.id, destination.kind));
        let limits = FetchLimits { bytes: LARGEST_VIDEO_BYTES, ..FetchLimits::default() };
        services.motion.fetch(url, &kept, limits).await?;
        let (from, to) = (kept.clone(), destination.to.clone());
        let saved = tokio::task::spawn_blocking(move || hand_over(&from, &to)).await;
        if let Err(error) = saved.unwrap_or_else(|_| Err(io::Error::other("stopped"))) {
            let why = AppError::disk(Doing::SaveVideo, &error);
            let message = Notice::VideoStays { why: Box::new(why.message) }.into();
            let told = AppError { message, ..why };
            let place = self.saved_folder_id(&self.inner.folders.videos());
            self.inner.environment.events.stranded(&told, place);
            return Ok(Outcome::of(told));
        }
        self.inner.environment.events.saved(&self.saved(&destination.to));
        Ok(Outcome::Done)
    }
}

impl VideoFormat {
    const fn container(self) -> Container {
        match self {
            Self::Mp4 => Container::Mp4,
            Self::Gif => Container::Gif,
            Self::Png => Container::Png,
        }
    }

    /// Returns the file extension.
    const fn ending(self) -> &'static str {
        self.container().file_kind()
    }
}

/// Moves a file atomically, also to another disk.
fn hand_over(from: &Path, to: &Path) -> io::Result<()> {
    if fs::rename(from, to).is_ok() {
        return Ok(());
    }
    let mut name = to.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let fresh: PathBuf = to.with_file_name(name);
    let copied = fs::copy(from, &fresh).and_then(|_| fs::File::open(&fresh)?.sync_all());
    if let Err(error) = copied.and_then(|()| fs::rename(&fresh, to)) {
        let _ = fs::remove_file(&fresh);
        return Err(error);
    }
    fs::remove_file(from)
}

/// Builds the service's render request.
fn render(request: &RenderRequest, clip: &Clip) -> Result<Render, AppError> {
    let order = order(request, clip)?;
    Ok(Render {
        color: request.color.as_ref().map(|_| order.color),
        backdrop: order.backdrop,
        shadow: order.shadow,
        camera: match request.camera {
            VideoCamera::Cinematic => Camera::Cinematic,
            VideoCamera::Fixed => Camera::Fixed,
            VideoCamera::Face => Camera::Face,
        },
        angle_deg: order.angle_deg,
        width: order.width,
        height: order.height,
        fps: order.fps,
        container: request.container.container(),
        source: source(clip, &request.clip)?,
    })
}

/// Builds the pipeline's video request.
fn order(request: &RenderRequest, clip: &Clip) -> Result<video::VideoRequest, AppError> {
    let source = source(clip, &request.clip)?;
    let order = video::VideoRequest {
        width: request.width,
        height: request.height,
        fps: request.fps,
        first_frame: source.trim_left as usize,
        clip_frames: (clip.frames - source.trim_left - source.trim_right) as usize,
        clip_fps: u16::try_from(clip.fps).unwrap_or(30),
        camera: match request.camera {
            VideoCamera::Cinematic => video::Camera::Cinematic,
            VideoCamera::Fixed => video::Camera::Fixed,
            VideoCamera::Face => video::Camera::Face,
        },
        angle_deg: request.angle_deg,
        color: request.color.as_deref().map_or(Ok(GREY), color)?,
        backdrop: request.backdrop.clone(),
        shadow: request.shadow,
        container: match request.container {
            VideoFormat::Mp4 => video::Container::Mp4,
            VideoFormat::Gif => video::Container::Gif,
            VideoFormat::Png => video::Container::Png,
        },
    };
    order.check().map_err(|(_, words)| bad(MessageView::words(&words)))?;
    Ok(order)
}

fn color(text: &str) -> Result<[u8; 3], AppError> {
    let wrong = || bad(Notice::NoColour);
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6).ok_or_else(wrong)?;
    let number = u32::from_str_radix(digits, 16).map_err(|_| wrong())?;
    let [_, red, green, blue] = number.to_be_bytes();
    Ok([red, green, blue])
}

fn bad(words: impl Into<MessageView>) -> AppError {
    AppError::new(ErrorCode::BadInput, words)
}

fn undrawn(why: impl std::fmt::Display) -> AppError {
    let message = Notice::VideoPreviewNotRendered;
    AppError::new(ErrorCode::ViewerFailed, message).with_detail(why.to_string())
}

/// Converts a service error; a clip that the service does not have cannot be rendered there.
pub(super) fn refused(error: MotionError) -> AppError {
    match error.kind() {
        Some("job_not_found" | "gone") => {
            AppError::new(ErrorCode::NotFound, Notice::VideoSourceGone)
        }
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_the_web_writes_them() {
        assert_eq!(color("#8fb8ff").expect("a colour"), [0x8f, 0xb8, 0xff]);
        for wrong in ["", "8fb8ff", "#8fb8f", "#8fb8fg", "#8fb8ff00"] {
            assert!(color(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_video_is_saved_completely_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("job.mp4"), folder.path().join("mine.mp4"));
        fs::write(&from, b"video").expect("made");
        hand_over(&from, &to).expect("handed over");
        assert!(!from.exists());
        assert_eq!(fs::read(&to).expect("it exists"), b"video");
        hand_over(&to, &folder.path().join("nowhere/mine.mp4"))
            .expect_err("there is no such folder");
        assert_eq!(fs::read(&to).expect("still there"), b"video");
    }
}
