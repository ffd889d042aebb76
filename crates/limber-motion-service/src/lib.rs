//! The motion service: accounts, credits, jobs, workers, files.
