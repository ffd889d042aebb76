//! Checks that the same seed gives the same bytes by making every prompt's files twice. The printed
//! hashes depend on the build; another build of the same sources on the same computer prints the
//! same.

use limber_animation::Character;
use limber_domain::hex;
use limber_pipeline::{
    Cancel, Composer, FileKind, Options, OutputFile, PipelineError, Prompt, Request, Seed, run,
};
use sha2::{Digest, Sha256};

use crate::prompts;

/// The formats that are hashed.
const KINDS: [FileKind; 3] = [FileKind::Glb, FileKind::Fbx, FileKind::Bvh];

/// Makes every prompt twice. Returns whether the files were identical.
pub(crate) fn judge(character: &Character) -> bool {
    let mut sums = KINDS.map(|_| Sha256::new());
    let (mut made, mut differ) = (0, Vec::new());
    for expected in prompts() {
        let (Ok(once), Ok(again)) =
            (files(&expected.say, character), files(&expected.say, character))
        else {
            continue;
        };
        made += 1;
        if once != again {
            differ.push(expected.say.as_str());
        }
        for (sum, kind) in sums.iter_mut().zip(KINDS) {
            let of_kind = once.iter().filter(|file| file.kind == kind);
            of_kind.for_each(|file| sum.update(&file.bytes));
        }
    }
    println!("\nbytes of the files of {made} prompts, seed 1, each made twice");
    for (sum, kind) in sums.into_iter().zip(KINDS) {
        println!("  {:<4} {}", kind.extension(), hex(&sum.finalize()[..12]));
    }
    for prompt in &differ {
        println!("  {prompt}: the second time differs");
    }
    println!("  {}", if differ.is_empty() { "equal" } else { "MISSED" });
    differ.is_empty()
}

fn files(prompt: &str, character: &Character) -> Result<Vec<OutputFile>, PipelineError> {
    let prompt = Prompt::parse(prompt).expect("the set contains prompts");
    let options = Options { formats: KINDS.to_vec(), ..Options::default() };
    let request = Request { options, ..Request::new(prompt, Seed(1)) };
    Ok(run(&request, &Composer, character, &Cancel::default(), &mut |_| {})?.files)
}
