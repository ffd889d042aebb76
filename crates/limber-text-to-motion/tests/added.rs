//! Custom actions: performed by their phrases alongside built-in ones, and rejected with their
//! faults.

use limber_animation::{Clip, HumanBone};
use limber_script::Script;
use limber_text_to_motion::{
    ActionFault, ActionFile, ActionFiles, AddedActions, Cancel, ClipEnds, Composer, ComposerWith,
    EngineError, MotionEngine, MotionRequest, Prompt, Seed,
};

const ROWS: &str = include_str!("data/added/actions/space.toml");
const SCORES: &str = include_str!("data/added/scores/space.toml");
/// The documentation page for authors of actions.
const PAGE: &str = include_str!("../../../assets/scores/README.md");

fn files(rows: &str, scores: &str) -> ActionFiles {
    let file = |text: &str| ActionFile { family: "space".to_owned(), text: text.to_owned() };
    ActionFiles { actions: vec![file(rows)], scores: vec![file(scores)] }
}

fn sound() -> AddedActions {
    let (added, faults) = AddedActions::read(&files(ROWS, SCORES));
    assert_eq!(faults, []);
    added
}

fn prompt(text: &str) -> Prompt {
    Prompt::parse(text).expect("a prompt")
}

fn understood(engine: &dyn MotionEngine, text: &str) -> Result<String, EngineError> {
    engine.understand(&prompt(text)).map(|understood| understood.script.to_string())
}

fn made(engine: &dyn MotionEngine, text: &str) -> Clip {
    let request = MotionRequest {
        prompt: prompt(text),
        script: None,
        ends: ClipEnds::default(),
        duration_s: None,
    };
    let made = engine.generate(&request, Seed(1), &Cancel::default(), &mut |_| {});
    made.unwrap_or_else(|error| panic!("{text}: {error}")).clip
}

#[test]
fn added_actions_are_read_along_with_built_in_ones() {
    let engine = ComposerWith::new(sound());
    for (text, script) in [
        ("a person taps the visor", "tap-visor"),
        (
            "a person walks forward, then taps his visor twice with the left hand",
            "walk dir:forward > tap-visor x2 side:left",
        ),
        // "technician" is in no phrase, and the learned reader is not used
        ("a technician scans the crate, then waves", "scan-crate > wave"),
        ("walking while tapping the helmet", "walk + tap-visor"),
        ("a person waves", "wave"),
    ] {
        assert_eq!(understood(&engine, text).expect("it is known"), script, "{text}");
    }
    let ours = understood(&Composer, "a person taps the visor").unwrap_or_default();
    assert!(!ours.contains("visor"), "{ours}");
}

#[test]
fn added_actions_do_not_change_other_prompts() {
    let engine = ComposerWith::new(sound());
    for text in [
        "a tired knight stumbles through the woods and sits down on a rock",
        "she raises her left elbow to the chest, then jumps twice",
        "someone flibbers",
    ] {
        assert_eq!(understood(&engine, text), understood(&Composer, text), "{text}");
    }
}

#[test]
fn scripts_name_added_actions() {
    let script: Script = "v2 tap-visor count:2 > wave".parse().expect("a script");
    let (steps, left_out) =
        ComposerWith::new(sound()).understand_script(&script).expect("both are known");
    assert_eq!((steps.to_string().as_str(), left_out.len()), ("tap-visor x2 > wave", 0));
    let (steps, left_out) = Composer.understand_script(&script).expect("one is known");
    assert_eq!((steps.to_string().as_str(), left_out.len()), ("wave", 1));
}

#[test]
fn added_actions_are_performed_and_the_same_seed_gives_the_same_clip() {
    let engine = ComposerWith::new(sound());
    let text = "a person taps the visor with the right hand";
    let clip = made(&engine, text);
    let skeleton = clip.skeleton();
    let hand = skeleton.find(HumanBone::RightHand).expect("the canonical skeleton has hands");
    let heights = clip.frames().iter().map(|pose| skeleton.world(pose).position(hand).y);
    let highest = heights.fold(0.0, f32::max);
    assert!(highest > 1.4, "the hand comes up to {highest} m");
    assert!(clip == made(&ComposerWith::new(sound()), text), "read again, it is the same");
}

#[test]
fn added_actions_rehearse_without_errors() {
    let added = sound();
    assert_eq!(added.actions().len(), 2);
    for action in added.actions() {
        let rehearsal = Composer.rehearse(*action, Seed(1));
        assert_eq!(rehearsal.faults, Vec::<String>::new(), "{action:?}");
        assert!(rehearsal.seconds.is_some_and(|seconds| (1.0..10.0).contains(&seconds)));
    }
}

#[test]
fn the_example_in_the_authors_page_is_valid() {
    let mut examples = PAGE.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let (rows, scores) = (examples.next().expect("a row"), examples.next().expect("a score"));
    let (added, faults) = AddedActions::read(&files(rows, scores));
    assert_eq!(faults, []);
    let rehearsal = Composer.rehearse(added.actions()[0], Seed(1));
    assert_eq!(rehearsal.faults, Vec::<String>::new());
}

