//! A private PostgreSQL cluster from installed programs, for one computer and for tests.
