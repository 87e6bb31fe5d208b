"""What has happened: the log of events, and webhooks that are told of them."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Optional

from .connection import Connection, Json


class Event(Dict[str, Any]):
    """A CloudEvent: `event["type"]`, `event["time"]`, `event["data"]`."""

    #: Go on from here after you have dealt with this event: nothing is missed, the events of its page may come again.
    cursor: str


def list_events(
    connection: Connection,
    cursor: Optional[str] = None,
    *,
    follow: bool = False,
    types: Optional[Iterable[str]] = None,
) -> Iterator[Event]:
    """Events in order, from `cursor` or from the beginning of the log; with `follow` it waits for further ones, every few seconds."""
    raise NotImplementedError


class Webhooks:
    """The caller's webhooks: the customer's with a key, else the tenant's."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(self, url: str, *, idempotency_key: Optional[str] = None, **members: Any) -> Json:
        """A new one (`types`, `description`, `max_in_flight`); its `secret` is shown this once."""
        raise NotImplementedError

    def list(self) -> List[Json]:
        """All of them, each with its `pending_events`."""
        raise NotImplementedError

    def get(self, webhook_id: str) -> Json:
        """One of them."""
        raise NotImplementedError

    def change(self, webhook_id: str, **members: Any) -> Json:
        """Changes `url`, `types`, `description`, `max_in_flight`, `status`, `resume_from`."""
        raise NotImplementedError

    def remove(self, webhook_id: str) -> None:
        """Deletes it with its deliveries."""
        raise NotImplementedError

    def verify(self, webhook_id: str) -> Json:
        """Asks the receiver for its consent again."""
        raise NotImplementedError

    def ping(self, webhook_id: str) -> Json:
        """Sends an event that stands in no log, and tells what the receiver answered."""
        raise NotImplementedError

    def rotate(self, webhook_id: str, expires_in_hours: int = 24) -> Json:
        """A new `secret`; the former signs too for so many hours."""
        raise NotImplementedError

    def deliveries(self, webhook_id: str, *, status: Optional[str] = None) -> Iterator[Json]:
        """What became of events, newest first."""
        raise NotImplementedError

    def redeliver(self, webhook_id: str, sequence: str) -> Json:
        """Sends an event of the log once more."""
        raise NotImplementedError
