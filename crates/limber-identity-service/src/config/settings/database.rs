//! Settings of the database and the log.

settings! {
    "DB_DRIVER" Text "" "Must be `postgres`." .required();
    "DATABASE_URL" Text "" "`postgres://user:password@host:5432/database`." .also(&["DB_DATABASE_URL"]).bare().secret().required();
    "DB_MAX_POOL_SIZE" Number "0" "Maximum number of connections; 0 means ten fewer than the server allows.";
    "DB_TIMEOUT" Duration "8s" "How long to wait for a statement or a free connection; after that, the response is 503. A stalled database is detected after three quarters of this time.";
    "DB_NAMESPACE" Text "" "Schema that contains the tables; created if missing." .otherwise("first schema of the search path");
    "LOG_LEVEL" Text "info" "`panic`, `fatal`, `error`, `warn`, `info` or `debug`; the first two mean `error`." .bare();
    "LOG_FILE" Text "" "File to write the log to, one JSON object per line." .otherwise("standard error");
    "AUDIT_LOG_DISABLE_POSTGRES" Flag "false" "Audit log entries are written only to the log, not to the database.";
    "UPKEEP_INTERVAL" Duration "10m" "Time between cleanups of rows that are no longer needed: refresh tokens, codes and sign-ins that ended at least a day ago, and rows left by unauthenticated calls. 0 turns cleanup off.";
    "AUDIT_LOG_MAX_ENTRIES" Number "1000000" "Number of audit log entries that are kept, about 0.5 KB each; the oldest beyond it are deleted. 0 sets no limit. Of each account, the newest 10 000 are kept in any case.";
    "AUDIT_LOG_RETENTION" Duration "2160h" "Age at which audit log entries are deleted; 0 keeps them forever. Entries about addresses without an account are kept for a day; at most 100 000 of these are kept at a time.";
}
