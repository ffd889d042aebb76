//! What is told of a language model that a person has connected.

use schemars::JsonSchema;
use serde::Serialize;

use super::Told;

/// What the app tells of it: what happened, what now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[expect(missing_docs, reason = "the sentence of each says what it tells")]
pub enum LanguageModelNotice {
    // what is typed in the settings
    #[error(
        "The address of the language model is not a web address. It looks like http://localhost:11434/v1."
    )]
    LanguageModelAddress,
    #[error(
        "The address of the language model begins with http://, so everybody on the way could read prompts and the key. Use https://, or allow unencrypted connections to this server."
    )]
    LanguageModelUnencrypted,
    #[error("Write the model's name as its server calls it, in 1 to {most} characters.")]
    LanguageModelName { most: usize },
    #[error("Choose a time limit from {least} to {most} seconds.")]
    LanguageModelLimit { least: u32, most: u32 },
    #[error(
        "A key has only letters, digits and signs without accents, and at most {most} of them. Copy it once more."
    )]
    LanguageModelKey { most: usize },
    // before anything is sent
    #[error("No language model is connected. Connect one in the settings.")]
    LanguageModelMissing,
    #[error(
        "The key of your language model is not in this computer's keychain, or the keychain is locked. Unlock it, or enter the key once more in the settings."
    )]
    LanguageModelKeyGone,
    #[error("No secure connection can be made on this computer: its TLS set-up failed.")]
    LanguageModelNoTls,
    // while it is asked
    #[error(
        "Your language model cannot be reached. Check that its server runs, and its address in the settings."
    )]
    LanguageModelUnreachable,
    #[error(
        "Your language model was not done after {seconds} seconds. Try again, or raise its time limit in the settings."
    )]
    LanguageModelSilent { seconds: u32 },
    #[error(
        "The server of your language model sends elsewhere, which Limber does not follow. Enter the address that it sends to."
    )]
    LanguageModelRedirects,
    #[error("The server of your language model rejects the key. Check it in the settings.")]
    LanguageModelRejectsKey,
    #[error("The server knows no such model or address. Check both in the settings.")]
    LanguageModelUnknown,
    #[error("The server of your language model is asked too much just now. Try again in a moment.")]
    LanguageModelBusy,
    #[error("The server of your language model refuses the question (status {status}).")]
    LanguageModelRefuses { status: u16 },
    #[error(
        "The server of your language model has a problem (status {status}). Try again in a moment."
    )]
    LanguageModelFails { status: u16 },
    #[error(
        "The answer of your language model is longer than {most_kib} KiB, so it was not read. Try again, or another model."
    )]
    LanguageModelTooLong { most_kib: usize },
    #[error(
        "What answers there does not speak the chat-completions protocol. Check the address; it often ends in /v1."
    )]
    NoLanguageModelServer,
    #[error("Your language model answered without words. Try again, or another model.")]
    LanguageModelNoWords,
    #[error(
        "Your language model did not answer with a script that can be used: {fault}. Try again, or another model; Limber reads the prompt itself meanwhile."
    )]
    LanguageModelNoScript { fault: String },
}

impl From<LanguageModelNotice> for Told {
    fn from(notice: LanguageModelNotice) -> Self {
        Self::coded(&notice, notice.to_string())
    }
}
