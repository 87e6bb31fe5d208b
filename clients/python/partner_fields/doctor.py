"""What is wrong between a program and the service: address, clock, rights, storage; and what to do about each."""

from __future__ import annotations

import base64
import json
import time
from typing import Any, Callable, Iterator

from .errors import FieldsError, Limited, Unavailable
from .service import Fields
from .values import Json
from .version import __version__

#: A clock that is further off misleads whoever compares times, and ends tokens early or late.
CLOCK_SECONDS = 120
LOGIN = "fields login, or set FIELDS_KEY and FIELDS_TOKEN"


def examine(fields: Fields) -> Iterator[Json]:
    """A row for each check: `check`, `result` (`fine`, `wrong`, `away`, `not given`), `found`, `do`."""
    connection = fields.connection

    def address() -> str:
        health = connection.ask("GET", "/health")
        if not isinstance(health, dict) or "version" not in health:
            raise FieldsError(f"{connection.base} is the address of another program")
        return f"{connection.base}, version {health['version']}, this package {__version__}"

    answered = _tried("address", address, "is the address right (fields login), the service started, the network there?")
    yield answered
    if answered["result"] != "fine":
        return
    yield _clock(connection.clock_ahead)
    yield from _key(fields)
    yield from _token(fields)


def _row(check: str, result: str, found: str, do: str = "") -> Json:
    return {"check": check, "result": result, "found": found, "do": do}


def _tried(check: str, ask: Callable[[], str], do: str) -> Json:
    """A row for what is asked: what was found, or why not and what to do."""
    try:
        return _row(check, "fine", ask())
    except FieldsError as error:
        result = "away" if isinstance(error, (Limited, Unavailable)) else "wrong"
        # A token need not open everything.
        if error.status == 403 and check.startswith("token"):
            result = "not given"
        return _row(check, result, f"{error.code} {error.message}".strip(), do)


def _clock(ahead: "float | None") -> Json:
    """`ahead` are the seconds that the service's clock is ahead of this machine's."""
    if abs(ahead or 0) < CLOCK_SECONDS:
        return _row("clock", "fine", "as the service's")
    found = f"{abs(ahead or 0) / 60:.0f} min {'behind' if (ahead or 0) > 0 else 'ahead of'} the service's"
    return _row("clock", "wrong", found, "let the system set its clock (NTP)")


def _key(fields: Fields) -> Iterator[Json]:
    if not fields.connection.key:
        yield _row("key", "not given", "no enrollments, no images", LOGIN)
        return

    def storage() -> str:
        folder = fields.storage.folder()
        fields.storage.read("sentinel-2/index.json")
        return f"{folder.url}, until {folder.ends_at:%H:%M} UTC"

    ask = _asked(fields, "/v1/fields", "key", {"limit": 1}, "may enroll fields and read images")
    key = _tried("key", ask, "ask the service's team for another key, then fields login")
    yield key
    if key["result"] == "fine":
        yield _tried("storage", storage, "let this machine reach that address; name a private CA in REQUESTS_CA_BUNDLE")


def _token(fields: Fields) -> Iterator[Json]:
    token = fields.connection.token
    if not token:
        yield _row("token", "not given", "no jobs, no farm data", LOGIN)
        return
    claims = _claims(token() if callable(token) else token)
    ends = f"for {(float(claims['exp']) - time.time()) / 3600:.1f} h" if "exp" in claims else ""
    for what, path, params in (
        ("Jobs", "/v1/jobs", {"limit": 1}),
        ("Farm", "/parties", {"maxPageSize": 10, "api-version": "2023-11-01-preview"}),
    ):
        roles = [str(role) for role in claims.get("roles", []) if str(role).startswith(what)]
        do = f"a token that is good now, with the role {what}.Read or {what}.ReadWrite, then fields login"
        yield _tried(f"token: {what}", _asked(fields, path, "token", params, " ".join([*roles, ends])), do)


def _asked(fields: Fields, path: str, by: str, params: Any, found: str) -> Callable[[], str]:
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
