"""One connection to the service: credentials, waiting when it is busy, errors, lists page by page."""

from __future__ import annotations

import itertools
import platform
import threading
import time
import uuid
from datetime import datetime, timedelta, timezone
from email.utils import formatdate, parsedate_to_datetime
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Sequence, Union

import requests
import urllib3

from .errors import FieldsError, Interrupted, Unavailable, error_of
from .values import Json
from .version import __version__

Token = Union[str, Callable[[], str]]

#: How often the answers 429 and 503, and lost ones, are waited for before they are an error.
WAITS = 5
#: Seconds to wait where an answer does not say how long.
PAUSE = 2.0
#: Seconds; what wants a longer wait is an error at once.
LONGEST_WAIT = 300.0

USER_AGENT = f"partner-fields/{__version__} python/{platform.python_version()} requests/{requests.__version__}"


class _Headers(requests.auth.AuthBase):
    """Credentials as they are: without this, `requests` puts what ~/.netrc has for the host in their place."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        self._headers = headers

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers.update(self._headers)
        return request


class Connection:
    """Speaks HTTP with the service. Proxies, certificates and adapters are the session's: `requests`."""

    def __init__(
        self,
        base: str,
        *,
        key: Optional[str] = None,
        token: Optional[Token] = None,
        timeout: float = 30,
        session: Optional[requests.Session] = None,
    ) -> None:
        if not base.startswith(("http://", "https://")):
            raise ValueError(f"The base of the service is an address like https://fields.contoso.com, not {base!r}.")
        self.base = base.rstrip("/")
        self.timeout = timeout
        self.session = session or requests.Session()
        self.key = key
        self.token = token
        #: Seconds that the service's clock is ahead of this machine's; None before its first answer.
        self.clock_ahead: Optional[float] = None
        #: Set by Ctrl-C for as long as the threads of `run_many` have not ended.
        self.stop = threading.Event()

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
        again: Optional[bool] = None,
    ) -> requests.Response:
        """The answer to one request, below 300.

        `by` is the credential: `"token"`, `"key"`, `"either"` (the key where there is one), or None for what needs none. An
        answer of `waits_for` is waited for as `Retry-After` says, five times at most; so is a lost answer where the same
        request may be sent `again`: GET unless told.

        Raises FieldsError by its status; ValueError where the credential was not given.
        """
        may_repeat = method == "GET" if again is None else again
        for tries in itertools.count():
            told = {"User-Agent": USER_AGENT, **(headers or {})}
            try:
                answer = self._once(method, path, params, json, data, told, self._credential(by))
                if answer.status_code < 300:
                    return answer
                raise error_of(answer, retry_after(answer, None))
            except FieldsError as error:
                is_lost = isinstance(error, Unavailable) and error.is_lost
                pause = PAUSE if error.retry_after is None else error.retry_after
                may_wait = error.status in waits_for or is_lost and may_repeat
                if not may_wait or pause > LONGEST_WAIT or self.gives_up(error, tries):
                    raise
            self.pause(pause)
        raise AssertionError

    def gives_up(self, error: FieldsError, tries: int) -> bool:
        """Whether to ask no more after so many tries: an address that has never answered is wrong rather than away."""
        is_unreached = isinstance(error, Unavailable) and not error.was_sent
        return tries == WAITS or is_unreached and self.clock_ahead is None

    def ask(self, method: str, path: str, **options: Any) -> Any:
        """As `send`; what the answer's JSON says."""
        return json_of(self.send(method, path, **options))

    def ask_once(
        self, path: str, kind: str, body: bytes, *, by: str, key: Optional[str], params: Optional[Mapping[str, Any]] = None
    ) -> Any:
        """Posts something under an `Idempotency-Key`, made up unless told: one thing, however often its answer is lost."""
        kept = key or str(uuid.uuid4())
        headers = {"Content-Type": kind, "Idempotency-Key": kept}
        try:
            return self.ask("POST", path, by=by, params=params, data=body, headers=headers, again=True)
        except Unavailable as error:
            error.about = f"Idempotency-Key {kept}"
            raise
        except KeyboardInterrupt:
            how = f"sent again with idempotency_key={kept!r} it is the same one"
            raise Interrupted(f"The service may have it: {how}.") from None

    def pages(self, path: str, params: Mapping[str, Any], *, by: str) -> Iterator[Json]:
        """The `items` of a list under /v1, page by page; a page is asked for when the one before was read."""
        query = {name: value for name, value in params.items() if value is not None}
        while True:
            page = self.ask("GET", path, by=by, params=query)
            yield from page["items"]
            if page["cursor"] is None:
                return
            query["cursor"] = page["cursor"]

    def now(self) -> datetime:
        """The instant by the service's clock: this machine's may be wrong."""
        return datetime.now(timezone.utc) + timedelta(seconds=self.clock_ahead or 0)

    def pause(self, seconds: float) -> None:
        """Sleeps; in the threads of `run_many` until somebody presses Ctrl-C."""
        if threading.current_thread() is threading.main_thread():
            time.sleep(seconds)
        elif self.stop.wait(seconds):
            raise Interrupted

    def _credential(self, by: Optional[str]) -> Dict[str, str]:
        if by is None:
            return {}
        if by != "token" and self.key is not None:
            return {"Api-Key": self.key}
        if by == "key" or self.token is None:
            raise ValueError(
                "Enrollments and images need Fields(…, key=…)."
                if by == "key"
                else "Jobs and farm data need Fields(…, token=…), a text or a function that gives one."
            )
        return {"Authorization": f"Bearer {self.token() if callable(self.token) else self.token}"}

    def _once(
        self, method: str, path: str, params: Any, json: Any, data: Any, headers: Any, credential: Any
    ) -> requests.Response:
        is_own = path.startswith("/")
        address = f"{self.base}{path}" if is_own else path
        try:
            answer = self.session.request(
                method,
                address,
                params=params,
                json=json,
                data=data,
                headers=headers,
                auth=_Headers(credential),
                timeout=self.timeout,
                # As an argument, because REQUESTS_CA_BUNDLE goes before what the session itself says.
                verify=None if self.session.verify is True else self.session.verify,
                # A redirection would take the key to another host.
                allow_redirects=False,
            )
        except requests.RequestException as error:
            # Not as its cause: its text has the address with the query, and that of storage opens the customer's files.
            lost = Unavailable(self._silence(address, error))
            lost.was_sent = not isinstance(error.args[0] if error.args else None, urllib3.exceptions.MaxRetryError)
            raise lost from None
        length = answer.headers.get("Content-Length", "")
        if length.isdigit() and answer.raw is not None and answer.raw.tell() < int(length):
            raise Unavailable(f"The answer of {_host(address)} was cut off.")
        if is_own and "Date" in answer.headers:
            self.clock_ahead = parsedate_to_datetime(answer.headers["Date"]).timestamp() - time.time()
        return answer

    def _silence(self, address: str, error: requests.RequestException) -> str:
        if isinstance(error, requests.exceptions.ProxyError):
            why = "the proxy does not answer (HTTPS_PROXY, or session.proxies)"
        elif isinstance(error, requests.exceptions.SSLError):
            why = f"its certificate is not trusted (REQUESTS_CA_BUNDLE, or session.verify): {_innermost(error)}"
        elif isinstance(error, requests.Timeout):
            why = f"none within {self.timeout:g} s"
        else:
            why = _innermost(error)
        return f"No answer from {_host(address)}: {why}"


def _host(address: str) -> str:
    return "/".join(address.split("/")[:3])


def _innermost(error: BaseException) -> str:
    """What went wrong at the bottom: the texts above it repeat the address."""
    inner = getattr(error, "reason", None) or (error.args[-1] if error.args else None)
    if isinstance(inner, BaseException):
        return _innermost(inner)
    text = str(inner or error)
    return text.split(">: ")[-1]


def json_of(answer: requests.Response) -> Any:
    """What the answer's JSON says. Raises Unavailable where somebody in between has answered instead."""
    try:
        return answer.json()
    except ValueError:
        raise Unavailable(f"{_host(answer.url)} answers with no JSON: {answer.text[:100]}", status=answer.status_code) from None


def retry_after(answer: requests.Response, default: Optional[float] = PAUSE) -> Optional[float]:
    """Seconds until the service wants to be asked again, as the answer says: a number, or an instant as proxies have it."""
    told = answer.headers.get("Retry-After", "").strip()
    if told.isdigit():
        return float(told)
    try:
        said = parsedate_to_datetime(answer.headers.get("Date", formatdate()))
        return max(0.0, (parsedate_to_datetime(told) - said).total_seconds())
    except (TypeError, ValueError, IndexError):
        return default
