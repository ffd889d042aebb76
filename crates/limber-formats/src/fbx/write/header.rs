//! Writes the metadata before and after the objects: version, axes, unit, frame rate.

use glam::DVec3;

use super::{
    Timing,
    properties::{choice, double, fixed_color, int, object, path, properties, text, time},
    record::{CREATION_TIME, FILE_ID, Record, VERSION},
    scene::Id,
};

const CREATOR: &str = "Limber";
/// `FbxTime::eCustom`: the rate is in `CustomFrameRate`.
const CUSTOM_FRAME_RATE: i32 = 14;
/// `FbxTime::eDefaultProtocol`.
const DEFAULT_TIME_PROTOCOL: i32 = 2;

/// Returns the records before the objects.
pub(super) fn opening(timing: &Timing, stack: &str) -> Vec<Record> {
    vec![
        extension(),
        Record::leaf("FileId", FILE_ID.to_vec()),
        Record::leaf("CreationTime", CREATION_TIME),
        Record::leaf("Creator", CREATOR),
        global_settings(timing),
        documents(stack),
        Record::new("References"),
    ]
}

fn extension() -> Record {
    let stamp = ["Month", "Day"].map(|name| Record::leaf(name, 1));
    let clock = ["Hour", "Minute", "Second", "Millisecond"].map(|name| Record::leaf(name, 0));
    let meta = ["Title", "Subject", "Author", "Keywords", "Revision", "Comment"]
        .map(|name| Record::leaf(name, ""));
    let program =
        ["Original|ApplicationVendor", "Original|ApplicationName"].map(|name| text(name, CREATOR));
    let last = ["LastSaved|ApplicationVendor", "LastSaved|ApplicationName"]
        .map(|name| text(name, CREATOR));
    let scene_info =
        Record::new("SceneInfo").value("GlobalInfo\0\x01SceneInfo").value("UserData").nest([
            Record::leaf("Type", "UserData"),
            Record::leaf("Version", 100),
            Record::new("MetaData").nest([Record::leaf("Version", 100)]).nest(meta),
            properties(
                [path("DocumentUrl", ""), path("SrcDocumentUrl", "")]
                    .into_iter()
                    .chain(program)
                    .chain(last),
            ),
        ]);
    Record::new("FBXHeaderExtension").nest([
        Record::leaf("FBXHeaderVersion", 1003),
        Record::leaf("FBXVersion", VERSION),
        Record::leaf("EncryptionType", 0),
        Record::new("CreationTimeStamp")
            .nest([Record::leaf("Version", 1000), Record::leaf("Year", 1970)])
            .nest(stamp)
            .nest(clock),
        Record::leaf("Creator", CREATOR),
        scene_info,
    ])
}

/// Y up, front +Z, right-handed; one unit is one centimetre.
fn global_settings(timing: &Timing) -> Record {
    Record::new("GlobalSettings").nest([
        Record::leaf("Version", 1000),
        properties([
            int("UpAxis", 1),
            int("UpAxisSign", 1),
            int("FrontAxis", 2),
            int("FrontAxisSign", 1),
            int("CoordAxis", 0),
            int("CoordAxisSign", 1),
            int("OriginalUpAxis", 1),
            int("OriginalUpAxisSign", 1),
            double("UnitScaleFactor", 1.0),
            double("OriginalUnitScaleFactor", 1.0),
            fixed_color("AmbientColor", DVec3::ZERO),
            text("DefaultCamera", "Producer Perspective"),
            choice("TimeMode", CUSTOM_FRAME_RATE),
            choice("TimeProtocol", DEFAULT_TIME_PROTOCOL),
            choice("SnapOnFrameMode", 0),
            time("TimeSpanStart", 0),
            time("TimeSpanStop", timing.last()),
            double("CustomFrameRate", timing.frames_per_second()),
            int("CurrentTimeMarker", -1),
        ]),
    ])
}

fn documents(stack: &str) -> Record {
    let document = Record::new("Document").value(Id::DOCUMENT).value("").value("Scene").nest([
        properties([object("SourceObject"), text("ActiveAnimStackName", stack)]),
        Record::leaf("RootNode", Id::SCENE),
    ]);
    Record::new("Documents").nest([Record::leaf("Count", 1), document])
}

/// Returns the record after the objects, where older readers look for animations.
pub(super) fn takes(timing: &Timing, stack: &str) -> Record {
    let span = |name| Record::leaf(name, 0_i64).value(timing.last());
    let take = (!stack.is_empty()).then(|| {
        Record::leaf("Take", stack).nest([
            Record::leaf("FileName", format!("{stack}.tak")),
            span("LocalTime"),
            span("ReferenceTime"),
        ])
    });
    Record::new("Takes").nest([Record::leaf("Current", stack)]).nest(take)
}
