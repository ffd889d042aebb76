//! Settings of the service's addresses and of incoming requests.

settings! {
    "SITE_URL" Address "" "Base URL of your site. After an emailed link is opened, the browser is redirected here unless the request named another target. URLs with the same scheme, host and port are always allowed as targets." .required();
    "URI_ALLOW_LIST" List "" "Additional URLs that links may lead to. `*` matches any characters except `.` and `/`, `**` any characters (in the host name, any except `/`), `?` a single character. Addresses of the user's own computer must be listed, too: `http://127.0.0.1:*/*`, `http://\\[::1\\]:*/*`.";
    "API_EXTERNAL_URL" Address "" "Public URL of this service; links in emails begin with it. For a host with a port, the scheme may be omitted." .required();
    "API_HOST" Text "127.0.0.1" "Address to listen on. Run the service behind a proxy that terminates TLS; in a container, set `0.0.0.0`.";
    "PORT" Number "8081" "Port to listen on." .also(&["API_PORT"]).bare();
    "REQUEST_ID_HEADER" Text "" "Request header that contains the request id, which appears in the log and in `error_id`." .otherwise("ids are generated");
    "API_MAX_REQUEST_DURATION" Duration "10s" "A request that takes longer than this gets 504.";
    "API_MAX_CONNECTIONS" Number "10000" "Maximum number of simultaneous connections; in any case, at most half of the files that the process may open. At the limit, the connection that has waited longest without a request is closed to make room; if none is waiting, the response is 503.";
    "API_MAX_CONNECTIONS_OF_ONE" Number "1000" "Maximum number of simultaneous connections from one IP address. An IPv6 /64 counts as one address. Addresses in `TRUSTED_PROXIES` are not counted.";
    "API_HEADER_TIMEOUT" Duration "10s" "A connection is closed if its request header takes longer than this to arrive.";
    "CORS_ALLOWED_HEADERS" List "" "Additional request headers that browsers may send.";
    "OPERATOR_TOKEN" Text "" "Secret shared with a multi-instance operator." .secret().ignored();
    "API_ENDPOINT" Text "" "Address at which a multi-instance operator reaches the service." .ignored();
}
