"""Jobs: degree days and boundaries. Each is created once, whatever becomes of the answers, and its insight is fetched."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union, overload

from .connection import Connection, Json

#: A pandas DataFrame where pandas is installed, else a list of dicts: typed as Any, so that neither has to be cast.
Table = Any


class Insight(Dict[str, Any]):
    """What a job has found out, as the service has it: `insight["total"]` (°C·day or °F·day), `insight["areaHectares"]`."""

    _connection: Connection

    def read(self, accept: str) -> bytes:
        """Another form of it: `text/csv`, `image/svg+xml`, `application/geo+json`, `image/tiff`.

        Raises Refused (406) where the insight has none of that type.
        """
        raise NotImplementedError

    def save(self, path: Union[str, Path]) -> Path:
        """Writes it in the form that the name ends with: .json, .csv, .svg, .geojson, .tiff; whole or not at all."""
        raise NotImplementedError

    def frame(self) -> Table:
        """A row for each day of a season: date, tmin, tmax (°C), gdd, cumulative, source. Of degree days alone."""
        raise NotImplementedError


class Jobs:
    """The jobs of one solution; `gdd` or `boundary` of `Fields`."""

    def __init__(self, connection: Connection, solution: str, path: str, resource_type: str) -> None:
        self._connection = connection
        self._solution = solution
        self._path = path
        self._resource_type = resource_type

    def run(self, *, job_id: Optional[str] = None, on_status: Optional[Callable[[Json], None]] = None, **body: Any) -> Insight:
        """Creates a job, waits until it has ended and answers its insight.

        `body` has the members of `partnerRequestBody` as docs/gdd.md and docs/boundary.md name them; `resourceType` may be
        left out, days may be `date` or `Timestamp`, None is left out. `job_id` is made up unless told; the same job again
        under its id is no conflict.

        Raises JobFailed with the job's code and message; Refused, Conflict, Limited, Unavailable; Interrupted at Ctrl-C.
        """
        raise NotImplementedError

    @overload
    def run_many(self, rows: Sequence[Mapping[str, Any]], at_once: int = 8) -> List[Json]: ...
    @overload
    def run_many(self, rows: Any, at_once: int = 8) -> Any: ...
    def run_many(self, rows: Any, at_once: int = 8) -> Any:
        """A job for each row, `at_once` at a time; rows or a DataFrame in, one out, in the order given.

        What comes out is the row with `jobId`, `status`, the numbers and texts of the insight (`total`, `areaHectares`, …) and
        its `boundary`, or `code` and `message` where the job failed or was refused: one bad row stops no other.

        Raises Unavailable when the service is away; Interrupted at Ctrl-C, with the ids of the jobs that go on.
        """
        raise NotImplementedError

    def create(self, job_id: str, **body: Any) -> Json:
        """Queues a job under an id of yours and answers it. After a time-out or a 503 the job is fetched and compared."""
        raise NotImplementedError

    def fetch(self, job_id: str) -> Json:
        """The job as it is now."""
        raise NotImplementedError

    def cancel(self, job_id: str) -> Json:
        """Cancels a job that has not ended. Raises Conflict when it has."""
        raise NotImplementedError

    def ended(self, job_id: str, on_status: Optional[Callable[[Json], None]] = None) -> Json:
        """The job once it has ended, looked at as often as the service asks."""
        raise NotImplementedError


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
        """The boundary of the field around a point (degrees, WGS 84), from scenes of `start` to `end`, the last 14 days unless told.

        `party` and `farm` are ids of whom the insight is for; the tenant's only farm unless told.

        Raises ValueError where there is not exactly one farm; otherwise as `run`.
        """
        raise NotImplementedError


def same_job(sent: Mapping[str, Any], echo: Mapping[str, Any]) -> bool:
    """Whether a job's `partnerRequestBody` is what was sent, by its meaning."""
    raise NotImplementedError
