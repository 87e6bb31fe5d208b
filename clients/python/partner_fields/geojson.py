"""Fields on their way to the service: files, frames and collections become GeoJSON in WGS 84."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, Tuple

from .values import Json, plain

_KINDS = {
    ".geojson": "application/geo+json",
    ".json": "application/geo+json",
    ".zip": "application/zip",
    ".kml": "application/vnd.google-earth.kml+xml",
    ".kmz": "application/vnd.google-earth.kmz",
    ".ndjson": "application/x-ndjson",
}


def submission_part(fields: Any, id: str = "field_id") -> bytes:
    """Fields as an enrollment takes them.

    A GeoJSON file goes as it is, unless its ids have another name. Of everything else `id` names the column or property with
    the ids, which become texts, and `group` is kept.

    Raises ValueError where a feature has no such property, ImportError where geopandas is needed and absent.
    """
    if _is_path(fields) and Path(fields).suffix.lower() in (".geojson", ".json") and id == "field_id":
        return Path(fields).read_bytes()
    return _dumped([_with_id(feature, id) for feature in _collection(fields)["features"]])


def import_part(fields: Any) -> Tuple[str, bytes]:
    """Content type and bytes of an import. A file that the service reads itself goes as it is."""
    if _is_path(fields) and Path(fields).suffix.lower() in _KINDS:
        return _KINDS[Path(fields).suffix.lower()], Path(fields).read_bytes()
    return _KINDS[".geojson"], _dumped(plain(_collection(fields)["features"]))


def _is_path(fields: Any) -> bool:
    return isinstance(fields, (str, Path))


def _dumped(features: "list[Json]") -> bytes:
    text = json.dumps({"type": "FeatureCollection", "features": features}, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8")


def _collection(fields: Any) -> Json:
    if isinstance(fields, Dict):
        return fields
    if _is_path(fields):
        if Path(fields).suffix.lower() in (".geojson", ".json"):
            return dict(json.loads(Path(fields).read_text(encoding="utf-8-sig")))
        fields = _read_by_geopandas(Path(fields))
    # Degrees are taken for WGS 84 where the frame does not say what they are.
    if getattr(fields, "crs", None) is not None:
        fields = fields.to_crs(4326)
    return dict(fields.__geo_interface__)


def _read_by_geopandas(path: Path) -> Any:
    try:
        import geopandas
    except ImportError:
        raise ImportError(f"{path.name} is no GeoJSON: install geopandas to read it, or convert it with ogr2ogr.") from None
    return geopandas.read_file(path)


def _with_id(feature: Json, id: str) -> Json:
    given = feature.get("properties") or {}
    if plain(given.get(id)) is None:
        names = ", ".join(given) or "none"
        raise ValueError(f"A field has no {id!r}, so id=… has to name the property with the ids; there are: {names}.")
    value = plain(given[id])
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    group = {"group": plain(given["group"])} if "group" in given else {}
    return {"type": "Feature", "properties": {"field_id": text, **group}, "geometry": plain(feature.get("geometry"))}
