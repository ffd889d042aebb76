//! Encodes a video as H.264 in MP4.

use std::{
    io::{Seek, SeekFrom, Write},
    num::NonZeroU32,
    time::Duration,
};

use image::RgbaImage;
use openh264::{
    OpenH264API, Timestamp,
    encoder::{
        BitRate, Encoder, EncoderConfig, FrameRate, FrameType, IntraFramePeriod, Profile, QpRange,
        RateControlMode, UsageType, VuiConfig,
    },
    formats::YUVSlices,
};
use shiguredo_mp4::{
    TrackKind,
    bitstream::h264::{
        H264NalUnitType, H264SampleEntryConfig, LengthSize, build_avc1_box_from_annexb,
        parse_annexb_nal_units,
    },
    boxes::SampleEntry,
    mux::{Mp4FileMuxer, Mp4FileMuxerOptions, Sample, estimate_maximum_moov_box_size},
};

use super::{FrameEncoder, VideoError, VideoFormat, yuv::Planes};

/// Interval between keyframes, in frames, so that players can seek.
const WHOLE_EVERY: u32 = 60;
/// Target bit rate in bits per pixel; plain backdrops need less.
const BITS_PER_PIXEL: f32 = 0.16;
/// Range of the quantisation parameter; lower is finer. From about 30, block artefacts become
/// visible.
const QUALITY: (u8, u8) = (14, 28);
/// Time units per frame in the track's timescale.
const TICKS: u32 = 512;

/// Encodes and writes frame by frame. Space for the `moov` box is reserved at the front.
pub(super) struct Mp4<W> {
    out: W,
    encoder: Encoder,
    muxer: Mp4FileMuxer,
    planes: Planes,
    per_second: u32,
    written: u32,
    /// Where the next frame is written, in bytes from the start of the file.
    position: u64,
    encoded: Vec<u8>,
    sample: Vec<u8>,
}

impl<W: Write + Seek> Mp4<W> {
    pub(super) fn begin(mut out: W, format: &VideoFormat) -> Result<Self, VideoError> {
        let options = Mp4FileMuxerOptions {
            reserved_moov_box_size: estimate_maximum_moov_box_size(&[format.frames]),
            ..Mp4FileMuxerOptions::default()
        };
        let muxer = Mp4FileMuxer::with_options(options).map_err(VideoError::packing)?;
        out.write_all(muxer.initial_boxes_bytes())?;
        let position = muxer.initial_boxes_bytes().len() as u64;
        let encoder = Encoder::with_api_config(OpenH264API::from_source(), config(format));
        Ok(Self {
            out,
            encoder: encoder.map_err(VideoError::packing)?,
            muxer,
            planes: Planes::new(format.size.width, format.size.height),
            per_second: u32::from(format.fps.get()),
            written: 0,
            position,
            encoded: Vec::new(),
            sample: Vec::new(),
        })
    }

    /// Encodes the current planes. Returns whether the frame is a keyframe.
    fn encode(&mut self) -> Result<bool, VideoError> {
        let Planes { width, height, luma, blue, red } = &self.planes;
        let strides = (*width, width / 2, width / 2);
        let picture = YUVSlices::new((luma, blue, red), (*width, *height), strides);
        let time = Duration::from_secs(self.written.into()) / self.per_second;
        let stream = self.encoder.encode_at(&picture, Timestamp::ZERO + time);
        let stream = stream.map_err(VideoError::packing)?;
        let whole = match stream.frame_type() {
            FrameType::IDR => true,
            FrameType::I | FrameType::P => false,
            other => return Err(VideoError::packing(format!("the encoder answered {other:?}"))),
        };
        self.encoded.clear();
        stream.write_vec(&mut self.encoded);
        Ok(whole)
    }
}

fn config(format: &VideoFormat) -> EncoderConfig {
    let per_second = format.fps.per_second();
    let pixels = (format.size.width * format.size.height) as f32;
    EncoderConfig::new()
        // the only usage type that this encoder starts with
        .usage_type(UsageType::CameraVideoRealTime)
        .rate_control_mode(RateControlMode::Quality)
        .bitrate(BitRate::from_bps((pixels * per_second * BITS_PER_PIXEL) as u32))
        .qp(QpRange::new(QUALITY.0, QUALITY.1))
        .max_frame_rate(FrameRate::from_hz(per_second))
        // otherwise the encoder drops frames
        .skip_frames(false)
        .intra_frame_period(IntraFramePeriod::from_num_frames(WHOLE_EVERY))
        .profile(Profile::High)
        .vui(VuiConfig::bt709())
        // one thread, so that every machine produces the same bytes
        .num_threads(1)
}

impl<W: Write + Seek> FrameEncoder for Mp4<W> {
    fn add(&mut self, picture: &RgbaImage) -> Result<(), VideoError> {
        self.planes.take(picture);
        let whole = self.encode()?;
        self.sample.clear();
        for unit in parse_annexb_nal_units(&self.encoded).map_err(VideoError::packing)? {
            // parameter sets belong in the sample description, not in the samples
            if matches!(unit.nal_unit_type, H264NalUnitType::Sps | H264NalUnitType::Pps) {
                continue;
            }
            let length = u32::try_from(unit.data.len()).map_err(VideoError::packing)?;
            self.sample.extend(length.to_be_bytes());
            self.sample.extend(unit.data);
        }
        let entry = if self.written == 0 {
            let config = H264SampleEntryConfig { length_size: LengthSize::FourBytes };
            let entry = build_avc1_box_from_annexb(&self.encoded, &config);
            Some(SampleEntry::Avc1(entry.map_err(VideoError::packing)?))
        } else {
            None
        };
        self.out.write_all(&self.sample)?;
        let sample = Sample {
            track_kind: TrackKind::Video,
            sample_entry: entry,
            keyframe: whole,
            timescale: NonZeroU32::MIN.saturating_add(self.per_second * TICKS - 1),
            duration: TICKS,
            composition_time_offset: None,
            data_offset: self.position,
            data_size: self.sample.len(),
        };
        self.muxer.append_sample(&sample).map_err(VideoError::packing)?;
        self.position += self.sample.len() as u64;
        self.written += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), VideoError> {
        let ends = self.muxer.finalize().map_err(VideoError::packing)?;
        for (offset, bytes) in ends.offset_and_bytes_pairs() {
            self.out.seek(SeekFrom::Start(offset))?;
            self.out.write_all(bytes)?;
        }
        self.out.flush()?;
        Ok(())
    }
}
