//! Messages about a language model that the user has connected.

use schemars::JsonSchema;
use serde::Serialize;

use super::MessageView;

/// A message about the language model: what happened, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[expect(missing_docs, reason = "each message is its documentation")]
pub enum LanguageModelNotice {
    // settings
    #[error(
        "The address of the language model is not a web address. It must look like http://localhost:11434/v1."
    )]
    LanguageModelAddress,
    #[error(
        "The address of the language model starts with http://, so others on the network could read prompts and the key. Use https://, or allow unencrypted connections to this server."
    )]
    LanguageModelUnencrypted,
    #[error("Enter the model's name as its server knows it, with 1 to {most} characters.")]
    LanguageModelName { most: usize },
    #[error("Choose a timeout from {least} to {most} seconds.")]
    LanguageModelLimit { least: u32, most: u32 },
    #[error(
        "A key can contain only letters, digits and symbols without accents, at most {most} characters. Copy it again."
    )]
    LanguageModelKey { most: usize },
    // before anything is sent
    #[error("No language model is connected. Connect one in the settings.")]
    LanguageModelMissing,
    #[error(
        "The key of your language model is not in this computer's keychain, or the keychain is locked. Unlock it, or enter the key again in the settings."
    )]
    LanguageModelKeyGone,
    #[error("Limber cannot make secure connections on this computer: setting up TLS failed.")]
    LanguageModelNoTls,
    // during a request
    #[error(
        "Can't reach your language model. Check that its server is running, and check its address in the settings."
    )]
    LanguageModelUnreachable,
    #[error(
        "Your language model did not finish within {seconds} seconds. Try again, or raise its timeout in the settings."
    )]
    LanguageModelSilent { seconds: u32 },
    #[error(
        "The server of your language model redirects to another address, which Limber does not follow. Enter that address."
    )]
    LanguageModelRedirects,
    #[error("The server of your language model rejects the key. Check it in the settings.")]
    LanguageModelRejectsKey,
    #[error("The server does not have this model or address. Check both in the settings.")]
    LanguageModelUnknown,
    #[error("The server of your language model is overloaded. Try again in a moment.")]
    LanguageModelBusy,
    #[error("The server of your language model refused the request (status {status}).")]
    LanguageModelRefuses { status: u16 },
    #[error(
        "The server of your language model has a problem (status {status}). Try again in a moment."
    )]
    LanguageModelFails { status: u16 },
    #[error(
        "The response of your language model is longer than {most_kib} KiB, so Limber did not read it. Try again, or use another model."
    )]
    LanguageModelTooLong { most_kib: usize },
    #[error(
        "The server does not support the chat-completions protocol. Check the address; it often ends in /v1."
    )]
    NoLanguageModelServer,
    #[error("Your language model returned an empty response. Try again, or use another model.")]
    LanguageModelNoWords,
    #[error(
        "Your language model did not return a usable script: {fault}. Try again, or use another model; until then, Limber reads the prompt itself."
    )]
    LanguageModelNoScript { fault: String },
}

impl From<LanguageModelNotice> for MessageView {
    fn from(notice: LanguageModelNotice) -> Self {
        Self::coded(&notice, notice.to_string())
    }
}
