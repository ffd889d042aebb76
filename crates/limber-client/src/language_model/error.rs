//! Errors of the language model client.

/// Why there is no response. The messages are for users; none contains an address or a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LanguageModelError {
    /// The configured address is not an http(s) URL.
    #[error(
        "the address of the language model must start with http:// or https://; correct the address"
    )]
    BadAddress,
    /// The configured address is unencrypted, so others could eavesdrop.
    #[error(
        "the address of the language model starts with http://, so others on the network could \
         read your prompts; use https://, or allow http:// for this server"
    )]
    Unencrypted,
    /// The key contains characters that an HTTP header cannot carry.
    #[error(
        "the key of the language model contains characters that cannot be sent; enter the key again"
    )]
    BadKey,
    /// TLS could not be set up in this program.
    #[error("Limber cannot make secure connections on this computer: setting up TLS failed")]
    NoTls,
    /// The connection failed or was interrupted.
    #[error(
        "can't reach the language model; check that its server is running and that its address is \
         right"
    )]
    Unreachable,
    /// The response was not complete in time.
    #[error("the language model did not answer in time; try again, or allow it more time")]
    TimedOut,
    /// The server redirects, which is not followed.
    #[error("the language model's server redirects to another address; enter that address instead")]
    Redirected,
    /// The server rejected the request.
    #[error("the language model's server refused the request (status {status})")]
    Refused {
        /// HTTP status.
        status: u16,
        /// The server's message, if there is one.
        reason: Option<String>,
    },
    /// The response is too long to be useful.
    #[error(
        "the language model's response is longer than {most_kib} KiB, so it was not read; try \
         again, or use another model"
    )]
    TooLong {
        /// Size limit in KiB.
        most_kib: usize,
    },
    /// The response is not that of a chat-completions server.
    #[error("the response is not from a chat-completions server; check the address")]
    NotUnderstood,
    /// The model returned an empty text.
    #[error("the language model returned an empty response; try again, or use another model")]
    NoWords,
}
