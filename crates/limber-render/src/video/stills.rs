//! Writes a video as an image sequence: PNG files in a ZIP archive.

use std::io::{Cursor, Seek, Write};

use image::{
    ExtendedColorType, ImageEncoder, RgbaImage,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::{FrameEncoder, VideoError};
use crate::RenderError;

/// Writes `0000.png`, `0001.png` and so on.
pub(super) struct Stills<W: Write + Seek> {
    zip: ZipWriter<W>,
    written: usize,
}

impl<W: Write + Seek> Stills<W> {
    pub(super) fn begin(out: W) -> Self {
        Self { zip: ZipWriter::new(out), written: 0 }
    }
}

impl<W: Write + Seek> FrameEncoder for Stills<W> {
    fn add(&mut self, picture: &RgbaImage) -> Result<(), VideoError> {
        let pixels: Vec<u8> =
            picture.pixels().flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        let mut png = Cursor::new(Vec::new());
        PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Adaptive)
            .write_image(&pixels, picture.width(), picture.height(), ExtendedColorType::Rgb8)
            .map_err(RenderError::from)?;
        // PNGs are compressed already; no timestamp is set, so that the same video gives the same
        // bytes
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        let name = format!("{:04}.png", self.written);
        self.zip.start_file(name, options).map_err(VideoError::packing)?;
        self.zip.write_all(png.get_ref())?;
        self.written += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), VideoError> {
        self.zip.finish().map_err(VideoError::packing)?.flush()?;
        Ok(())
    }
}
