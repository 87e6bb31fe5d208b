"""What the satellites saw: the customer's files in storage, read with a token that is renewed by itself."""

from __future__ import annotations

import csv
import io
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Union
from urllib.parse import parse_qs, quote

from .connection import Connection
from .errors import FieldsError, NotFound
from .files import folder_name, write_beside
from .values import Json, day_of

#: Tokens are fetched anew this long before they end.
_MARGIN = timedelta(minutes=5)
_NUMBERS = ("mean", "p2", "p50", "p98", "clear_percent")
#: Columns of observations.
OBSERVED = ("field_id", "group", "date", "layer", *_NUMBERS, "scene")


class Folder(NamedTuple):
    """All that reading the customer's files takes, for other programs that read."""

    #: Address of the folder, without a slash at the end.
    url: str
    #: The query that opens what lies there: not for a log.
    sas_token: str
    #: When it ends, by the service's clock.
    ends_at: datetime


class Storage:
    """The customer's files. Tokens are renewed five minutes before they end, by the service's clock, and after a refusal."""

    def __init__(self, connection: Connection, blob_endpoint: Optional[str] = None) -> None:
        self._connection = connection
        self._blob_endpoint = blob_endpoint
        self._folder: Optional[Folder] = None
        self._renewing = threading.Lock()

    def folder(self, refused: Optional[Folder] = None) -> Folder:
        """Where the folder lies and what opens it, good for five minutes at least; another one than storage has `refused`."""
        with self._renewing:
            known = self._folder
            if known is None or known is refused or known.ends_at - _MARGIN < self._connection.now():
                known = self._folder = self._renewed()
            return known

    def read(self, path: str) -> Optional[bytes]:
        """A file below the folder, whole; None where there is none. Raises FieldsError with the words of storage."""
        folder = self.folder()
        try:
            return self._read(folder, path)
        except FieldsError as error:
            if error.status not in (401, 403):
                raise
        return self._read(self.folder(refused=folder), path)

    def _read(self, folder: Folder, path: str) -> Optional[bytes]:
        try:
            return self._connection.send("GET", f"{folder.url}/{quote(path)}?{folder.sas_token}").content
        except NotFound:
            return None

    def _renewed(self) -> Folder:
        access = self._connection.ask("GET", "/v1/auth/sas-token", by="key")
        account = self._blob_endpoint or f"https://{access['account_name']}.blob.core.windows.net"
        ends_at = datetime.fromisoformat(parse_qs(access["sas_token"])["se"][0].replace("Z", "+00:00"))
        return Folder(f"{account.rstrip('/')}/{access['file_system']}/{access['path']}", access["sas_token"], ends_at)


class Image:
    """One layer of one field on one day, a GeoTIFF in storage."""

    def __init__(self, storage: Storage, field_id: str, day: Json, layer: str) -> None:
        self._storage = storage
        self.field_id = field_id
        #: UTC day of the acquisition, `YYYY-MM-DD`.
        self.date = str(day["date"])
        self.layer = layer
        #: Share of the field that is seen in every layer of the day, 0 to 100.
        self.clear_percent: Optional[float] = day["clear_percent"]

    def __repr__(self) -> str:
        return f"<Image {self.field_id} {self.date} {self.layer}>"

    def read(self) -> bytes:
        """The GeoTIFF's bytes. Raises NotFound where it has expired since the list was read."""
        path = f"sentinel-2/{self.field_id}/{self.date}/{self.layer}.tiff"
        data = self._storage.read(path)
        if data is None:
            raise NotFound(f"{path} is no longer there.", status=404, code="BlobNotFound")
        return data

    def save(self, path: Union[str, Path] = ".") -> Path:
        """Writes it to `path`, or to `{field_id}/{date}/{layer}.tiff` below a folder; answers where.

        A name that ends in .tif or .tiff is a file, everything else a folder.
        """
        place = Path(path)
        if place.suffix.lower() not in (".tif", ".tiff"):
            place = place / folder_name(self.field_id) / self.date / f"{self.layer}.tiff"
        write_beside(place, self.read())
        return place

    def open(self) -> Any:
        """The dataset of rasterio, opened in memory: bands of `[row][column]`, units in docs/imagery.md. Needs rasterio."""
        import rasterio

        return rasterio.open(io.BytesIO(self.read()))


def list_images(
    storage: Storage, field_id: str, since: Any = None, layers: Optional[Iterable[str]] = None
) -> Iterator[Image]:
    """The images of a field since a day, oldest first; of all layers unless told."""
    index = storage.read(f"sentinel-2/{field_id}/index.json")
    first = day_of(since) or ""
    wanted = None if layers is None else {layers} if isinstance(layers, str) else set(layers)
    for day in json.loads(index)["fieldimagery:dates"] if index is not None else []:
        for layer in day["layers"]:
            if day["date"] >= first and (wanted is None or layer in wanted):
                yield Image(storage, field_id, day, layer)


def list_observations(storage: Storage, fields: Sequence[Json], since: Any = None) -> List[Json]:
    """A row for each field, day and layer: field_id, group, date, layer, mean, p2, p50, p98, clear_percent, scene."""
    first = day_of(since) or ""

    def rows_of(field: Json) -> List[Json]:
        text = storage.read(f"sentinel-2/{field['field_id']}/statistics.csv") or b""
        named = {"field_id": field["field_id"], "group": field["group"]}
        lines = csv.DictReader(io.StringIO(text.decode("utf-8-sig"), newline=""))
        return [{**named, **line, **_numbers(line)} for line in lines if line["date"] >= first]

    with ThreadPoolExecutor(8) as pool:
        return [row for rows in pool.map(rows_of, fields) for row in rows]


def _numbers(line: Json) -> Json:
    return {name: float(line[name]) if line[name] else None for name in _NUMBERS}
