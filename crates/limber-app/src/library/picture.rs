//! Pictures as the interface wants them.

use base64::{Engine, engine::general_purpose::STANDARD};

use limber_pipeline::picture::Cells;

use crate::shown::Picture;

/// The first bytes of every PNG, its `IHDR` included up to the height.
const PNG_HEAD_BYTES: usize = 24;
const PNG_MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A picture as `data:` URL. Only PNG and JPEG pass.
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

/// Reads how a moving picture is laid out: the length of the clip tells how many cells there are.
pub(crate) fn read(png: &[u8], clip_frames: u32, clip_fps: u32) -> Option<Picture> {
    let (width, height) = size(png).filter(|&(width, height)| width > 0 && height > 0)?;
    let Cells { count, columns, rows } = Cells::of(clip_frames, clip_fps);
    if width % columns != 0 || width / columns * rows != height {
        return None;
    }
    let duration_ms = u64::from(clip_frames.max(1)) * 1000 / u64::from(clip_fps.max(1));
    let duration_ms = u32::try_from(duration_ms).unwrap_or(u32::MAX);
    Some(Picture { data_url: data_url(png)?, columns, rows, frames: count, duration_ms })
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
    fn the_cells_of_a_moving_picture_follow_from_its_size_and_the_clip() {
        // 3 s: 24 cells
        let picture = read(&png(5 * 160, 5 * 160), 90, 30).expect("a picture");
        assert_eq!((picture.columns, picture.rows, picture.frames), (5, 5, 24));
        assert_eq!(picture.duration_ms, 3000);
        assert!(picture.data_url.starts_with("data:image/png;base64,"));
        assert!(read(&png(4 * 160, 5 * 160), 90, 30).is_none(), "cells of another layout");
    }

    #[test]
    fn what_is_no_picture_is_no_picture() {
        assert!(read(b"GIF89a", 90, 30).is_none());
        assert!(read(&png(0, 0), 90, 30).is_none());
        assert!(data_url(b"<svg onload=alert(1)>").is_none());
    }
}
