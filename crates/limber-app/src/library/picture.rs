//! Thumbnails in the form that the interface needs.

use base64::{Engine, engine::general_purpose::STANDARD};

use limber_pipeline::picture::Cells;

use crate::views::Picture;

use super::ClipId;

/// Length of a PNG header, through the height in `IHDR`.
const PNG_HEAD_BYTES: usize = 24;
const PNG_MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Encodes an image as a `data:` URL. Only PNG and JPEG are accepted.
pub(crate) fn data_url(bytes: &[u8]) -> Option<String> {
    let kind = if bytes.starts_with(PNG_MAGIC) {
        "png"
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        "jpeg"
    } else {
        return None;
    };
    Some(format!("data:image/{kind};base64,{}", STANDARD.encode(bytes)))
}

/// URL scheme of [`Picture::url`]; the window answers such requests with
/// [`clip_picture`](crate::App::clip_picture).
pub const PICTURE_SCHEME: &str = "picture";

/// Returns the layout of a clip's animated thumbnail, which follows from its length.
pub(crate) fn of_clip(id: &ClipId, clip_frames: u32, clip_fps: u32) -> Picture {
    // WebView2 on Windows exposes custom schemes as hosts
    let url = if cfg!(windows) {
        format!("http://{PICTURE_SCHEME}.localhost/{id}")
    } else {
        format!("{PICTURE_SCHEME}://localhost/{id}")
    };
    let Cells { count, columns, rows } = Cells::of(clip_frames, clip_fps);
    let duration_ms = u64::from(clip_frames.max(1)) * 1000 / u64::from(clip_fps.max(1));
    let duration_ms = u32::try_from(duration_ms).unwrap_or(u32::MAX);
    Picture { url, columns, rows, frames: count, duration_ms }
}

/// Returns whether the data is a PNG with this layout.
pub(crate) fn is_laid_out(png: &[u8], picture: &Picture) -> bool {
    size(png).is_some_and(|(width, height)| {
        width > 0
            && width % picture.columns == 0
            && width / picture.columns * picture.rows == height
    })
}

fn size(png: &[u8]) -> Option<(u32, u32)> {
    let head = png.get(..PNG_HEAD_BYTES)?;
    if !head.starts_with(PNG_MAGIC) || &head[12..16] != b"IHDR" {
        return None;
    }
    let number = |at: usize| head[at..at + 4].try_into().map(u32::from_be_bytes).ok();
    Some((number(16)?, number(20)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = PNG_MAGIC.to_vec();
        bytes.extend([0, 0, 0, 13]);
        bytes.extend(b"IHDR");
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes
    }

    #[test]
    fn preview_cells_follow_from_the_clip() {
        let id = ClipId::parse("job-000000000001.1").expect("an id");
        // 3 s: 24 cells
        let picture = of_clip(&id, 90, 30);
        assert_eq!((picture.columns, picture.rows, picture.frames), (5, 5, 24));
        assert_eq!(
            (picture.duration_ms, picture.url.ends_with("/job-000000000001.1")),
            (3000, true)
        );
        assert!(is_laid_out(&png(5 * 160, 5 * 160), &picture));
        assert!(!is_laid_out(&png(4 * 160, 5 * 160), &picture), "cells of another layout");
        assert!(!is_laid_out(&png(0, 0), &picture) && !is_laid_out(b"GIF89a", &picture));
        assert!(data_url(b"<svg onload=alert(1)>").is_none());
    }
}
