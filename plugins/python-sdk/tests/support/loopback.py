"""A real HTTP server on loopback."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass
class Request:
    method: str
    path: str
    headers: dict[str, str]


@dataclass
class Loopback:
    """Answers every request with its path and its Authorization header, once ``answers`` is set; keeps the requests."""

    requests: list[Request] = field(default_factory=list)
    answers: threading.Event = field(default_factory=threading.Event)
    #: Set by the first request, and when a client disconnects before its answer.
    asked: threading.Event = field(default_factory=threading.Event)
    gone: threading.Event = field(default_factory=threading.Event)
    #: The answer in place of path and header.
    body: Any = None
    status: int = 200

    def __enter__(self) -> Loopback:
        self.answers.set()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                owner.requests.append(Request(self.command, self.path, dict(self.headers.items())))
                owner.asked.set()
                while not owner.answers.wait(0.01):
                    self.connection.setblocking(False)
                    try:
                        if self.connection.recv(1) == b"":
                            owner.gone.set()
                            return
                    except BlockingIOError:
                        pass
                    except OSError:
                        owner.gone.set()
                        return
                    finally:
                        self.connection.setblocking(True)
                told = owner.body or {"path": self.path, "authorization": self.headers.get("Authorization")}
                body = json.dumps(told).encode()
                self.send_response(owner.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET

            def log_message(self, *_arguments: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            # Connections that are waiting to be accepted.
            request_queue_size = 512

        self._server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.answers.set()
        self._server.shutdown()
        self._server.server_close()
