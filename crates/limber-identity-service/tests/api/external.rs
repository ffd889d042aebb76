//! Signing in by other services: eighteen stand-ins that answer as the services do, and one real
//! OpenID provider.

mod accounts;
mod cases_a_to_g;
mod cases_k_to_w;
mod client;
mod id_tokens;
mod identities;
mod oauth1;
mod openid;
mod providers;
mod refusals;
mod stand_in;
mod travel;
