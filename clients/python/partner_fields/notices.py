"""What has happened: the log of events, and webhooks that are told of them."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional
from urllib.parse import quote

from .connection import Connection
from .values import Json, plain

#: Seconds between two looks at the end of the log.
_LOOK = 5.0


class Event(Dict[str, Any]):
    """A CloudEvent: `event["type"]`, `event["time"]`, `event["data"]`."""

    def __init__(self, members: Mapping[str, Any], cursor: Optional[str]) -> None:
        super().__init__(members)
        #: Go on from here once you have dealt with this event: nothing is missed, the events of its page may come again.
        self.cursor = cursor


def list_events(
    connection: Connection,
    cursor: Optional[str] = None,
    *,
    follow: bool = False,
    types: Optional[Iterable[str]] = None,
) -> Iterator[Event]:
    """Events in order, from `cursor` or from the beginning of the log; with `follow` it waits for further ones."""
    wanted = {} if types is None else {"types": types if isinstance(types, str) else ",".join(types)}
    while True:
        page = connection.ask("GET", "/v1/events", by="either", params={**wanted, **({"cursor": cursor} if cursor else {})})
        for place, event in enumerate(page["items"], 1):
            yield Event(event, page["cursor"] if place == len(page["items"]) else cursor)
        cursor = page["cursor"]
        if not page["has_more"]:
            if not follow:
                return
            connection.pause(_LOOK)


class Webhooks:
    """The caller's webhooks: the customer's with a key, else the tenant's."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(self, url: str, *, idempotency_key: Optional[str] = None, **members: Any) -> Json:
        """A new one (`types`, `description`, `max_in_flight`); its `secret` is shown this once."""
        body = json.dumps({"url": url, **plain(members)}).encode()
        return dict(
            self._connection.ask_once("/v1/webhooks", "application/json", body, by="either", key=idempotency_key)
        )

    def list(self) -> List[Json]:
        """All of them, each with its `pending_events`."""
        return list(self._ask("GET")["items"])

    def get(self, webhook_id: str) -> Json:
        """One of them."""
        return self._ask("GET", webhook_id)

    def change(self, webhook_id: str, **members: Any) -> Json:
        """Changes `url`, `types`, `description`, `max_in_flight`, `status`, `resume_from`."""
        headers = {"Content-Type": "application/merge-patch+json"}
        return self._ask("PATCH", webhook_id, json=plain(members), headers=headers)

    def remove(self, webhook_id: str) -> None:
        """Deletes it with its deliveries."""
        self._connection.send("DELETE", _path(webhook_id), by="either")

    def verify(self, webhook_id: str) -> Json:
        """Asks the receiver for its consent again."""
        return self._ask("POST", webhook_id, "verify")

    def ping(self, webhook_id: str) -> Json:
        """Sends an event that stands in no log, and tells what the receiver answered."""
        return self._ask("POST", webhook_id, "ping")

    def rotate(self, webhook_id: str, expires_in_hours: int = 24) -> Json:
        """A new `secret`; the former signs too for so many hours."""
        return self._ask("POST", webhook_id, "rotate", json={"expires_in_hours": expires_in_hours})

    def deliveries(self, webhook_id: str, *, status: Optional[str] = None) -> Iterator[Json]:
        """What became of events, newest first."""
        return self._connection.pages(_path(webhook_id, "deliveries"), {"status": status}, by="either")

    def redeliver(self, webhook_id: str, sequence: str) -> Json:
        """Sends an event of the log once more."""
        return self._ask("POST", webhook_id, "deliveries", sequence, "redeliver")

    def _ask(self, method: str, *parts: str, **options: Any) -> Json:
        return dict(self._connection.ask(method, _path(*parts), by="either", **options))


def _path(*parts: str) -> str:
    return "/".join(["/v1/webhooks", *(quote(part, safe="") for part in parts)])
