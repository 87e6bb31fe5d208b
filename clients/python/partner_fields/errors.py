"""What can go wrong, as a tree by status: the server's own code, words and trace id, never reworded."""

from __future__ import annotations

from typing import Any, List, Optional, Type

import requests


class FieldsError(Exception):
    """Everything that this package raises about the service; `str()` of it is the server's message."""

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
        #: HTTP status; 0 when no answer came, 200 for a job that has failed.
        self.status = status
        #: Such as `Unauthorized` or `validation_error`: docs/errors.md has them all.
        self.code = code
        self.message = message
        #: Names the request in the log of the service; give it when you ask about an answer.
        self.trace_id = trace_id
        #: Every fault of a submission, each with its place; empty elsewhere.
        self.details = details or []
        #: Seconds until the service wants to be asked again, where it says so.
        self.retry_after = retry_after


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


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while something was waited for; `str()` says what goes on at the server and how to return to it."""


def error_of(answer: requests.Response) -> FieldsError:
    """The exception that an answer of 400 and more is, in either form of the service's errors, or of a stranger in between."""
    raise NotImplementedError
