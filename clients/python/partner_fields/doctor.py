"""What is wrong between a program and the service: address, clock, rights, storage; and what to do about each."""

from __future__ import annotations

import base64
import json
import time
from email.utils import parsedate_to_datetime
from typing import Callable, Iterator, Mapping, Optional

import requests

from .connection import Json
from .errors import FieldsError, Limited, Unavailable
from .service import Fields
from .version import __version__

#: A clock that is further off misleads whoever compares times, and ends tokens early or late.
CLOCK_SECONDS = 120
LOGIN = "fields login, or set FIELDS_KEY and FIELDS_TOKEN"
CERTIFICATE = "name the file of the private CA in REQUESTS_CA_BUNDLE"


def examine(fields: Fields) -> Iterator[Json]:
    """A row for each check: `check`, `result` (`fine`, `wrong`, `away`, `not given`), `found`, `do`."""
    connection = fields.connection
    try:
        answer = connection.session.get(f"{connection.base}/health", timeout=connection.timeout)
    except requests.RequestException as fault:
        yield _row("address", "away", f"{connection.base}: {fault}", _remedy(fault))
        return
    version = _version(answer)
    if version is None:
        found = f"{connection.base} answers {answer.status_code}, but is another program"
        yield _row("address", "wrong", found, "fields login with the address of the service")
        return
    yield _row("address", "fine", f"{connection.base}, version {version}, this package {__version__}")
    yield _clock(answer)
    yield from _key(fields)
    yield from _token(fields)


def _row(check: str, result: str, found: str, do: str = "") -> Json:
    return {"check": check, "result": result, "found": found, "do": do}


def _remedy(fault: Exception) -> str:
    if isinstance(fault, requests.exceptions.SSLError):
        return CERTIFICATE
    if isinstance(fault, requests.exceptions.ProxyError):
        return "check HTTPS_PROXY; NO_PROXY names what needs none"
    return "is the address right (fields login), the network there, the service started?"


def _version(answer: requests.Response) -> Optional[str]:
    try:
        return str(answer.json()["version"])
    except (ValueError, KeyError, TypeError):
        return None


def _clock(answer: requests.Response) -> Json:
    if "Date" not in answer.headers:
        return _row("clock", "fine", "the service tells no time")
    ahead = time.time() - parsedate_to_datetime(answer.headers["Date"]).timestamp()
    if abs(ahead) < CLOCK_SECONDS:
        return _row("clock", "fine", "as the service's")
    found = f"{abs(ahead) / 60:.0f} min {'ahead of' if ahead > 0 else 'behind'} the service's"
    return _row("clock", "wrong", found, "let the system set its clock (NTP)")


def _tried(check: str, ask: Callable[[], str], do: str) -> Json:
    """A request that is allowed and answered, or why not."""
    try:
        return _row(check, "fine", ask())
    except FieldsError as error:
        is_away = isinstance(error, (Limited, Unavailable))
        return _row(check, "away" if is_away else "wrong", f"{error.code} {error.message}".strip(), do)
    except requests.RequestException as fault:
        return _row(check, "away", str(fault), _remedy(fault))


def _key(fields: Fields) -> Iterator[Json]:
    if not fields.connection.key:
        yield _row("key", "not given", "no enrollments, no images", LOGIN)
        return

    def storage() -> str:
        folder = fields.storage.folder()
        fields.storage.read("sentinel-2/index.json")
        return f"{folder.url.split('?')[0]}, for {folder.seconds / 3600:.1f} h"

    row = _tried("key", _asked(fields, "/v1/fields", "key", {"limit": "1"}, "may enroll fields, read images"), "ask the service's team for another key, then fields login")
    yield row
    if row["result"] == "fine":
        reach = f"let this machine reach that address on port 443; {CERTIFICATE}"
        yield _tried("storage", storage, reach)


def _token(fields: Fields) -> Iterator[Json]:
    token = fields.connection.token
    if not token:
        yield _row("token", "not given", "no jobs, no farm data", LOGIN)
        return
    claims = _claims(token() if callable(token) else token)
    seconds = float(claims.get("exp", 0)) - time.time()
    until = f"for {seconds / 3600:.1f} h" if "exp" in claims else ""
    for what, path, params in (
        ("Jobs", "/v1/jobs", {"limit": "1"}),
        ("Farm", "/parties", {"maxPageSize": "10", "api-version": "2023-11-01-preview"}),
    ):
        roles = [role for role in claims.get("roles", []) if role.startswith(what)]
        do = f"a token with the role {what}.Read or {what}.ReadWrite, then fields login"
        yield _tried(f"token: {what}", _asked(fields, path, "token", params, " ".join([*roles, until])), do)


def _asked(fields: Fields, path: str, by: str, params: Mapping[str, str], found: str) -> Callable[[], str]:
    def ask() -> str:
        fields.connection.send("GET", path, by=by, params=params)
        return found

    return ask


def _claims(token: str) -> Json:
    """What a token says about itself; nothing is relied on but for telling it."""
    try:
        middle = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
        return claims if isinstance(claims, dict) else {}
    except (IndexError, ValueError):
        return {}
