//! The parameters of a render job; see "Rendering a video" in `docs/src/motion-http.md`.

use limber_api::motion::{Message, VariantId};
use limber_domain::limits::{VIDEO_FRAME_RATES, listed};
use limber_pipeline::{
    backdrops,
    corrections::Corrections,
    video::{Camera, Container, MAX_ANGLE, SIDES, VideoRequest},
};

use super::{
    ParameterError, RawParameters,
    check::Check,
    corrections::{self, CORRECTIONS},
    object::RequestObject,
    text_value, values,
};

/// All parameters of a render job, in the order of the specification.
const KNOWN: [&str; 13] = [
    "t2m_rid",
    "variant_id",
    TRIM,
    "bgColor",
    "backdrop",
    "shadow",
    "camMode",
    "camHorizontalAngle",
    "width",
    "height",
    "fps",
    "container",
    CORRECTIONS,
];

/// The parameter that trims the clip; same name as in edits.
const TRIM: &str = "editRequest";
/// Error code for invalid values.
const BAD: u16 = 1102;
/// Error code for an unknown backdrop.
const NO_BACKDROP: u16 = 1107;
/// Error code for a missing or invalid source.
const NO_SOURCE: u16 = 494;

/// A requested video, whose clip has not been looked up yet.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RequestedVideo {
    pub(crate) variant: VariantId,
    /// Frames to cut off at the beginning and at the end.
    pub(crate) trim: [u64; 2],
    /// The video; length and frame rate of its clip are not filled in yet.
    pub(crate) video: VideoRequest,
    /// Manual corrections of the clip; `None` keeps those of its job.
    pub(crate) corrections: Option<Corrections>,
    pub(crate) warnings: Vec<Message>,
}

impl RawParameters {
    /// Returns the id of the source job as given, which may be invalid.
    pub(crate) fn render_source(&self) -> Option<String> {
        self.get("t2m_rid").map(|text| text_value(text).trim().to_owned())
    }

    /// Checks all values.
    pub(crate) fn validate_render(&self) -> Result<RequestedVideo, ParameterError> {
        let mut check = Check::of(self);
        for problem in &mut check.problems {
            problem.code = BAD;
        }
        if self.render_source().is_none() {
            let message = "t2m_rid is missing; name the job whose motion to render";
            check.problem("t2m_rid", NO_SOURCE, message);
        }
        let variant = check.value("variant_id", NO_SOURCE, "a whole number from 1", |value| {
            value.trim_matches('"').parse().ok().and_then(VariantId::new)
        });
        let trim = trim(&mut check);
        let corrections = corrected(&mut check);
        let painted = backdrop(&mut check);
        let mut video = VideoRequest {
            backdrop: painted,
            color: background(&mut check).unwrap_or([200; 3]),
            shadow: check.switch("shadow", BAD).unwrap_or(false),
            camera: check.value("camMode", BAD, CAMERAS, camera).unwrap_or(Camera::Cinematic),
            angle_deg: check.value("camHorizontalAngle", BAD, ANGLE, angle).unwrap_or(0.0),
            width: side(&mut check, "width").unwrap_or(1280),
            height: side(&mut check, "height").unwrap_or(720),
            fps: check.value("fps", BAD, &listed(&VIDEO_FRAME_RATES), rate).unwrap_or(30),
            container: container(&mut check),
            first_frame: 0,
            clip_frames: 0,
            clip_fps: 30,
        };
        if let (true, Err((param, message))) = (check.problems.is_empty(), video.check()) {
            check.problem(param, BAD, message);
        }
        if !check.problems.is_empty() {
            return Err(ParameterError { problems: check.sorted(&KNOWN) });
        }
        let mut warnings = Vec::new();
        let flat = video.backdrop.as_deref().is_some_and(|name| name != "studio");
        if video.shadow && flat {
            video.shadow = false;
            warnings.push(Message::NoFloorForShadow);
        }
        warnings.extend(self.unknown_names(&KNOWN));
        let variant = variant.unwrap_or(VariantId::FIRST);
        Ok(RequestedVideo { variant, trim, video, corrections, warnings })
    }
}

fn trim(check: &mut Check<'_>) -> [u64; 2] {
    let Some(text) = check.raw.get(TRIM) else { return [0, 0] };
    let frames = RequestObject::read(TRIM, text).and_then(|object| object.trim());
    frames.unwrap_or_else(|message| {
        check.problem(TRIM, BAD, message);
        [0, 0]
    })
}

fn corrected(check: &mut Check<'_>) -> Option<Corrections> {
    let read = corrections::read(CORRECTIONS, check.raw.get(CORRECTIONS)?);
    read.map_err(|message| check.problem(CORRECTIONS, BAD, message)).ok()
}

const COLOR: &str = "R,G,B or R,G,B,A: whole numbers from 0 to 255, for example 200,200,200,255";
const CAMERAS: &str = "0 (cinematic), 1 (fixed) or 2 (face)";
const ANGLE: &str = "a number from -90 to 90 degrees";

/// Parses the background colour. Unlike for other parameters, an empty value is an error.
fn background(check: &mut Check<'_>) -> Option<[u8; 3]> {
    if check.raw.values.get("bgColor").is_some_and(|value| value.trim().is_empty()) {
        check.problem("bgColor", BAD, format!("bgColor must be {COLOR}"));
        return None;
    }
    check.value("bgColor", BAD, COLOR, color)
}

fn color(value: &str) -> Option<[u8; 3]> {
    let bands: Option<Vec<u8>> =
        value.trim_matches('"').split(',').map(|band| band.trim().parse().ok()).collect();
    // alpha is ignored
    match bands?[..] {
        [red, green, blue] | [red, green, blue, _] => Some([red, green, blue]),
        _ => None,
    }
}

