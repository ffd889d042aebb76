//! The database and the log.

settings! {
    "DB_DRIVER" Text "" "Must be `postgres`." .required();
    "DATABASE_URL" Text "" "`postgres://user:password@host:5432/database`." .also(&["DB_DATABASE_URL"]).bare().secret().required();
    "DB_MAX_POOL_SIZE" Number "0" "Most connections at once; 0 means ten less than the server allows.";
    "DB_TIMEOUT" Duration "8s" "How long a statement, or a free connection, is waited for; then the answer is 503. One that stands still is noticed after three quarters of it.";
    "DB_NAMESPACE" Text "" "Schema that holds the tables, made when missing." .otherwise("the search path's first");
    "LOG_LEVEL" Text "info" "`panic`, `fatal`, `error`, `warn`, `info` or `debug`; the first two mean `error`." .bare();
    "LOG_FILE" Text "" "File to write the log to, one JSON object a line." .otherwise("standard error");
    "AUDIT_LOG_DISABLE_POSTGRES" Flag "false" "Audit entries stand in the log alone, not in the database.";
    "UPKEEP_INTERVAL" Duration "10m" "Time between two sweeps of rows that nobody can use any more: refresh tokens, codes and sign-ins that ended a day ago, and what strangers caused. 0 for none.";
    "AUDIT_LOG_RETENTION" Duration "2160h" "Age at which audit entries are deleted; 0 keeps them for ever. Those of strangers, who named an address that nobody has, are kept for a day and never more than 100 000.";
}
