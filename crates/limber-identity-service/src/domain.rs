//! Business rules for accounts, sessions and codes. This layer knows nothing of HTTP and accesses
//! the database through `store`.
//!
//! Each file covers one user action. A function that changes data owns its transaction, and any
//! email is queued in that same transaction.

pub(crate) mod accounts;
pub(crate) mod action_link;
pub(crate) mod address;
pub(crate) mod administer;
pub(crate) mod audit;
pub(crate) mod change_phone;
pub(crate) mod credentials;
pub(crate) mod exchange_code;
pub(crate) mod external;
pub(crate) mod factors;
pub(crate) mod guesses;
pub(crate) mod invite;
pub(crate) mod magic_link;
pub(crate) mod messages;
pub(crate) mod notices;
pub(crate) mod password_guesses;
pub(crate) mod phone_code;
pub(crate) mod reauthenticate;
pub(crate) mod recover;
pub(crate) mod refresh;
pub(crate) mod resend;
pub(crate) mod sessions;
pub(crate) mod sign_in;
pub(crate) mod sign_up;
pub(crate) mod texts;
pub(crate) mod timers;
pub(crate) mod update_account;
pub(crate) mod verify;
