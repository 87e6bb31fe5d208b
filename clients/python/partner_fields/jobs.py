"""Jobs: degree days and boundaries. Each is created once, whatever becomes of the answers, and its insight is fetched."""

from __future__ import annotations

import itertools
import re
import uuid
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union, overload

import requests

from .connection import PAUSE, Connection, json_of, retry_after
from .errors import Conflict, FieldsError, Interrupted, JobFailed, NotFound, Unavailable
from .farm import Resources
from .files import write_beside
from .values import Json, Table, day_of, plain, table

OnStatus = Optional[Callable[[Json], None]]

_FORMS = {
    ".json": "application/json",
    ".csv": "text/csv",
    ".svg": "image/svg+xml",
    ".geojson": "application/geo+json",
    ".tif": "image/tiff",
    ".tiff": "image/tiff",
}

#: Of an insight, what is alike in each row of `run_many`.
_LEFT_OUT = ("kind", "description", "modelVersion", "resourceType")


class Insight(Dict[str, Any]):
    """What a job has found out, as the service has it: `insight["total"]` (°C·day or °F·day), `insight["areaHectares"]`."""

    def __init__(self, connection: Connection, members: Mapping[str, Any]) -> None:
        super().__init__(members)
        self._connection = connection

    def read(self, accept: str) -> bytes:
        """Another form of it: `text/csv`, `image/svg+xml`, `application/geo+json`, `image/tiff`.

        Raises Refused (406) where the insight has none of that type.
        """
        path = f"/v1/insights/{self['insightId']}"
        return self._connection.send("GET", path, by="token", headers={"Accept": accept}).content

    def save(self, path: Union[str, Path]) -> Path:
        """Writes it in the form that the name ends with: .json, .csv, .svg, .geojson, .tiff; whole or not at all."""
        file = Path(path)
        accept = _FORMS.get(file.suffix.lower())
        if accept is None:
            raise ValueError(f"{file.name}: the name of an insight's file ends with one of {', '.join(_FORMS)}.")
        write_beside(file, self.read(accept))
        return file

    def frame(self) -> Table:
        """A row for each day of a season: date, tmin, tmax (°C), gdd, cumulative, source. Of degree days alone."""
        return table(self["daily"], ("date", "tmin", "tmax", "gdd", "cumulative", "source"))


