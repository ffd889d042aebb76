//! Whether the time of an answer tells a stranger which addresses have an account.
//!
//! Known and unknown take turns, each address once, because the timers of mail count per address.

use std::time::Duration;

use serde_json::{Value, json};

use crate::load::now;
use crate::server::Server;
use crate::{median, row};

const TRIES: usize = 500;
/// Part of the longer of the two.
const MOST: f64 = 0.05;

pub(crate) async fn compare(server: &Server) -> bool {
    let mut good = true;
    for (what, path) in
        [("login", "/token?grant_type=password"), ("recover", "/recover"), ("otp", "/otp")]
    {
        // without a password of their own they get one that nobody knows
        for number in 0..TRIES {
            let body = json!({"email": known(what, number), "email_confirm": true});
            server.post("/admin/users", &body).await;
        }
        let (mut of_known, mut of_unknown) = (Vec::new(), Vec::new());
        for number in 0..TRIES {
            let unknown = format!("unknown-{what}{number}@bench.example");
            // whoever is first must not always be the same
            let pair = [(known(what, number), true), (unknown, false)];
            let order: [usize; 2] = if number % 2 == 0 { [0, 1] } else { [1, 0] };
            for (email, is_known) in order.map(|at| &pair[at]) {
                let time = ask(server, path, &json!({"email": email, "password": "wrong"})).await;
                if *is_known { &mut of_known } else { &mut of_unknown }.push(time);
            }
        }
        let (known, unknown) = (median(of_known), median(of_unknown));
        let apart = (known - unknown).abs() / known.max(unknown);
        let median = format!("{:.1} %", apart * 100.0);
        println!("{what}: known {known:.2} ms, unknown {unknown:.2} ms");
        good &= row(&format!("{what}, known and unknown apart"), "<= 5 %", &median, apart <= MOST);
    }
    good
}

fn known(what: &str, number: usize) -> String {
    format!("known-{what}{number}@bench.example")
}

async fn ask(server: &Server, path: &str, body: &Value) -> f64 {
    let begun = now();
    server.post(path, body).await;
    let took: Duration = begun.elapsed();
    took.as_secs_f64() * 1000.0
}
