"""Uploads a file with a storage vendor's own client, and resumes after an interrupted chunk.

    upload.py SIGNED_ADDRESS FILE

A shim for headers is all that stands between the client and the service: the vendor starts an upload with
metadata in the body, our service with a header and an empty body.
"""

import http.client
import sys
import urllib.parse

import requests
from google.resumable_media.requests import ResumableUpload

PIECE = 256 * 1024


class Shim(requests.Session):
    """Starts uploads with our header, and interrupts one chunk in the middle."""

    pieces = 0
    broken = False

    def request(self, method, url, data=None, headers=None, **more):
        headers = dict(headers or {})
        if method == "POST":
            headers["x-storage-resumable"] = "start"
            headers.pop("content-type", None)
            return super().request(method, url, data=b"", headers=headers, **more)
        if data is not None:
            self.pieces += 1
            if self.pieces == 3 and not self.broken:
                self.broken = True
                break_off(url, data, headers)
                raise Broken("the piece broke off")
        return super().request(method, url, data=data, headers=headers, **more)


class Broken(Exception):
    """A failure that the client does not retry, so that the test has to call `recover`."""


def break_off(url, data, headers):
    """Sends the headers and half of a chunk, then closes the connection."""
    address = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(address.netloc)
    connection.putrequest("PUT", address.path)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.putheader("content-length", str(len(data)))
    connection.endheaders()
    connection.send(data[: len(data) // 2])
    connection.close()


def main(address, path):
    transport = Shim()
    with open(path, "rb") as stream:
        upload = ResumableUpload(address, PIECE, checksum=None)
        upload.initiate(transport, stream, {}, "application/octet-stream")
        session = upload.resumable_url
        try:
            while not upload.finished:
                upload.transmit_next_chunk(transport)
        except Broken:
            pass
        assert transport.broken and not upload.finished
        # as after a restart of the client: only the URL of the upload session is left
        with open(path, "rb") as again:
            resumed = ResumableUpload(address, PIECE, checksum=None)
            resumed._stream = again
            resumed._total_bytes = upload.total_bytes
            resumed._resumable_url = session
            resumed._content_type = "application/octet-stream"
            resumed._invalid = True
            # the service may need a moment to notice that the connection is gone
            resumed.recover(transport)
            print(f"resumed at {resumed.bytes_uploaded}")
            assert resumed.bytes_uploaded == 2 * PIECE, resumed.bytes_uploaded
            while not resumed.finished:
                answer = resumed.transmit_next_chunk(transport)
    assert answer.status_code == 200, answer.status_code
    print(f"sent {resumed.total_bytes}, {answer.headers['x-storage-hash']}")


main(*sys.argv[1:])
