"""What the satellites saw: the customer's files in storage, read with a token that is renewed by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Union

from .connection import Connection, Json
from .jobs import Table


class Folder(NamedTuple):
    """All that reading the customer's files takes, for other programs that read."""

    #: Address of the folder, without a slash at the end.
    url: str
    #: The query that opens what lies there: not for a log.
    sas_token: str
    #: Seconds that the token is good for from now.
    seconds: float


class Storage:
    """The customer's files. Tokens are renewed five minutes before they end, by the server's clock, and after a refusal."""

    def __init__(self, connection: Connection, blob_endpoint: Optional[str] = None) -> None:
        self._connection = connection
        self._blob_endpoint = blob_endpoint

    def folder(self) -> Folder:
        """Where the folder lies and what opens it, good for five minutes at least."""
        raise NotImplementedError

    def read(self, path: str) -> Optional[bytes]:
        """A file below the folder, whole; None where there is none. Raises FieldsError with the words of storage."""
        raise NotImplementedError


class Image:
    """One layer of one field on one day, a GeoTIFF in storage."""

    def __init__(self, storage: Storage, field_id: str, day: Json, layer: str) -> None:
        self._storage = storage
        self.field_id = field_id
        #: UTC day of the acquisition, `YYYY-MM-DD`.
        self.date = str(day["date"])
        self.layer = layer
        #: Share of the field that is seen, 0 to 100.
        self.clear_percent: Optional[float] = day["clear_percent"]

    def read(self) -> bytes:
        """The GeoTIFF's bytes. Raises NotFound where it has expired since the list was read."""
        raise NotImplementedError

    def save(self, path: Union[str, Path] = ".") -> Path:
        """Writes it to `path`, or to `{field_id}/{date}/{layer}.tiff` below a folder; answers where.

        A name that ends in .tif or .tiff is a file, everything else a folder.
        """
        raise NotImplementedError

    def open(self) -> Any:
        """The dataset of rasterio, opened in memory: bands of `[row][column]`, units in docs/imagery.md. Needs rasterio."""
        raise NotImplementedError


def list_images(storage: Storage, field_id: str, since: Any = None, layers: Optional[Iterable[str]] = None) -> Iterator[Image]:
    """The images of a field since a day, oldest first; of all layers unless told."""
    raise NotImplementedError


def list_observations(storage: Storage, fields: Sequence[Json], since: Any = None) -> List[Json]:
    """A row for each field, day and layer: field_id, group, date, layer, mean, p2, p50, p98, clear_percent, scene."""
    raise NotImplementedError


def table(rows: List[Json]) -> Table:
    """Rows as a DataFrame, days as Timestamps, where pandas is installed; else as they are."""
    raise NotImplementedError
