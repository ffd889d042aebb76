//! Where the service is and how requests reach it.

settings! {
    "SITE_URL" Address "" "Base of your site: where links of mails lead unless a request says otherwise, and whose own addresses are always allowed targets." .required();
    "URI_ALLOW_LIST" List "" "Further addresses that links may lead to. `*` stands for a run without `.` and `/`, `**` for any run (in the name of a host without `/`), `?` for one character.";
    "API_EXTERNAL_URL" Address "" "This service as the world sees it; links of mails begin with it. Before a host and its port the scheme may be left out." .required();
    "API_HOST" Text "127.0.0.1" "Where to listen. A proxy with TLS stands before the service; containers set `0.0.0.0`.";
    "PORT" Number "8081" "Port to listen on." .also(&["API_PORT"]).bare();
    "REQUEST_ID_HEADER" Text "" "Incoming header that names the request; its value stands in the log and in `error_id`." .otherwise("ids are made");
    "API_MAX_REQUEST_DURATION" Duration "10s" "A request that takes longer is answered with 504.";
    "API_MAX_CONNECTIONS" Number "10000" "Connections at once, and never more than half of the files the process may open. Where there is no room for another, the one that has waited longest without a request makes room; where none waits, the answer is 503.";
    "API_MAX_CONNECTIONS_OF_ONE" Number "1000" "Of these, those of one address; of IPv6, of its first 64 bits. Those in `TRUSTED_PROXIES` are not counted.";
    "API_HEADER_TIMEOUT" Duration "10s" "A header that takes longer ends its connection.";
    "CORS_ALLOWED_HEADERS" List "" "Further request headers that browsers may send.";
    "OPERATOR_TOKEN" Text "" "Shared secret with a multi-instance operator." .secret().ignored();
    "API_ENDPOINT" Text "" "Address at which a multi-instance operator reaches the service." .ignored();
}
