//! Everything that can go wrong between a client and a language model.

/// Why there is no answer. The texts are for people; none of them holds an address or a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LanguageModelError {
    /// The configured address cannot be used.
    #[error("the address of the language model must start with http:// or https://; correct it")]
    BadAddress,
    /// Others could read what is sent to the configured address.
    #[error(
        "the address of the language model starts with http://, so others on the network could read along; use https://, or allow it for this server"
    )]
    Unencrypted,
    /// The key has signs that no request can carry.
    #[error("the language model's key cannot be sent; enter it anew")]
    BadKey,
    /// The program's own TLS set-up failed.
    #[error("Limber cannot make secure connections on this computer: setting up TLS failed")]
    NoTls,
    /// No connection, or it broke.
    #[error("the language model cannot be reached; check that its server runs and its address")]
    Unreachable,
    /// No whole answer in time.
    #[error("the language model did not answer in time; try again, or give it longer")]
    TimedOut,
    /// The server sends elsewhere, where nobody has asked to be sent.
    #[error("the language model's server sends elsewhere; enter the address that it sends to")]
    Redirected,
    /// The server says no.
    #[error("the language model's server refused the request (status {status})")]
    Refused {
        /// HTTP status.
        status: u16,
        /// The server's own words, if it has any.
        reason: Option<String>,
    },
    /// The answer is longer than anything useful.
    #[error("the language model's answer is longer than {most_kib} KiB; it was not read")]
    TooLong {
        /// The limit.
        most_kib: usize,
    },
    /// Something answered that does not speak the protocol.
    #[error("the answer is not one of a chat-completions server; check the address")]
    NotUnderstood,
    /// The model chose to say nothing.
    #[error("the language model answered without words; try again, or use another model")]
    NoWords,
}
