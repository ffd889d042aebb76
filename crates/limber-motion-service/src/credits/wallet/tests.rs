//! Tests that a wallet's entries account for all of its changes.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

const JANUARY: BillingPeriod = BillingPeriod { start: 0, end: 100 };

fn filled(plan: Tenths, bought: Tenths) -> Wallet {
    Wallet { allotment: plan, plan, bought, ..Wallet::empty(JANUARY) }
}

#[test]
fn plan_credits_are_spent_first_and_refunded_to_the_plan() {
    let mut wallet = filled(5, 20);
    let (held, _) = wallet.hold(12).expect("there is enough");
    assert_eq!((held.plan, held.bought, wallet.spendable(), wallet.held()), (5, 7, 13, 12));
    let (entries, paid) = wallet.settle(held, 6);
    assert_eq!(paid, Ok(6));
    let kinds: Vec<EntryKind> = entries.iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [EntryKind::Charge, EntryKind::Release]);
    assert_eq!((wallet.plan, wallet.bought, wallet.held()), (0, 19, 0));
}

#[test]
fn credits_refunded_after_their_period_expire() {
    let mut wallet = filled(10, 0);
    let (held, _) = wallet.hold(10).expect("there is enough");
    wallet.turn(100, BillingPeriod { start: 100, end: 200 });
    assert_eq!(wallet.plan, 10, "the new period's");
    let (entries, paid) = wallet.settle(held, 0);
    assert_eq!((paid, wallet.plan, wallet.held()), (Ok(0), 10, 0));
    assert_eq!(entries.last().map(|entry| entry.kind), Some(EntryKind::Expire));
}

#[test]
fn an_uncovered_price_changes_nothing() {
    let mut wallet = filled(1, 2);
    let short = Short { required: 4, available: 3 };
    assert_eq!((wallet.hold(4).map(|_| ()), wallet.pay(4).map(|_| ())), (Err(short), Err(short)));
    assert_eq!(wallet, filled(1, 2));
}

#[test]
fn operators_can_remove_reserved_credits_and_the_job_is_not_charged() {
    let mut wallet = filled(0, 10);
    let (held, _) = wallet.hold(8).expect("there is enough");
    wallet.grant(-7);
    assert_eq!((wallet.bought, wallet.held_bought), (0, 3));
    let (_, paid) = wallet.settle(held, 5);
    assert_eq!(paid, Err(Short { required: 5, available: 3 }));
    assert_eq!((wallet.bought, wallet.held()), (3, 0));
}

#[derive(Debug, Clone)]
enum Act {
    Grant(Tenths),
    Plan(Tenths),
    Hold(Tenths),
    Settle { which: usize, cost: Tenths },
    Pay(Tenths),
    Turn,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        (-60i64..60).prop_map(Act::Grant),
        (0i64..40).prop_map(Act::Plan),
        (0i64..30).prop_map(Act::Hold),
        (0usize..8, 0i64..40).prop_map(|(which, cost)| Act::Settle { which, cost }),
        (0i64..30).prop_map(Act::Pay),
        Just(Act::Turn),
    ]
}

proptest! {
    #[test]
    fn balances_never_go_negative_and_equal_the_sum_of_their_entries(
        acts in prop::collection::vec(act(), 0..80),
    ) {
        let mut wallet = Wallet::empty(JANUARY);
        let mut open: Vec<Held> = Vec::new();
        let mut sums: BTreeMap<Book, Tenths> = BTreeMap::new();
        let mut taken_away = false;
        for act in acts {
            let entries: Vec<Entry> = match act {
                Act::Grant(tenths) => {
                    let before = wallet.held();
                    let entry = wallet.grant(tenths);
                    taken_away |= wallet.held() < before;
                    entry.into_iter().collect()
                }
                Act::Plan(allotment) => wallet.change_plan(allotment),
                Act::Hold(price) => match wallet.hold(price) {
                    Ok((held, entry)) => {
                        prop_assert_eq!(held.plan + held.bought, price);
                        open.push(held);
                        entry.into_iter().collect()
                    }
                    Err(short) => {
                        prop_assert!(short.available < price);
                        Vec::new()
                    }
                },
                Act::Settle { which, cost } => {
                    if open.is_empty() {
                        continue;
                    }
                    let held = open.remove(which % open.len());
                    let (entries, paid) = wallet.settle(held, cost);
                    let gone = |kind| entries.iter().filter(move |e| e.kind == kind).flat_map(|e| &e.postings)
                        .filter(|(book, _)| matches!(book, Book::HeldPlan | Book::HeldBought))
                        .map(|(_, tenths)| -tenths).sum::<Tenths>();
                    if !taken_away {
                        let total = held.plan + held.bought;
                        prop_assert_eq!(paid, Ok(cost.min(total)));
                        prop_assert_eq!(gone(EntryKind::Charge) + gone(EntryKind::Release), total);
                    }
                    entries
                }
                Act::Pay(price) => wallet.pay(price).unwrap_or_default().into_iter().collect(),
                Act::Turn => {
                    let end = wallet.period.end;
                    wallet.turn(end, BillingPeriod { start: end, end: end + 100 })
                }
            };
            for entry in &entries {
                prop_assert_eq!(entry.postings.iter().map(|(_, tenths)| tenths).sum::<Tenths>(), 0);
                for (book, tenths) in &entry.postings {
                    *sums.entry(*book).or_default() += tenths;
                }
            }
            let of = |book| sums.get(&book).copied().unwrap_or(0);
            prop_assert_eq!(wallet.plan, of(Book::Plan));
            prop_assert_eq!(wallet.bought, of(Book::Bought));
            prop_assert_eq!(wallet.held_plan, of(Book::HeldPlan));
            prop_assert_eq!(wallet.held_bought, of(Book::HeldBought));
            let books = [wallet.plan, wallet.bought, wallet.held_plan, wallet.held_bought];
            prop_assert!(books.iter().all(|tenths| *tenths >= 0), "{:?}", wallet);
            if !taken_away {
                let held: Tenths = open.iter().map(|held| held.plan + held.bought).sum();
                prop_assert_eq!(wallet.held(), held, "reserved credits are those of jobs");
            }
        }
    }
}
