//! Pictures as the interface wants them.

use base64::{Engine, engine::general_purpose::STANDARD};

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

/// Reads how many frames a moving picture holds. Its frames are squares in rows of
/// [`COLUMNS`]; the last row may be short, and then its rest repeats nothing and is empty.
pub(crate) fn read(png: &[u8], clip_frames: u32, clip_fps: u32) -> Option<Picture> {
    let (width, height) = size(png)?;
    let edge = width / COLUMNS;
    if edge == 0 || height < edge {
        return None;
    }
    let rows = height / edge;
    let frames = (rows * COLUMNS).min(clip_frames.max(1));
    // the frames are spread evenly over the clip
    let duration_s = f64::from(clip_frames.max(1)) / f64::from(clip_fps.max(1));
    let fps = (f64::from(frames) / duration_s).round().clamp(1.0, 60.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 60")]
    let fps = fps as u32;
    Some(Picture { data_url: data_url(png)?, columns: COLUMNS, rows, frames, fps })
}

/// Frames in a row of a moving picture.
const COLUMNS: u32 = 6;

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
    fn the_rows_of_a_moving_picture_are_counted_and_it_lasts_as_long_as_the_clip() {
        let picture = read(&png(6 * 160, 4 * 160), 90, 30).expect("a picture");
        assert_eq!((picture.columns, picture.rows, picture.frames), (6, 4, 24));
        assert_eq!(picture.fps, 8);
        assert!(picture.data_url.starts_with("data:image/png;base64,"));
    }

    #[test]
    fn what_is_no_picture_is_no_picture() {
        assert!(read(b"GIF89a", 90, 30).is_none());
        assert!(read(&png(0, 0), 90, 30).is_none());
        assert!(data_url(b"<svg onload=alert(1)>").is_none());
    }
}
