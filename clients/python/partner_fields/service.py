"""The whole service behind one name."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterable, Iterator, List, Optional, Sequence, Union

import requests

from .connection import Connection, Json, Token
from .enrollments import Enrollment
from .farm import Farm
from .jobs import BoundaryJobs, Jobs, Table
from .notices import Event, Webhooks
from .observations import Image, Storage


class Fields:
    """The service: jobs and farm data with a token, enrollments and images with a key.

    `base` is its address; `token` a text or a function that gives one that is good now, asked before each call; `timeout` in
    seconds; `session` one of `requests` with proxies, certificates and adapters of yours; `blob_endpoint` where files lie,
    `https://{account}.blob.core.windows.net` unless told.
    """

    def __init__(
        self,
        base: str,
        *,
        key: Optional[str] = None,
        token: Optional[Token] = None,
        timeout: float = 30,
        session: Optional[requests.Session] = None,
        blob_endpoint: Optional[str] = None,
    ) -> None:
        self.connection = Connection(base, key=key, token=token, timeout=timeout, session=session)
        self.gdd = Jobs(self.connection, "gdd", "gdd", "Field")
        self.boundary = BoundaryJobs(self.connection, "smartBoundary", "smart-boundary", "Farm")
        self.farm = Farm(self.connection)
        self.webhooks = Webhooks(self.connection)
        self.storage = Storage(self.connection, blob_endpoint)

    @classmethod
    def open(cls, file: Optional[Union[str, Path]] = None, *, timeout: float = 30) -> Fields:
        """By the environment (FIELDS_BASE, FIELDS_KEY, FIELDS_TOKEN), else by `file`, else by the login of the command `fields`.

        `Fields.open(".local/service.json")` is the service that `npm start` has started.
        """
        raise NotImplementedError

    def enroll(
        self,
        fields: Any,
        *,
        start: Any,
        end: Any,
        layers: Sequence[str] = ("ndvi",),
        description: Optional[str] = None,
        id: str = "field_id",
        idempotency_key: Optional[str] = None,
    ) -> Enrollment:
        """Submits fields (see `read_fields`) to be monitored from `start` to `end`, both included; once, whatever is lost.

        `layers` of `ndvi`, `vegetation`, `scouting`, `true-color`. The `Idempotency-Key` is made up unless told.

        Raises Refused (422) with every fault in `details`; ValueError before anything is sent.
        """
        raise NotImplementedError

    def try_out(self, fields: Any, *, start: Any, end: Any, layers: Sequence[str] = ("ndvi",), id: str = "field_id") -> List[Json]:
        """What would become of each field of a submission: `field_id`, `area_ha`, `errors`. Nothing is stored."""
        raise NotImplementedError

    def enrollment(self, enrollment_id: str) -> Enrollment:
        """One of the customer's enrollments."""
        raise NotImplementedError

    def enrollments(self, *, status: Optional[str] = None) -> Iterator[Enrollment]:
        """The customer's enrollments, newest first."""
        raise NotImplementedError

    def list_fields(self, *, group: Optional[str] = None) -> Iterator[Json]:
        """The customer's fields: field_id, group, geometry, area_ha, newest_picture, …; of one group when told."""
        raise NotImplementedError

    def jobs(self, *, kind: Optional[str] = None, status: Optional[str] = None) -> Iterator[Json]:
        """The tenant's jobs, newest first."""
        raise NotImplementedError

    def insight(self, insight_id: str) -> Any:
        """What a job has found out, as an `Insight`."""
        raise NotImplementedError

    def observations(
        self, *, since: Any = None, fields: Optional[Iterable[str]] = None, group: Optional[str] = None
    ) -> Table:
        """What was seen of each field: a row for each field, day and layer, by field, date and layer.

        Columns: field_id, group, date, layer, mean, p2, p50, p98 (in the units of the layer), clear_percent (0 to 100),
        scene. A DataFrame with pandas, else a list of dicts. `fields` are ids; all of them unless told.
        """
        raise NotImplementedError

    def images(self, field_id: str, *, since: Any = None, layers: Optional[Iterable[str]] = None) -> Iterator[Image]:
        """The GeoTIFFs of a field since a day, oldest first: each can be saved, opened, read."""
        raise NotImplementedError

    def events(
        self, cursor: Optional[str] = None, *, follow: bool = False, types: Optional[Iterable[str]] = None
    ) -> Iterator[Event]:
        """What has happened, in order, from `cursor` on: the customer's events with a key, else the tenant's.

        Raises NotFound where the service keeps no log of events.
        """
        raise NotImplementedError
