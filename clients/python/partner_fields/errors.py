"""What can go wrong, as a tree by status: the server's own code, words and trace id, never reworded."""

from __future__ import annotations

import re
from typing import Any, List, Optional, Type

import requests


class FieldsError(Exception):
    """Everything that this package raises about the service."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "",
        trace_id: str = "",
        details: Optional[List[Any]] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        #: HTTP status; 0 when no answer came, 200 for a job, enrollment or import that has failed.
        self.status = status
        #: Such as `Unauthorized` or `validation_error`: docs/errors.md has them all.
        self.code = code
        self.message = message
        #: Names the request in the log of the service; give it when you ask about an answer.
        self.trace_id = trace_id
        #: Every fault of a submission, each with its place (`loc`, `msg`, `type`); empty elsewhere.
        self.details = details or []
        #: Seconds until the service wants to be asked again, where it says so.
        self.retry_after = retry_after
        #: What the error is about, such as the id of a job that may go on at the server.
        self.about = ""

    def __str__(self) -> str:
        """The server's message, its details a line each, and what names the answer."""
        faults = [f"  {'.'.join(str(part) for part in each.get('loc', []))}: {each.get('msg')}" for each in self.details]
        named = [str(self.status or "no answer"), self.code, f"trace {self.trace_id}" if self.trace_id else "", self.about]
        return "\n".join([self.message, *faults, f"  ({', '.join(name for name in named if name)})"])


class Refused(FieldsError):
    """4xx: the request is not taken as it is, and not a second time either."""


class NotFound(Refused):
    """404: there is no such thing, or it is somebody else's."""


class Conflict(Refused):
    """409 and 412: what is there is another than the request takes for granted."""


class JobFailed(Refused):
    """A job has ended FAILED or CANCELLED; `code` and `message` are the job's, `trace_id` is its `e2eId`."""


class Limited(FieldsError):
    """429, still after five waits: the rate of the caller is used up."""


class Unavailable(FieldsError):
    """5xx, still after five waits, or no answer at all (`status` 0): what was asked for may have been stored."""

    #: False where the service was not even reached.
    was_sent = True

    @property
    def is_lost(self) -> bool:
        """Whether it has no code of the service, such as a gateway's: nobody knows what has been done."""
        return not self.code and self.status != 503


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while something was waited for; `str()` says what goes on at the server and how to return to it."""


_KINDS = {404: NotFound, 409: Conflict, 412: Conflict, 429: Limited}


def _kind_of(status: int) -> Type[FieldsError]:
    return _KINDS.get(status, Unavailable if status >= 500 else Refused)


def _told(answer: requests.Response) -> Any:
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def error_of(answer: requests.Response, retry_after: Optional[float] = None) -> FieldsError:
    """The exception that an answer is: in both forms of the service's errors, that of storage, or of a stranger in between."""
    body = _told(answer)
    fault = body.get("error", body)
    fault = fault if isinstance(fault, dict) else {}
    in_xml = dict(re.findall(r"<(Code|Message)>([^<]*)", answer.text[:4000]))
    message = fault.get("message") or in_xml.get("Message") or _stranger(answer)
    details = body.get("details")
    return _kind_of(answer.status_code)(
        str(message),
        status=answer.status_code,
        code=str(fault.get("code") or in_xml.get("Code") or answer.headers.get("x-ms-error-code", "")),
        trace_id=str(body.get("traceId") or body.get("trace_id") or answer.headers.get("x-ms-request-id", "")),
        details=[each for each in details if isinstance(each, dict)] if isinstance(details, list) else None,
        retry_after=retry_after,
    )


def _stranger(answer: requests.Response) -> str:
    moved = answer.headers.get("Location")
    if 300 <= answer.status_code < 400 and moved:
        return f"The address has moved to {moved.split('?')[0]}: give that one as base. Keys and tokens are not sent on."
    text = " ".join(re.sub(r"<[^>]*>", " ", answer.text[:2000]).split())
    return f"{answer.status_code} {answer.reason}: {text[:300]}" if text else f"{answer.status_code} {answer.reason}"
