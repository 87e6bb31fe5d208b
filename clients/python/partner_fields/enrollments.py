"""Enrollments: fields, submitted once, and waited for."""

from __future__ import annotations

import json
import uuid
import warnings
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple
from urllib.parse import quote

from .connection import Connection
from .errors import FieldsError, Interrupted, Refused
from .geojson import submission_part
from .values import Json, day_of

#: Seconds between two looks at an enrollment, whose answers have no `Retry-After`.
_LOOK = 2.0


class Enrollment:
    """A submission of fields; `state` is what the service last said about it."""

    def __init__(self, connection: Connection, state: Json) -> None:
        self._connection = connection
        self.state = state

    def __repr__(self) -> str:
        return f"<Enrollment {self.id} {self.status}>"

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
        self.state = self._connection.ask("GET", self._path, by="key")
        return self

    def backfill(self) -> Json:
        """How far the images of past days are: `status` (`waiting`, `running`, `completed`), `days`, `days_left`."""
        return dict(self._connection.ask("GET", f"{self._path}/backfill", by="key"))

    def wait(self, *, images: bool = True, on_progress: Optional[Callable[[str], None]] = None) -> Enrollment:
        """Returns once its fields are checked and, with `images`, the images of its past days are made.

        Those of days to come follow by themselves; a period that has not begun has none to wait for. Warns of fields that are
        left out. `on_progress` is told a line of text whenever something has changed.

        Raises Refused with the first field's code and message where no field could be ingested; Interrupted at Ctrl-C.
        """
        try:
            self._wait_for_fields(on_progress)
            if images:
                self._wait_for_images(on_progress)
        except FieldsError as error:
            error.about = error.about or f"enrollment {self.id}"
            raise
        except KeyboardInterrupt:
            raise Interrupted(
                f"Enrollment {self.id} goes on at the service: enrollment({self.id!r}).wait() returns to it."
            ) from None
        return self

    @property
    def _path(self) -> str:
        return f"/v1/enrollments/{quote(self.id, safe='')}"

    def _wait_for_fields(self, on_progress: Optional[Callable[[str], None]]) -> None:
        told = _Changes(on_progress)
        while self.refresh().status in ("received", "in_progress"):
            told(f"{self.state['processed_fields']} of {self.state['total_fields']} fields are checked")
            self._connection.pause(_LOOK)
        first = self.errors[0] if self.errors else {"code": "", "message": self.state["message"]}
        if self.status == "failed":
            raise Refused(str(first["message"]), status=200, code=str(first["code"]))
        if self.errors:
            named = f"{first.get('field_id')}: {first['message']}"
            warnings.warn(f"{len(self.errors)} fields are left out, see errors; the first is {named}", stacklevel=3)

    def _wait_for_images(self, on_progress: Optional[Callable[[str], None]]) -> None:
        told = _Changes(on_progress)
        while (state := self.backfill())["status"] != "completed":
            if state["from"] > day_of(self._connection.now()):
                return
            told(f"{state['days'] - state['days_left']} of {state['days']} days are looked through")
            self._connection.pause(_LOOK)


class _Changes:
    """Tells a line when it is another one than before."""

    def __init__(self, tell: Optional[Callable[[str], None]]) -> None:
        self._tell = tell
        self._told = ""

    def __call__(self, line: str) -> None:
        if self._tell is not None and line != self._told:
            self._tell(line)
        self._told = line


def submit(
    connection: Connection,
    fields: Any,
    *,
    start: Any,
    end: Any,
    layers: Sequence[str],
    description: Optional[str] = None,
    id: str = "field_id",
    idempotency_key: Optional[str] = None,
    dry_run: bool = False,
) -> Json:
    """Sends a submission, the same bytes under the same key however often, and answers what the service says."""
    request = {
        "image_source": "sentinel-2-l2a",
        "start_date": day_of(start),
        "end_date": day_of(end),
        "layers": [{"layer": layer} for layer in ([layers] if isinstance(layers, str) else layers)],
        **({} if description is None else {"description": description}),
    }
    kind, body = _multipart({"request": json.dumps(request).encode(), "geojson": submission_part(fields, id)})
    params = {"dry_run": "true"} if dry_run else None
    return dict(connection.ask_once("/v1/enrollments", kind, body, by="key", key=idempotency_key, params=params))


def _multipart(parts: Dict[str, bytes]) -> Tuple[str, bytes]:
    """Content type and body of the parts of a submission, both of JSON."""
    boundary = uuid.uuid4().hex
    head = '--{0}\r\nContent-Disposition: form-data; name="{1}"; filename="{1}.json"\r\nContent-Type: {2}\r\n\r\n'
    kinds = {"request": "application/json", "geojson": "application/geo+json"}
    body = b"".join(head.format(boundary, name, kinds[name]).encode() + part + b"\r\n" for name, part in parts.items())
    return f"multipart/form-data; boundary={boundary}", body + f"--{boundary}--\r\n".encode()
