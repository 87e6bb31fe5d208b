"""Where base, key and token are kept between commands: the environment, else one file that its owner alone can read.

The file has the members of `.local/service.json`, which `npm start` writes, so that that file is a login, too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Dict, Mapping, Optional, Union

#: Members of a login, and the variables of the environment that go before them.
VARIABLES = {
    "baseUrl": "FIELDS_BASE",
    "apiKey": "FIELDS_KEY",
    "jwt": "FIELDS_TOKEN",
    "blobEndpoint": "FIELDS_BLOB_ENDPOINT",
    "caFile": "REQUESTS_CA_BUNDLE",
}


def login_file() -> Path:
    """The file of this user: `FIELDS_LOGIN`, else `login.json` in the folder that the system has for settings."""
    raise NotImplementedError


def read_login(file: Optional[Union[str, Path]] = None) -> Dict[str, str]:
    """What there is to log in with, by the names of `VARIABLES`: from the environment, what it lacks from `file` or the user's.

    Raises ValueError where neither has a `baseUrl`; it says what to do.
    """
    raise NotImplementedError


def write_login(login: Mapping[str, str], file: Optional[Union[str, Path]] = None) -> Path:
    """Keeps a login, in a file of mode 600, written beside and renamed; answers where."""
    raise NotImplementedError