fn camera(value: &str) -> Option<Camera> {
    match value {
        "0" => Some(Camera::Cinematic),
        "1" => Some(Camera::Fixed),
        "2" => Some(Camera::Face),
        _ => None,
    }
}

fn angle(value: &str) -> Option<f32> {
    values::decimal(value).filter(|angle| (-MAX_ANGLE..=MAX_ANGLE).contains(angle))
}

fn rate(value: &str) -> Option<u16> {
    value.parse().ok().filter(|fps| VIDEO_FRAME_RATES.contains(fps))
}

fn side(check: &mut Check<'_>, param: &str) -> Option<u32> {
    let [least, most] = SIDES;
    let read = |value: &str| {
        value.parse().ok().filter(|side| (least..=most).contains(side) && side % 2 == 0)
    };
    check.value(param, BAD, &format!("an even number from {least} to {most}"), read)
}

/// Parses the name of a backdrop, ignoring differences in spelling; `None` if there is none.
fn backdrop(check: &mut Check<'_>) -> Option<String> {
    let wanted = text_value(check.raw.get("backdrop")?);
    let found = backdrops::find(&wanted).map(|known| known.name.to_owned());
    if found.is_none() {
        let message = "there is no such backdrop; GET /job/v1/backdrops lists the available ones";
        check.problem("backdrop", NO_BACKDROP, message);
    }
    found
}

fn container(check: &mut Check<'_>) -> Container {
    let Some(word) = check.raw.get("container") else { return Container::Mp4 };
    let found = Container::ALL.into_iter().find(|kind| kind.word() == word);
    found.unwrap_or_else(|| {
        let message = match word {
            "webm" => {
                "webm needs a VP8 or VP9 encoder, which this service does not have; use mp4, \
                gif or png"
            }
            _ => "container must be mp4, gif or png",
        };
        check.problem("container", BAD, message);
        Container::Mp4
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn validate(params: &[&str]) -> Result<RequestedVideo, ParameterError> {
        let all = [&["t2m_rid=0123456789abcdef"], params].concat();
        RawParameters::read(&json!({ "params": all })).expect("well formed").validate_render()
    }

    fn complaint(param: &str) -> (String, u16, String) {
        let problems = validate(&[param]).expect_err(param).problems;
        (problems[0].param.clone(), problems[0].code, problems[0].message.clone())
    }

    #[test]
    fn omitted_parameters_have_defaults() {
        let requested = validate(&[]).expect("nothing is wrong");
        let VideoRequest { width, height, fps, color, ref backdrop, shadow, .. } = requested.video;
        assert_eq!((width, height, fps, color), (1280, 720, 30, [200; 3]));
        assert_eq!((backdrop, shadow, requested.variant), (&None, false, VariantId::FIRST));
        assert_eq!(requested.video.camera, Camera::Cinematic);
    }

    #[test]
    fn colours_may_have_spaces_and_an_ignored_alpha() {
        for text in ["bgColor=1, 2 ,3", "bgColor=1,2,3,0", "bgColor=\"1,2,3,255\""] {
            assert_eq!(validate(&[text]).expect(text).video.color, [1, 2, 3], "{text}");
        }
    }

    #[test]
    fn trimmed_ends_use_the_names_of_edits() {
        let requested = validate(&[r#"editRequest={"numTrimLeft":"3","numTrimRight":7}"#]);
        assert_eq!(requested.expect("nothing is wrong").trim, [3, 7]);
        assert_eq!(validate(&[]).expect("nothing is wrong").trim, [0, 0]);
    }

    #[test]
    fn every_error_names_its_parameter_and_code() {
        for (param, name) in [
            ("bgColor=", "bgColor"),
            ("bgColor= ", "bgColor"),
            ("bgColor=\"\"", "bgColor"),
            ("bgColor=1,2", "bgColor"),
            ("bgColor=1,2,256", "bgColor"),
            ("bgColor=1,2,3,4,5", "bgColor"),
            ("shadow=yes", "shadow"),
            ("camMode=3", "camMode"),
            ("camHorizontalAngle=90.5", "camHorizontalAngle"),
            ("camHorizontalAngle=NaN", "camHorizontalAngle"),
            ("width=127", "width"),
            ("width=3842", "width"),
            ("height=721", "height"),
            ("fps=29", "fps"),
            ("container=avi", "container"),
            ("container=webm", "container"),
            ("editRequest=5", "editRequest"),
            (r#"editRequest={"numTrimLeft":-1}"#, "editRequest"),
        ] {
            let (blamed, code, _) = complaint(param);
            assert_eq!((blamed.as_str(), code), (name, 1102), "{param}");
        }
        assert!(complaint("container=webm").2.contains("VP9"));
        assert_eq!(complaint("backdrop=Moon").1, 1107);
        assert_eq!(complaint("variant_id=0").1, 494);
        let both = validate(&["width=3840", "height=3840"]).expect_err("too large for mp4");
        assert_eq!((both.problems[0].param.as_str(), both.problems[0].code), ("container", 1102));
        assert!(validate(&["container=gif", "fps=60"]).is_err());
    }

    #[test]
    fn backdrop_names_ignore_spelling_and_flat_ones_have_no_shadow() {
        let requested = validate(&["backdrop=sakura_DREAMSCAPE", "shadow=1"]).expect("it exists");
        assert_eq!(requested.video.backdrop.as_deref(), Some("Sakura_Dreamscape"));
        assert!(
            !requested.video.shadow && requested.warnings.len() == 1,
            "{:?}",
            requested.warnings
        );
        let requested = validate(&["backdrop=Studio", "shadow=1"]).expect("it exists");
        assert!(requested.video.shadow && requested.warnings.is_empty());
    }
}
