//! Checks whether response times reveal which addresses have an account.
//!
//! Known and unknown addresses take turns, and each address is used once, because message timers
//! are kept per address.

use limber_bench::{Report, amount, median, rounds};
use serde_json::json;

use crate::ROUNDS;
use crate::load::now;
use crate::server::Server;

/// Tries per kind and round.
const TRIES: usize = 500;
/// Largest allowed difference, in per cent of the longer time.
const MOST: f64 = 5.0;

/// The endpoints, and the status that both kinds receive.
const ASKED: [(&str, &str, u16); 3] = [
    ("login", "/token?grant_type=password", 400),
    ("recover", "/recover", 200),
    ("otp", "/otp", 200),
];

pub(crate) async fn compare(server: &Server, report: &mut Report) {
    for (what, path, status) in ASKED {
        let mut apart = Vec::new();
        for round in 0..rounds(ROUNDS) {
            let name = format!("{what}-{round}-");
            let (known, unknown) = ask_in_turn(server, path, status, &name).await;
            println!("  {what}: known {known:.2} ms, unknown {unknown:.2} ms");
            apart.push(100.0 * (known - unknown).abs() / known.max(unknown));
        }
        report.at_most(&format!("{what}, known and unknown apart"), MOST, "%", apart);
    }
}

/// Returns the median times for known and unknown addresses, in milliseconds.
async fn ask_in_turn(server: &Server, path: &str, status: u16, name: &str) -> (f64, f64) {
    let known = |number: usize| format!("known-{name}{number}@bench.example");
    let unknown = |number: usize| format!("unknown-{name}{number}@bench.example");
    let tries = amount(TRIES, 5);
    // Without a password in the request, the account gets a random one that nobody knows.
    for number in 0..tries {
        server.admit(&json!({"email": known(number), "email_confirm": true})).await;
    }
    let (mut of_known, mut of_unknown) = (Vec::new(), Vec::new());
    for number in 0..tries {
        // Alternate which kind goes first.
        for known_now in [number % 2 == 0, number % 2 == 1] {
            let email = if known_now { known(number) } else { unknown(number) };
            let request = server.post(path, &json!({"email": email, "password": "wrong"}));
            let begun = now();
            let answer = request.send().await.expect("the service responds");
            let times = if known_now { &mut of_known } else { &mut of_unknown };
            times.push(begun.elapsed().as_secs_f64() * 1000.0);
            assert_eq!(answer.status(), status, "{path} for {email}");
            // The connection can be reused only once the body has been read.
            answer.bytes().await.expect("the response arrives");
        }
    }
    (median(of_known), median(of_unknown))
}