/// A row with a name and phrases, and a score for it.
fn row(name: &str, more: &str) -> String {
    format!("[[action]]\naction = \"{name}\"\nbody = \"upper\"\nnearest = [\"wave\"]\n{more}\n")
}

fn score(name: &str, more: &str) -> String {
    format!("[[score]]\naction = \"{name}\"\n[[score.begin]]\ntakes = 0.5\n{more}\n")
}

const PHRASES: &str = "phrases = [\"zorp\", \"do ~ zorp\"]";
const HAND: &str = "lead = { at = \"chest\", offset = [0, 0, 30] }";

fn faults(rows: &str, scores: &str) -> Vec<String> {
    let (_, faults) = AddedActions::read(&files(rows, scores));
    faults.iter().map(ActionFault::to_string).collect()
}

#[test]
fn row_errors_are_reported_with_their_place() {
    let (good, scores) = (row("zorp", PHRASES), score("zorp", HAND));
    assert_eq!(faults(&good, &scores), [""; 0]);
    let with = |more: &str| row("zorp", &format!("{PHRASES}\n{more}"));
    let said = |phrases: &str| row("zorp", &format!("phrases = [{phrases}]"));
    for (rows, told) in [
        (good.repeat(2), "actions/space.toml:6: zorp: is defined twice."),
        (row("wave", PHRASES), "wave: is the name of an action that comes with Limber."),
        (row("Zorp!", PHRASES), "Zorp!: is not a valid action name."),
        (row("zorp", ""), "zorp: has no phrases."),
        (said("\"zorp\", \"clap\""), "\"clap\" is claimed by clap"),
        (said("\"Zorp\""), "\"Zorp\" is not in lower case."),
        (said("\"zorp\", \"slowly\""), "\"slowly\" already means something else."),
        (said("\"zorp\", \"waves\""), "\"waves\" is read as `wave`."),
        (said("\"blip\""), "is offered to people as \"zorp\""),
        (with("way = \"jump\""), "`way` names a performer that is part of Limber."),
        (with("posture = \"hovering\""), "there is no posture \"hovering\" for `posture`."),
        (with("synonym_of = \"walk\""), "`synonym_of` names an action that is not done"),
        (with("colour = 3"), "actions/space.toml:6: unknown field `colour`"),
        (good.replace("\"wave\"", "\"flibber\""), "\"flibber\" in `nearest` is not an action."),
        (good.replace("[\"wave\"]", "[]"), "`nearest` is empty."),
        (good.replace("upper", "tail"), "actions/space.toml:3: unknown variant `tail`"),
        (good.replace("upper", "locomotion"), "`body` is \"locomotion\""),
    ] {
        let faults = faults(&rows, &scores).join("\n");
        assert!(faults.contains(told), "{told} is missing in:\n{faults}");
    }
    assert!(faults("", "")[0].starts_with("actions: contains no actions."));
}

#[test]
fn score_errors_are_reported_with_their_place() {
    let (rows, good) = (row("zorp", PHRASES), score("zorp", HAND));
    let posture = "[[posture]]\nname = \"hovering\"\n[[posture.enter]]\ntakes = 1\n";
    for (scores, told) in [
        (String::new(), "actions/space.toml:1: zorp: has no score."),
        (score("blip", HAND), "scores/space.toml:1: blip: has no row"),
        (good.repeat(2), "scores/space.toml:6: zorp: has two scores."),
        (score("zorp", "lead = { at = \"wing\" }"), "\"wing\" is not a place on the body."),
        (score("zorp", "pelvis = { down = 900 }"), "PelvisDown is too far"),
        (score("zorp", "takes = 1"), "duplicate key"),
        (good.replace("0.5", "31"), "`takes` 31 is not within"),
        (good.replace("0.5", "0.5\nhold = 30"), "zorp: takes 31 seconds"),
        (format!("{good}{posture}"), "scores/space.toml:6: hovering: is a posture"),
    ] {
        let faults = faults(&rows, &scores).join("\n");
        assert!(faults.contains(told), "{told} is missing in:\n{faults}");
    }
}

#[test]
fn all_errors_are_reported_and_valid_actions_kept() {
    let rows = [
        row("zorp", PHRASES),
        row("blip", "phrases = [\"blip\"]\ncolour = 1"),
        row("flurb", "phrases = [\"flurb\"]"),
    ];
    let scores = [score("zorp", HAND), score("flurb", "lead = { at = \"wing\", shape = \"paw\" }")];
    let (added, faults) = AddedActions::read(&files(&rows.concat(), &scores.concat()));
    let told: Vec<(Option<usize>, Option<&str>)> =
        faults.iter().map(|fault| (fault.line, fault.action.as_deref())).collect();
    // an unknown place, an unknown shape, and a hand without a position
    let flurb = (Some(6), Some("flurb"));
    assert_eq!(told, [(Some(11), None), flurb, flurb, flurb]);
    let names: Vec<&str> = added.actions().iter().map(|action| action.name()).collect();
    assert_eq!(names, ["zorp"]);
}
