//! Videos of earlier jobs: requests and responses.

use serde::{Deserialize, Serialize};

use super::{JobId, ProcessRequest, Source, VariantId, WireStatus};

/// How the camera moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Camera {
    /// Follows the character and keeps the whole body in view.
    #[default]
    Cinematic,
    /// Does not move, and shows the whole clip.
    Fixed,
    /// Shows face and chest.
    Face,
}

/// Container format of a video.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Container {
    /// MP4 video.
    #[default]
    Mp4,
    /// Animated GIF.
    Gif,
    /// A ZIP with a PNG for each frame.
    Png,
}

impl Container {
    /// Returns the wire value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mp4 => "mp4",
            Self::Gif => "gif",
            Self::Png => "png",
        }
    }

    /// Returns the kind of its file in a download entry.
    #[must_use]
    pub const fn file_kind(self) -> &'static str {
        match self {
            Self::Mp4 => "mp4",
            Self::Gif => "gif",
            Self::Png => "zip",
        }
    }
}

/// A video of an earlier job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Render {
    /// The clip to show.
    pub source: Source,
    /// sRGB colour of the background, or tint of the backdrop; `None` is light grey.
    pub color: Option<[u8; 3]>,
    /// Name of the backdrop; `None` is a plain colour.
    pub backdrop: Option<String>,
    /// Whether the character casts a shadow on the floor.
    pub shadow: bool,
    /// How the camera moves.
    pub camera: Camera,
    /// Camera angle from the character's front towards its left, in degrees, −90 to 90.
    pub angle_deg: f32,
    /// Width in pixels, even, 128 to 3840.
    pub width: u32,
    /// Height in pixels, even, 128 to 3840.
    pub height: u32,
    /// Frames per second: 24, 25, 30, 50 or 60.
    pub fps: u16,
    /// Container format.
    pub container: Container,
}

impl Render {
    /// Returns a video of 1280 × 720 pixels with default settings.
    #[must_use]
    pub const fn new(job: JobId, variant: VariantId) -> Self {
        Self {
            source: Source::whole(job, variant),
            color: None,
            backdrop: None,
            shadow: false,
            camera: Camera::Cinematic,
            angle_deg: 0.0,
            width: 1280,
            height: 720,
            fps: 30,
            container: Container::Mp4,
        }
    }

    /// Converts the request to a request body.
    #[must_use]
    pub fn to_process_request(&self) -> ProcessRequest {
        let mode = match self.camera {
            Camera::Cinematic => 0,
            Camera::Fixed => 1,
            Camera::Face => 2,
        };
        let mut params = vec![
            format!("t2m_rid={}", self.source.job),
            format!("variant_id={}", self.source.variant),
            format!("shadow={}", u8::from(self.shadow)),
            format!("camMode={mode}"),
            format!("camHorizontalAngle={}", self.angle_deg),
            format!("width={}", self.width),
            format!("height={}", self.height),
            format!("fps={}", self.fps),
            format!("container={}", self.container.as_str()),
        ];
        params.extend(self.source.corrections_param());
        if self.source.trim_left + self.source.trim_right > 0 {
            params.push(format!("editRequest={}", self.source.trim()));
        }
        if let Some([red, green, blue]) = self.color {
            params.push(format!("bgColor={red},{green},{blue},255"));
        }
        if let Some(backdrop) = &self.backdrop {
            params.push(format!("backdrop={backdrop}"));
        }
        ProcessRequest { params }
    }
}

/// A video of a variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RenderEntry {
    /// The render job.
    pub rid: JobId,
    /// The variant it shows.
    pub variant_id: VariantId,
    /// The render job's state.
    pub status: WireStatus,
    /// When the render job was submitted.
    pub ctime: i64,
    /// Name of the backdrop; null is a plain colour.
    pub backdrop: Option<String>,
}

/// `GET /job/v1/backdrops`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BackdropList {
    /// Number of entries.
    pub count: usize,
    /// The backdrops, in display order.
    pub backdrops: Vec<BackdropEntry>,
}

/// A backdrop for videos.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BackdropEntry {
    /// Value for the parameter `backdrop`; case is ignored.
    pub name: String,
    /// `3d` has a floor that receives shadows, `2d` is an image.
    pub kind: String,
    /// Signed URL of a thumbnail.
    pub thumb: Option<String>,
}