class Jobs:
    """The jobs of one solution; `gdd` or `boundary` of `Fields`."""

    def __init__(self, connection: Connection, solution: str, path: str, resource_type: str, members: Sequence[str]) -> None:
        self._connection = connection
        self._solution = solution
        self._path = path
        self._resource_type = resource_type
        self.members = ("partyId", "resourceType", "resourceId", *members)

    def run(self, *, jobId: Optional[str] = None, on_status: OnStatus = None, **body: Any) -> Insight:
        """Creates a job, waits until it has ended and answers its insight.

        `body` has the members of `partnerRequestBody` as docs/gdd.md and docs/boundary.md name them; `resourceType` may be
        left out, days may be `date` or `Timestamp`, None is left out. `jobId` is made up unless told; the same job again
        under its id is no conflict.

        Raises JobFailed with the job's code and message; Refused, Conflict, Limited, Unavailable; Interrupted at Ctrl-C.
        """
        job_id = jobId or str(uuid.uuid4())
        try:
            self.create(job_id, **body)
            job = self.ended(job_id, on_status)
            if job["status"] != "SUCCEEDED":
                raise _failed(job)
            return Insight(self._connection, self._connection.ask("GET", f"/v1/insights/{job['insightId']}", by="token"))
        except FieldsError as error:
            error.about = error.about or f"job {job_id}"
            raise
        except KeyboardInterrupt:
            raise Interrupted(
                f"Job {job_id} goes on at the service: ended({job_id!r}) waits for it, cancel({job_id!r}) ends it."
            ) from None

    @overload
    def run_many(self, rows: Sequence[Mapping[str, Any]], at_once: int = 8) -> List[Json]: ...
    @overload
    def run_many(self, rows: Any, at_once: int = 8) -> Any: ...
    def run_many(self, rows: Any, at_once: int = 8) -> Any:
        """A job for each row, `at_once` at a time; rows or a DataFrame in, one out, in the order given.

        A row has the members of `run`; what else it has stays. What comes out is the row with `jobId`, `status`, the numbers
        and texts of the insight (`total`, `areaHectares`, …) and its `boundary`, or `code` and `message` where the job failed,
        was refused or got no answer: one bad row stops no other, and once the service is away no further row is begun.

        Raises Interrupted at Ctrl-C, with the ids of the jobs that go on.
        """
        is_frame = hasattr(rows, "to_dict") and hasattr(rows, "columns")
        given: List[Json] = rows.to_dict("records") if is_frame else [dict(row) for row in rows]
        many = _Many(self)
        with ThreadPoolExecutor(max(1, at_once)) as pool:
            futures = [pool.submit(many.run, row) for row in given]
            try:
                # In turns: on Windows nothing interrupts a wait.
                while wait(futures, timeout=1).not_done:
                    pass
            except KeyboardInterrupt:
                self._connection.stop.set()
                pool.shutdown(cancel_futures=True)
                self._connection.stop.clear()
                raise Interrupted(f"These jobs go on at the service: {', '.join(many.open) or 'none'}.") from None
        out = [future.result() for future in futures]
        if not is_frame:
            return [{**row, **found} for row, found in zip(given, out)]
        names = dict.fromkeys(name for found in out for name in found)
        return rows.assign(**{name: [found.get(name) for found in out] for name in names})

    def create(self, job_id: str, **body: Any) -> Json:
        """Queues a job under an id of yours and answers it. After a time-out or a 503 the job is fetched and compared."""
        sent = {name: day_of(value) if name.endswith("Date") else plain(value) for name, value in body.items()}
        sent = {"resourceType": self._resource_type, **{name: value for name, value in sent.items() if value is not None}}
        for tries in itertools.count():
            try:
                return dict(json_of(self._operate("create", job_id, waits_for=(429,), partnerRequestBody=sent)))
            except Conflict:
                job = self._find(job_id, sent)
                if job is None:
                    raise
                return job
            except Unavailable as lost:
                if self._connection.gives_up(lost, tries) or not (lost.is_lost or lost.status == 503):
                    raise
                self._connection.pause(PAUSE if lost.retry_after is None else lost.retry_after)
                job = self._find(job_id, sent)
                if job is not None:
                    return job
        raise AssertionError

    def fetch(self, job_id: str) -> Json:
        """The job as it is now."""
        return dict(json_of(self._operate("fetch", job_id, again=True)))

    def cancel(self, job_id: str) -> Json:
        """Cancels a job that has not ended. Raises Conflict when it has."""
        return dict(json_of(self._operate("cancel", job_id)))

    def ended(self, job_id: str, on_status: OnStatus = None) -> Json:
        """The job once it has ended, looked at as often as the service asks."""
        while True:
            answer = self._operate("fetch", job_id, again=True)
            job: Json = json_of(answer)
            if on_status is not None:
                on_status(job)
            if job["status"] not in ("WAITING", "RUNNING"):
                return job
            self._connection.pause(retry_after(answer) or 0)

    def _find(self, job_id: str, sent: Json) -> Optional[Json]:
        """The job of this id, where there is one and it is what was sent."""
        try:
            job = self.fetch(job_id)
        except NotFound:
            return None
        return job if same_job(sent, job["partnerRequestBody"]) else None

    def _operate(
        self, operation: str, job_id: str, waits_for: Sequence[int] = (429, 503), again: bool = False, **more: Any
    ) -> requests.Response:
        return self._connection.send(
            "POST",
            f"/solutions/partnerAgPowered.{self._solution}:{operation}",
            by="token",
            json={"requestPath": f"/v1/{self._path}/{job_id}", **more},
            waits_for=waits_for,
            again=again,
        )


