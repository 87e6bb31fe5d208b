"""Farm data that the service keeps: parties, farms, fields, and imports of them."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Optional
from urllib.parse import quote, urlsplit

from .connection import Connection, json_of, retry_after
from .errors import Interrupted, Refused
from .geojson import import_part
from .values import Json, plain

_VERSION = "2023-11-01-preview"


class Resources:
    """The parties, farms or fields of a tenant; ids are those of the path: `parties.get(party)`, `farms.get(party, farm)`."""

    def __init__(self, connection: Connection, folder: str) -> None:
        self._connection = connection
        self._folder = folder

    def get(self, *ids: str) -> Json:
        """One of them; a field with its `geometry`."""
        return dict(self._connection.ask("GET", self._path(ids), by="token", params={"api-version": _VERSION}))

    def put(self, *ids: str, if_match: Optional[str] = None, **members: Any) -> Json:
        """Creates or changes it: members that are absent stay, None takes one away.

        `if_match` is the `eTag` that it has still to have. Raises Conflict (412) where it has another.
        """
        return dict(
            self._connection.ask(
                "PATCH",
                self._path(ids),
                by="token",
                params={"api-version": _VERSION},
                json=plain(members),
                headers={"Content-Type": "application/merge-patch+json", **_condition(if_match)},
                again=if_match is None,
            )
        )

    def remove(self, *ids: str, if_match: Optional[str] = None) -> None:
        """Deletes it. Raises Conflict (409) while something depends on it."""
        params = {"api-version": _VERSION}
        self._connection.send("DELETE", self._path(ids), by="token", params=params, headers=_condition(if_match))

    def list(self, party: Optional[str] = None, **filters: Any) -> Iterator[Json]:
        """Those of the tenant, or of a party, by the filters of docs/farm-data.md; fields without their geometry."""
        path = f"/{self._folder}" if party is None else f"/parties/{quote(party, safe='')}/{self._folder}"
        query: Optional[str] = None
        params: Optional[Json] = {"api-version": _VERSION, **plain(filters)}
        while True:
            page = self._connection.ask("GET", path + (f"?{query}" if query else ""), by="token", params=params)
            yield from page["value"]
            if "nextLink" not in page:
                return
            # Of a link only the query: the token goes to no other address than that of the service.
            query, params = urlsplit(page["nextLink"]).query, None

    def _path(self, ids: "tuple[str, ...]") -> str:
        party, *own = (quote(each, safe="") for each in ids)
        return "/".join(["/parties", party, *(part for each in own for part in (self._folder, each))])


def _condition(if_match: Optional[str]) -> "dict[str, str]":
    return {} if if_match is None else {"If-Match": if_match}


class Imports:
    """Fields from files."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def run(
        self,
        fields: Any,
        *,
        partyId: str,
        on_progress: Optional[Callable[[Json], None]] = None,
        idempotency_key: Optional[str] = None,
        **options: Any,
    ) -> Json:
        """Imports a file (GeoJSON, zipped shapefile, KML, KMZ, ndjson), a GeoDataFrame or a FeatureCollection, and waits.

        `options`: farmId, idProperty, nameProperty, mode. The answer has `written`, `failed` and `errors`, one for each feature
        that is not written.

        Raises ValueError for a file of another type; Refused where the import as a whole has failed.
        """
        kind, data = import_part(fields)
        params = {"partyId": partyId, **plain(options)}
        state = self._connection.ask_once("/v1/imports", kind, data, by="token", key=idempotency_key, params=params)
        try:
            return self._ended(state, on_progress)
        except KeyboardInterrupt:
            raise Interrupted(f"Import {state['id']} goes on at the service: imports.get({state['id']!r}) shows it.") from None

    def get(self, import_id: str) -> Json:
        """How far an import is."""
        return dict(self._connection.ask("GET", f"/v1/imports/{quote(import_id, safe='')}", by="token"))

    def _ended(self, state: Json, on_progress: Optional[Callable[[Json], None]]) -> Json:
        while state["status"] in ("Waiting", "Running"):
            answer = self._connection.send("GET", f"/v1/imports/{state['id']}", by="token")
            state = json_of(answer)
            if on_progress is not None:
                on_progress(state)
            if state["status"] in ("Waiting", "Running"):
                self._connection.pause(retry_after(answer) or 0)
        if state["status"] == "Failed":
            raise Refused(str(state.get("message", "")), status=200, code="Failed")
        return state


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
        path, query, features = f"/v1/parties/{quote(party, safe='')}/fields.geojson", "", []
        while True:
            page = self._connection.ask("GET", f"{path}?{query}", by="token")
            features += page["features"]
            if not page.get("links"):
                return {"type": "FeatureCollection", "features": features}
            query = urlsplit(page["links"][0]["href"]).query
