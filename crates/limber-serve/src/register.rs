//! The register of open connections, and the choice of those that must make room.
//!
//! A connection either has a request in progress, or waits for its first byte, the rest of a header
//! or another request. Waiting costs the client nothing but occupies a place. When a place is
//! needed, the connection that has waited longest is closed, and never one with a request in
//! progress. A flood of incomplete headers therefore only evicts itself, while clients that send
//! complete requests are served.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    net::{IpAddr, Ipv6Addr},
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use limber_domain::lock;
use tokio::sync::watch;

use crate::Limits;

/// State of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// No bytes have arrived yet.
    Fresh,
    /// A header has begun to arrive.
    ReadingHeader,
    /// A request is being processed.
    Serving,
    /// The response is complete but has not been fully sent.
    Flushing,
    /// The last response has been sent.
    Idle,
    /// The connection must be closed to make room.
    Evicted,
}

/// A client, whose connections are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Peer(IpAddr);

impl Peer {
    /// Returns the client at an address. All IPv6 addresses in a /64 belong to one customer and
    /// count as one client.
    pub(crate) fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => address.into(),
            IpAddr::V6(address) => {
                Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into()
            }
        })
    }
}

/// All connections of one listener.
pub(crate) struct Register {
    most: usize,
    most_of_one: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    open: usize,
    /// Number of times that a connection began to wait.
    turns: u64,
    /// Waiting connections by turn, the longest-waiting first.
    waiting: BTreeMap<u64, Arc<Connection>>,
    peers: HashMap<Peer, Group>,
}

#[derive(Default)]
struct Group {
    open: usize,
    waiting: BTreeSet<u64>,
}

/// An open connection in the register.
pub(crate) struct Connection {
    register: Arc<Register>,
    /// `None` for connections that are not counted per client, such as those of a proxy.
    peer: Option<Peer>,
    phase: watch::Sender<Phase>,
    /// Its turn among the waiting connections. This and the next field are accessed only under the
    /// register's lock.
    turn: AtomicU64,
    has_left: AtomicBool,
}

/// A place in the register, released on drop.
pub(crate) struct Ticket(pub(crate) Arc<Connection>);

impl Drop for Ticket {
    fn drop(&mut self) {
        self.0.register.lock().remove(&self.0);
    }
}

