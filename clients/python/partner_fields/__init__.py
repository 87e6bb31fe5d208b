"""Client of the partner field service: degree days, field boundaries, field imagery, farm data.

    from partner_fields import Fields
    fields = Fields("https://fields.contoso.com", key="…", token="…")
"""

from .enrollments import Enrollment
from .errors import Conflict, FieldsError, Interrupted, JobFailed, Limited, NotFound, Refused, Unavailable
from .jobs import Insight, same_job
from .login import login_file, read_login, write_login
from .notices import Event
from .observations import Folder, Image
from .service import Fields
from .version import __version__

__all__ = [
    "Conflict",
    "Enrollment",
    "Event",
    "Fields",
    "FieldsError",
    "Folder",
    "Image",
    "Insight",
    "Interrupted",
    "JobFailed",
    "Limited",
    "NotFound",
    "Refused",
    "Unavailable",
    "__version__",
    "login_file",
    "read_login",
    "same_job",
    "write_login",
]
