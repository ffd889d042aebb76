//! The local studio: starts, watches and stops PostgreSQL and both services on this computer.