impl Register {
    pub(crate) fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self {
            most: limits.connections,
            most_of_one: limits.connections_of_one,
            state: Mutex::default(),
        })
    }

    /// Admits one more connection. Returns `None` if there is no place and no connection can make
    /// room, because all of them have requests in progress.
    pub(crate) fn admit(self: &Arc<Self>, peer: Option<Peer>) -> Option<Ticket> {
        let mut state = self.lock();
        if let Some(peer) = peer
            && state.open_of(peer) >= self.most_of_one
            && !state.evict_one_of(peer)
        {
            return None;
        }
        if state.open >= self.most && !state.evict_one() {
            return None;
        }
        let connection = Arc::new(Connection {
            register: Arc::clone(self),
            peer,
            phase: watch::Sender::new(Phase::Fresh),
            turn: AtomicU64::new(0),
            has_left: AtomicBool::new(false),
        });
        state.open += 1;
        if let Some(peer) = peer {
            state.peers.entry(peer).or_default().open += 1;
        }
        state.start_waiting(&connection);
        Some(Ticket(connection))
    }

    /// Closes the connection that has waited longest. Returns false if none is waiting.
    pub(crate) fn make_room(&self) -> bool {
        self.lock().evict_one()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl Connection {
    /// Returns a receiver for changes of phase, including the order to close.
    pub(crate) fn watch(&self) -> watch::Receiver<Phase> {
        self.phase.subscribe()
    }

    /// Records that bytes have arrived.
    pub(crate) fn receives_bytes(&self) {
        self.phase.send_if_modified(|phase| {
            let begins = matches!(phase, Phase::Fresh | Phase::Idle);
            if begins {
                *phase = Phase::ReadingHeader;
            }
            begins
        });
    }

    /// Records that a header is complete. Returns false if the connection has already been chosen
    /// to make room.
    pub(crate) fn begin_request(&self) -> bool {
        let mut state = self.register.lock();
        if *self.phase.borrow() == Phase::Evicted {
            return false;
        }
        state.stop_waiting(self);
        self.phase.send_replace(Phase::Serving);
        true
    }

    /// Records that the response is complete.
    pub(crate) fn end_response(&self) {
        self.phase.send_if_modified(|phase| {
            let ends = *phase == Phase::Serving;
            if ends {
                *phase = Phase::Flushing;
            }
            ends
        });
    }

    /// Records that all data has been sent.
    pub(crate) fn has_flushed(self: &Arc<Self>) {
        // Checked before locking, because this is called far more often than it matters.
        if *self.phase.borrow() == Phase::Flushing {
            let mut state = self.register.lock();
            self.phase.send_replace(Phase::Idle);
            state.start_waiting(self);
        }
    }
}

impl State {
    fn open_of(&self, peer: Peer) -> usize {
        self.peers.get(&peer).map_or(0, |group| group.open)
    }

    fn start_waiting(&mut self, connection: &Arc<Connection>) {
        self.turns += 1;
        connection.turn.store(self.turns, Ordering::Relaxed);
        self.waiting.insert(self.turns, Arc::clone(connection));
        if let Some(group) = connection.peer.and_then(|peer| self.peers.get_mut(&peer)) {
            group.waiting.insert(self.turns);
        }
    }

    fn stop_waiting(&mut self, connection: &Connection) {
        let turn = connection.turn.load(Ordering::Relaxed);
        self.waiting.remove(&turn);
        if let Some(group) = connection.peer.and_then(|peer| self.peers.get_mut(&peer)) {
            group.waiting.remove(&turn);
        }
    }

    fn evict_one(&mut self) -> bool {
        let longest = self.waiting.first_key_value().map(|(_, connection)| Arc::clone(connection));
        longest.is_some_and(|connection| self.evict(&connection))
    }

    fn evict_one_of(&mut self, peer: Peer) -> bool {
        let turn = self.peers.get(&peer).and_then(|group| group.waiting.first());
        let longest = turn.and_then(|turn| self.waiting.get(turn)).map(Arc::clone);
        longest.is_some_and(|connection| self.evict(&connection))
    }

    fn evict(&mut self, connection: &Connection) -> bool {
        self.remove(connection);
        connection.phase.send_replace(Phase::Evicted);
        true
    }

    fn remove(&mut self, connection: &Connection) {
        if connection.has_left.swap(true, Ordering::Relaxed) {
            return;
        }
        self.stop_waiting(connection);
        self.open -= 1;
        if let Some(peer) = connection.peer
            && let Some(group) = self.peers.get_mut(&peer)
        {
            group.open -= 1;
            if group.open == 0 {
                self.peers.remove(&peer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn register(connections: usize, connections_of_one: usize) -> Arc<Register> {
        Register::new(&Limits { connections, connections_of_one, ..Limits::default() })
    }

    fn peer(text: &str) -> Option<Peer> {
        Some(Peer::of(text.parse().expect("the address is valid")))
    }

    fn phase(ticket: &Ticket) -> Phase {
        *ticket.0.watch().borrow()
    }

    #[test]
    fn the_longest_waiting_connection_is_evicted_and_active_ones_are_not() {
        let register = register(3, 3);
        let [first, second, third] = ["10.0.0.1", "10.0.0.2", "10.0.0.3"]
            .map(|ip| register.admit(peer(ip)).expect("the connection is admitted"));
        assert!(first.0.begin_request());
        second.0.receives_bytes();
        let fourth = register.admit(peer("10.0.0.4")).expect("another connection makes room");
        assert_eq!(phase(&second), Phase::Evicted, "an incomplete header is not a request");
        assert!(!second.0.begin_request(), "the connection has been evicted already");
        first.0.end_response();
        first.0.has_flushed();
        let fifth = register.admit(peer("10.0.0.5")).expect("another connection makes room");
        assert_eq!(phase(&third), Phase::Evicted, "the first has waited only for a moment");
        assert_eq!(phase(&first), Phase::Idle);
        assert!(first.0.begin_request() && fourth.0.begin_request() && fifth.0.begin_request());
        assert!(register.admit(peer("10.0.0.6")).is_none(), "all have requests in progress");
        drop((second, third));
        assert!(
            register.admit(peer("10.0.0.6")).is_none(),
            "evicted connections are not counted twice"
        );
        drop(fourth);
        assert!(register.admit(peer("10.0.0.6")).is_some());
    }

    #[test]
    fn clients_over_their_limit_evict_themselves_and_proxies_are_not_limited() {
        let register = register(100, 2);
        let other = register.admit(peer("10.0.0.9")).expect("the connection is admitted");
        let mine = [(); 2]
            .map(|()| register.admit(peer("::ffff:10.0.0.1")).expect("the connection is admitted"));
        let _third =
            register.admit(peer("10.0.0.1")).expect("the client's first connection makes room");
        assert_eq!([phase(&mine[0]), phase(&mine[1])], [Phase::Evicted, Phase::Fresh]);
        assert_eq!(phase(&other), Phase::Fresh, "although it has waited longer");
        let many: Vec<_> =
            (0..50).map(|_| register.admit(None).expect("the connection is admitted")).collect();
        assert!(many.iter().all(|ticket| phase(ticket) == Phase::Fresh));
        let networks = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"].map(peer);
        assert!(networks[0] == networks[1] && networks[1] != networks[2]);
    }

    #[test]
    fn closed_connections_leave_the_register() {
        let register = register(10, 10);
        let tickets: Vec<_> = (0..10).filter_map(|_| register.admit(peer("::1"))).collect();
        tickets[3].0.begin_request();
        assert!(register.make_room());
        drop(tickets);
        let state = register.lock();
        assert!(state.waiting.is_empty() && state.peers.is_empty() && state.open == 0);
    }
}