class _Many:
    """What the threads of `run_many` share."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._away: Optional[Unavailable] = None
        #: Ids of jobs that are waited for.
        self.open: List[str] = []

    def run(self, row: Json) -> Json:
        """What has become of a row: columns to be added to it."""
        if self._away is not None:
            return {"status": "NOT_BEGUN", "code": self._away.code, "message": self._away.message}
        job_id = str(plain(row.get("jobId")) or uuid.uuid4())
        self.open.append(job_id)
        try:
            insight = self._jobs.run(jobId=job_id, **{name: row[name] for name in self._jobs.members if name in row})
        except FieldsError as error:
            self._away = error if isinstance(error, Unavailable) else self._away
            status = "FAILED" if isinstance(error, JobFailed) else "UNKNOWN" if error is self._away else "REFUSED"
            found = {"status": status, "code": error.code, "message": error.message}
        else:
            new = {name: value for name, value in insight.items() if name not in {*_LEFT_OUT, *row}}
            simple = {name: new[name] for name in new if name == "boundary" or not isinstance(new[name], (dict, list))}
            found = {**simple, "status": "SUCCEEDED"}
        self.open.remove(job_id)
        return {**found, "jobId": job_id}


class BoundaryJobs(Jobs):
    """Smart Boundary jobs."""

    def at(
        self,
        lon: float,
        lat: float,
        *,
        start: Any = None,
        end: Any = None,
        party: Optional[str] = None,
        farm: Optional[str] = None,
    ) -> Insight:
        """The boundary of the field around a point (degrees, WGS 84).

        Scenes are those of `start` to `end`, at most 14 days, the last ones unless told. `party` and `farm` are ids of whom the insight is for; the only farm (of the party, of the tenant) unless told.

        Raises ValueError where there is not exactly one farm; otherwise as `run`.
        """
        if party is None or farm is None:
            party, farm = self._only_farm(party)
        last = day_of(end or self._connection.now())
        first = day_of(start or date.fromisoformat(last) - timedelta(days=13))
        point = {"longitude": lon, "latitude": lat}
        return self.run(partyId=party, resourceId=farm, imageStartDate=first, imageEndDate=last, pointOnSurface=point)

    def _only_farm(self, party: Optional[str]) -> "tuple[str, str]":
        farms = list(itertools.islice(Resources(self._connection, "farms").list(party), 2))
        if len(farms) != 1:
            there = "no farm" if not farms else "more than one farm"
            raise ValueError(f"There is {there}: say whom the boundary is for, party=… and farm=….")
        return farms[0]["partyId"], farms[0]["id"]


def _failed(job: Json) -> JobFailed:
    message = str(job["message"])
    code = re.match(r"[A-Z]+-\d+", message)
    return JobFailed(message, status=200, code=code[0] if code else str(job["status"]), trace_id=str(job.get("e2eId", "")))


def _meaning(value: Any) -> Any:
    """A value by its meaning: texts in either case, members in any order, null as absent."""
    if isinstance(value, str):
        return value.upper()
    if isinstance(value, Mapping):
        return {name: _meaning(member) for name, member in value.items() if member is not None}
    return value


def same_job(sent: Mapping[str, Any], echo: Mapping[str, Any]) -> bool:
    """Whether a job's `partnerRequestBody` is what was sent, by its meaning.

    Types and units come back in upper case, the unit also when it was left out, and those of imagery in `modelSpec`.
    """

    def whole(parameters: Mapping[str, Any]) -> Any:
        flat = {**parameters, **(parameters.get("modelSpec") or {}), "modelSpec": None}
        given = {name: value for name, value in flat.items() if value is not None}
        return _meaning({"temperatureUnit": "C", "startEvent": "PLANTING", **given})

    return bool(whole(sent) == whole(echo))
