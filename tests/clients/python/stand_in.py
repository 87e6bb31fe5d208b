"""A service that answers what a test tells it, and keeps what it was asked."""

import http.server
import json
import socket
import threading
from email.utils import formatdate
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Union


class Asked(NamedTuple):
    method: str
    path: str
    headers: Dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Answer(NamedTuple):
    status: int = 200
    body: Any = None
    headers: Dict[str, str] = {}
    #: Bytes of the body that are sent before the line breaks; -1 for all of them.
    cut_at: int = -1


#: The request arrives and nothing comes back.
LOST = "lost"
Said = Union[Answer, str, Callable[[Asked], Answer]]


class StandIn:
    """Answers in the order given, the last one again and again; or by a function of the request."""

    def __init__(self, *answers: Said) -> None:
        self.asked: List[Asked] = []
        self._answers = list(answers)
        stand_in = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                stand_in._say(self, Asked(self.command, self.path, dict(self.headers), body))

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do

            def log_message(self, *_: Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _say(self, handler: Any, asked: Asked) -> None:
        said = self._answers[0] if len(self._answers) == 1 else self._answers.pop(0)
        self.asked.append(asked)
        answer: Optional[Answer] = None if said == LOST else said(asked) if callable(said) else said  # type: ignore[assignment]
        if answer is None:
            handler.connection.shutdown(socket.SHUT_RDWR)
            handler.close_connection = True
            return
        body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        handler.send_response_only(answer.status)
        usual = {"Date": formatdate(usegmt=True), "Content-Length": str(len(body))}
        for name, value in {**usual, **answer.headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body if answer.cut_at < 0 else body[: answer.cut_at])
        handler.close_connection = answer.cut_at >= 0
