"""Enrollments: fields of a file or a frame, submitted once, and waited for."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, List, Optional, Union

from .connection import Connection, Json


class Enrollment:
    """A submission of fields; `state` is what the service last said about it."""

    def __init__(self, connection: Connection, state: Json) -> None:
        self._connection = connection
        self.state = state

    @property
    def id(self) -> str:
        """Its `enrollment_id`."""
        return str(self.state["enrollment_id"])

    @property
    def status(self) -> str:
        """`received`, `in_progress`, `completed` or `failed`."""
        return str(self.state["status"])

    @property
    def errors(self) -> List[Json]:
        """What is wrong with fields: `field_id`, `code`, `message` of each."""
        return self.state["errors"] or []

    def refresh(self) -> Enrollment:
        """Asks for its state once more."""
        raise NotImplementedError

    def backfill(self) -> Json:
        """How far the images of past days are: `status` (`waiting`, `running`, `completed`), `days`, `days_left`."""
        raise NotImplementedError

    def wait(self, *, images: bool = True, on_progress: Optional[Callable[[str], None]] = None) -> Enrollment:
        """Returns once its fields are checked and, with `images`, the images of its past days are made.

        `on_progress` is told a line of text whenever something has changed.

        Raises Refused with the first field's code and message where no field could be ingested; Interrupted at Ctrl-C.
        """
        raise NotImplementedError


def read_fields(fields: Any, id: str = "field_id") -> bytes:
    """Fields as the service takes them, GeoJSON in WGS 84: the bytes of a part of a submission.

    `fields` is a path (GeoJSON as it is; shapefile, GeoPackage, KML by geopandas), a GeoDataFrame in any reference system, or
    a FeatureCollection; `id` names the column or property with the ids, which become texts.

    Raises ValueError where a column is missing, ImportError where geopandas is needed and absent.
    """
    raise NotImplementedError


def multipart(request: Json, geojson: bytes) -> "tuple[str, bytes]":
    """The two parts of a submission: content type and body. Made once for each call, so that a repetition has the same bytes."""
    raise NotImplementedError
