//! argon2 with memory that each thread reuses. Allocating memory for every hash would cost a tenth
//! of the time, and the allocator would retain far more of it than is in use.

use std::cell::RefCell;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::password_hash::{Error, Result};
use argon2::{Algorithm, Argon2, Block, Params, Version};

thread_local! {
    static MEMORY: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
}

/// Hashes a password with the library's default parameters.
pub(super) fn hash(password: &[u8], salt: &[u8]) -> Result<String> {
    let argon = Argon2::default();
    let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
    run(&argon, password, salt, &mut output)?;
    let hash = PasswordHash {
        algorithm: Algorithm::default().ident(),
        version: Some(Version::default().into()),
        params: ParamsString::try_from(argon.params())?,
        salt: Some(Salt::new(salt)?),
        hash: Some(Output::new(&output)?),
    };
    Ok(hash.to_string())
}

/// Maximum memory of a hash, in KiB, so that a single sign-in cannot exhaust the server.
const MAX_MEMORY_KIB: u64 = 256 * 1024;
/// Maximum memory times iterations, in KiB. The time depends on this product.
const MAX_WORK_KIB: u64 = 4 * 1024 * 1024;
const MAX_LANES: u32 = 16;

/// Tells whether a hash of any variant can be verified within a few seconds.
pub(super) fn is_affordable(hash: &PasswordHash) -> bool {
    let Ok(params) = Params::try_from(hash) else { return false };
    let memory = u64::from(params.m_cost());
    Algorithm::try_from(hash.algorithm.as_str()).is_ok()
        && memory <= MAX_MEMORY_KIB
        && memory * u64::from(params.t_cost()) <= MAX_WORK_KIB
        && params.p_cost() <= MAX_LANES
}

/// Tells whether the hash, of any variant and cost, matches the password.
pub(super) fn fits(password: &[u8], hash: &PasswordHash) -> bool {
    made_again(password, hash).is_ok_and(|made| Some(made) == hash.hash)
}

/// Computes the hash anew with the same parameters. Comparing the outputs takes constant time.
fn made_again(password: &[u8], hash: &PasswordHash) -> Result<Output> {
    let algorithm = Algorithm::try_from(hash.algorithm.as_str())?;
    let version = hash.version.map(Version::try_from).transpose()?.unwrap_or_default();
    let params = Params::try_from(hash)?;
    let salt = hash.salt.as_ref().ok_or(Error::PasswordInvalid)?;
    let wanted = hash.hash.as_ref().ok_or(Error::PasswordInvalid)?;
    let mut output = vec![0; wanted.len()];
    run(&Argon2::new(algorithm, version, params), password, salt, &mut output)?;
    Ok(Output::new(&output)?)
}

fn run(argon: &Argon2<'_>, password: &[u8], salt: &[u8], output: &mut [u8]) -> Result<()> {
    let blocks = argon.params().block_count();
    MEMORY.with_borrow_mut(|memory| {
        if memory.len() < blocks {
            memory.resize(blocks, Block::default());
        }
        argon.hash_password_into_with_memory(password, salt, output, &mut memory[..blocks])?;
        // An imported hash may have needed more memory than ours do.
        memory.truncate(Params::default().block_count());
        memory.shrink_to_fit();
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::{PasswordHasher, PasswordVerifier};

    use super::*;

    fn librarys(algorithm: Algorithm, version: Version, params: Params) -> PasswordHash {
        let argon = Argon2::new(algorithm, version, params);
        argon
            .hash_password_with_salt(b"correct horse", b"some salt here")
            .expect("the value is valid")
    }

    #[test]
    fn hashes_are_compatible_with_the_argon2_library() {
        let small = Params::new(64, 1, 2, Some(24)).expect("the values are valid");
        let large = Params::new(40_000, 1, 1, None).expect("the values are valid");
        for hash in [
            librarys(Algorithm::Argon2id, Version::V0x13, Params::default()),
            librarys(Algorithm::Argon2i, Version::V0x10, small),
            librarys(Algorithm::Argon2d, Version::V0x13, large),
        ] {
            assert!(fits(b"correct horse", &hash), "{hash}");
            assert!(!fits(b"correct house", &hash), "{hash}");
        }
        let ours = hash(b"correct horse", b"some salt here").expect("the value is valid");
        let ours = PasswordHash::new(&ours).expect("the hash can be parsed");
        assert_eq!(ours, librarys(Algorithm::Argon2id, Version::V0x13, Params::default()));
        assert!(Argon2::default().verify_password(b"correct horse", &ours).is_ok());
    }
}
