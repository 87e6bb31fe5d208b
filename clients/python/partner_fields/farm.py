"""Farm data that the service keeps: parties, farms, fields, and imports of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Iterator, Optional, Union

from .connection import Connection, Json


class Resources:
    """The parties, farms or fields of a tenant. Ids are those of the path: `get(party)`, of farms and fields `get(party, id)`."""

    def __init__(self, connection: Connection, folder: str) -> None:
        self._connection = connection
        self._folder = folder

    def get(self, *ids: str) -> Json:
        """One of them; a field with its `geometry`."""
        raise NotImplementedError

    def put(self, *ids: str, if_match: Optional[str] = None, **members: Any) -> Json:
        """Creates or changes it: members that are absent stay, None takes one away. `if_match` is the `eTag` it has still to have.

        Raises Conflict (412) where it has another.
        """
        raise NotImplementedError

    def remove(self, *ids: str, if_match: Optional[str] = None) -> None:
        """Deletes it. Raises Conflict (409) while something depends on it."""
        raise NotImplementedError

    def list(self, party: Optional[str] = None, **filters: Any) -> Iterator[Json]:
        """Those of the tenant, or of a party, by the filters of docs/farm-data.md; fields without their geometry."""
        raise NotImplementedError


class Imports:
    """Fields from files."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def run(
        self,
        file: Union[str, Path, Any],
        *,
        partyId: str,
        on_progress: Optional[Callable[[Json], None]] = None,
        idempotency_key: Optional[str] = None,
        **options: Any,
    ) -> Json:
        """Imports a file (GeoJSON, zipped shapefile, KML, KMZ, ndjson) or a GeoDataFrame and waits for the end.

        `options`: farmId, idProperty, nameProperty, mode. The answer has `written`, `failed` and `errors`, one for each feature
        that is not written.

        Raises ValueError for a file of another type; Refused where the import as a whole has failed.
        """
        raise NotImplementedError

    def get(self, import_id: str) -> Json:
        """How far an import is."""
        raise NotImplementedError


class Farm:
    """`fields.farm`: needs a token with a role Farm.*."""

    def __init__(self, connection: Connection) -> None:
        self.parties = Resources(connection, "parties")
        self.farms = Resources(connection, "farms")
        self.fields = Resources(connection, "fields")
        self.imports = Imports(connection)
        self._connection = connection

    def geojson(self, party: str) -> Json:
        """All fields of a party as one FeatureCollection, as `enroll` takes it."""
        raise NotImplementedError
