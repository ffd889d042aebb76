//! Sign-in through external providers: eighteen simulated ones that answer as the real services do,
//! and one real OpenID provider.

mod accounts;
mod another_browser;
pub(crate) mod cases_a_to_g;
mod cases_k_to_w;
mod client;
mod id_tokens;
pub(crate) mod identities;
mod oauth1;
mod openid;
mod providers;
mod refusals;
pub(crate) mod stand_in;
pub(crate) mod travel;
