"""The whole service behind one name."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterable, Iterator, List, Optional, Sequence, Union

import requests

from .connection import Connection, Token
from .enrollments import Enrollment, submit
from .farm import Farm
from .jobs import BoundaryJobs, Insight, Jobs
from .login import read_login
from .notices import Event, Webhooks, list_events
from .observations import OBSERVED, Image, Storage, list_images, list_observations
from .values import Json, Table, table


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
        self.gdd = Jobs(
            self.connection,
            *("gdd", "gdd", "Field"),
            members=("crop", "gddStartDate", "gddEndDate", "startEvent", "temperatureUnit"),
        )
        self.boundary = BoundaryJobs(
            self.connection,
            *("smartBoundary", "smart-boundary", "Farm"),
            members=("imageStartDate", "imageEndDate", "pointOnSurface"),
        )
        self.farm = Farm(self.connection)
        self.webhooks = Webhooks(self.connection)
        self.storage = Storage(self.connection, blob_endpoint)

    @classmethod
    def open(cls, file: Optional[Union[str, Path]] = None, *, timeout: float = 30) -> Fields:
        """By `file`, else the environment (FIELDS_BASE, FIELDS_KEY, FIELDS_TOKEN), else the login of the command `fields`.

        `Fields.open(".local/service.json")` is the service that `npm start` has started. Raises ValueError without any.
        """
        login = read_login(file)
        session = requests.Session()
        session.verify = login.get("caFile", True)
        return cls(
            login["baseUrl"],
            key=login.get("apiKey"),
            token=login.get("jwt"),
            timeout=timeout,
            session=session,
            blob_endpoint=login.get("blobEndpoint"),
        )

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
        """Submits fields to be monitored from `start` to `end`, both included; once, whatever answer is lost.

        `fields` is a path (GeoJSON; shapefile, GeoPackage and others by geopandas), a GeoDataFrame in any reference system, or
        a FeatureCollection in WGS 84; `id` names the column or property with the ids. `layers` of `ndvi`, `vegetation`,
        `scouting`, `true-color`. The `Idempotency-Key` is made up unless told.

        Raises Refused (422) with every fault in `details`; ValueError and ImportError before anything is sent.
        """
        return Enrollment(
            self.connection,
            submit(
                self.connection,
                fields,
                start=start,
                end=end,
                layers=layers,
                description=description,
                id=id,
                idempotency_key=idempotency_key,
            ),
        )

    def try_out(
        self, fields: Any, *, start: Any, end: Any, layers: Sequence[str] = ("ndvi",), id: str = "field_id"
    ) -> List[Json]:
        """What would become of each field of a submission: `field_id`, `area_ha`, `errors`. Nothing is stored."""
        tried = submit(self.connection, fields, start=start, end=end, layers=layers, id=id, dry_run=True)
        return list(tried["fields"])

    def enrollment(self, enrollment_id: str) -> Enrollment:
        """One of the customer's enrollments."""
        return Enrollment(self.connection, {"enrollment_id": enrollment_id}).refresh()

    def enrollments(self, *, status: Optional[str] = None) -> Iterator[Enrollment]:
        """The customer's enrollments, newest first."""
        for state in self.connection.pages("/v1/enrollments", {"status": status}, by="key"):
            yield Enrollment(self.connection, state)

    def list_fields(self, *, group: Optional[str] = None) -> Iterator[Json]:
        """The customer's fields: field_id, group, geometry, area_ha, newest_picture, …; of one group when told."""
        return self.connection.pages("/v1/fields", {"group": group, "limit": 250}, by="key")

    def jobs(self, *, kind: Optional[str] = None, status: Optional[str] = None) -> Iterator[Json]:
        """The tenant's jobs, newest first."""
        return self.connection.pages("/v1/jobs", {"kind": kind, "status": status}, by="token")

    def insight(self, insight_id: str) -> Insight:
        """What a job has found out."""
        return Insight(self.connection, self.connection.ask("GET", f"/v1/insights/{insight_id}", by="token"))

    def observations(
        self, *, since: Any = None, fields: Optional[Iterable[str]] = None, group: Optional[str] = None
    ) -> Table:
        """What was seen of each field: a row for each field, day and layer, by field, date and layer.

        Columns: field_id, group, date, layer, mean, p2, p50, p98 (in the units of the layer), clear_percent (0 to 100),
        scene. A DataFrame with pandas, else a list of dicts. `fields` are ids; all of them unless told.
        """
        wanted = None if fields is None else {fields} if isinstance(fields, str) else set(fields)
        listed = [each for each in self.list_fields(group=group) if wanted is None or each["field_id"] in wanted]
        listed.sort(key=lambda field: str(field["field_id"]))
        return table(list_observations(self.storage, listed, since), OBSERVED)

    def images(self, field_id: str, *, since: Any = None, layers: Optional[Iterable[str]] = None) -> Iterator[Image]:
        """The GeoTIFFs of a field since a day, oldest first: each can be saved, opened, read."""
        return list_images(self.storage, field_id, since, layers)

    def events(
        self, cursor: Optional[str] = None, *, follow: bool = False, types: Optional[Iterable[str]] = None
    ) -> Iterator[Event]:
        """What has happened, in order, from `cursor` on: the customer's events with a key, else the tenant's.

        `types` such as `partner.imagery.*`; a cursor is good for 31 days with the types that it came with.

        Raises NotFound where the service keeps no log of events.
        """
        return list_events(self.connection, cursor, follow=follow, types=types)
