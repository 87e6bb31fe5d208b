"""One connection to the service: credentials, waiting when it is busy, errors, lists page by page."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Sequence, Union

import requests

Json = Dict[str, Any]
Token = Union[str, Callable[[], str]]

#: How often an answer 429 or 503 is waited for before it is an error.
WAITS = 5


class Connection:
    """Speaks HTTP with the service. Proxies, certificates and retries of the network are the session's: `requests`."""

    def __init__(
        self,
        base: str,
        *,
        key: Optional[str] = None,
        token: Optional[Token] = None,
        timeout: float = 30,
        session: Optional[requests.Session] = None,
    ) -> None:
        self.base = base.rstrip("/")
        self.timeout = timeout
        self.session = session or requests.Session()
        self.key = key
        self.token = token

    def send(
        self,
        method: str,
        path: str,
        *,
        by: Optional[str] = None,
        params: Optional[Mapping[str, Any]] = None,
        json: Any = None,
        data: Optional[bytes] = None,
        headers: Optional[Mapping[str, str]] = None,
        waits_for: Sequence[int] = (429, 503),
    ) -> requests.Response:
        """The answer to one request, below 400.

        `by` is the credential: `"token"`, `"key"`, or None for operations that need none. An answer of `waits_for` is waited
        for as `Retry-After` says, five times at most.

        Raises FieldsError by its status; ValueError where the credential was not given.
        """
        raise NotImplementedError

    def pages(self, path: str, params: Mapping[str, Any], *, by: str) -> Iterator[Json]:
        """The `items` of a list under /v1, page by page; a page is asked for when the one before was read."""
        raise NotImplementedError


def plain(value: Any) -> Any:
    """A value as JSON has it: days and instants as texts, numbers of numpy as numbers, NaN and NaT as None."""
    raise NotImplementedError


def day_of(value: Any) -> str:
    """A day as `YYYY-MM-DD`: from a text, `date`, `datetime` or pandas `Timestamp`."""
    raise NotImplementedError


def retry_after(answer: requests.Response, default: float = 2.0) -> float:
    """Seconds until the service wants to be asked again, as the answer says."""
    raise NotImplementedError


def write_beside(path: Any, data: bytes) -> None:
    """Writes a file whole or not at all: beside its place, then renamed. Folders are made."""
    raise NotImplementedError
