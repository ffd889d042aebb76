//! Films of earlier jobs: as a client asks for them, and what it is told.

use serde::{Deserialize, Serialize};

use super::{JobId, ProcessRequest, Source, VariantId, WireStatus};

/// How the camera moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Camera {
    /// Goes along and keeps the whole body in the picture.
    #[default]
    Cinematic,
    /// Stands still and has the whole clip in the picture.
    Fixed,
    /// Looks at face and chest.
    Face,
}

/// What a film is packed into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Container {
    /// Video.
    #[default]
    Mp4,
    /// A moving picture.
    Gif,
    /// A ZIP with a PNG for each picture.
    Png,
}

impl Container {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mp4 => "mp4",
            Self::Gif => "gif",
            Self::Png => "png",
        }
    }

    /// The kind of the file that a download entry names.
    #[must_use]
    pub const fn file_kind(self) -> &'static str {
        match self {
            Self::Mp4 => "mp4",
            Self::Gif => "gif",
            Self::Png => "zip",
        }
    }
}

/// A film of an earlier job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Render {
    /// The motion that is shown.
    pub source: Source,
    /// sRGB, of what is behind the character or tints it; `None` is a light grey.
    pub color: Option<[u8; 3]>,
    /// What is behind the character; `None` is one colour.
    pub backdrop: Option<String>,
    /// Whether a shadow falls on the floor.
    pub shadow: bool,
    /// How the camera moves.
    pub camera: Camera,
    /// From the character's front towards its left, degrees from −90 to 90.
    pub angle_deg: f32,
    /// Pixels, even, 128 to 3840.
    pub width: u32,
    /// Pixels, even, 128 to 3840.
    pub height: u32,
    /// 24, 25, 30, 50 or 60.
    pub fps: u16,
    /// What it is packed into.
    pub container: Container,
}

impl Render {
    /// A video of 1280 × 720 pixels with everything at its usual setting.
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

    /// As the wire wants it.
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

/// A film of a variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RenderEntry {
    /// The render job.
    pub rid: JobId,
    /// What it shows.
    pub variant_id: VariantId,
    /// The render job's state.
    pub status: WireStatus,
    /// When it was made.
    pub ctime: i64,
    /// What is behind the character; null is one colour.
    pub backdrop: Option<String>,
}

/// `GET /job/v1/backdrops`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BackdropList {
    /// How many entries.
    pub count: usize,
    /// In the order they are shown.
    pub backdrops: Vec<BackdropEntry>,
}

/// What can stand behind a character in a film.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BackdropEntry {
    /// The value of `backdrop`, in any spelling.
    pub name: String,
    /// `3d` has a floor on which shadows fall, `2d` is a picture.
    pub kind: String,
    /// Signed URL of a picture.
    pub thumb: Option<String>,
}
