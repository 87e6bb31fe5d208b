"""Where base, key and token are kept between commands: the environment, else one file that its owner alone can read.

The file has the members of `.local/service.json`, which `npm start` writes, so that that file is a login, too.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Dict, Mapping, Optional, Union

from .files import write_beside

#: Members of a login, and the variables of the environment that go before them. `caFile` is REQUESTS_CA_BUNDLE to `requests`.
VARIABLES = {
    "baseUrl": "FIELDS_BASE",
    "apiKey": "FIELDS_KEY",
    "jwt": "FIELDS_TOKEN",
    "blobEndpoint": "FIELDS_BLOB_ENDPOINT",
}
MEMBERS = (*VARIABLES, "caFile")


def login_file() -> Path:
    """The file of this user: `FIELDS_LOGIN`, else `login.json` in the folder that the system has for settings."""
    if "FIELDS_LOGIN" in os.environ:
        return Path(os.environ["FIELDS_LOGIN"])
    settings = os.environ.get("APPDATA" if os.name == "nt" else "XDG_CONFIG_HOME")
    return (Path(settings) if settings else Path.home() / ".config") / "partner-fields" / "login.json"


def read_login(file: Optional[Union[str, Path]] = None) -> Dict[str, str]:
    """What there is to log in with, by the names of `MEMBERS`: what `file` has, else the environment, else the user's file.

    Where the environment names an address, nothing of the file goes there. Raises ValueError where there is no `baseUrl`.
    """
    told = {} if file else {name: os.environ[variable] for name, variable in VARIABLES.items() if os.environ.get(variable)}
    source = Path(file) if file else login_file()
    if "baseUrl" not in told and (file or source.exists()):
        kept = json.loads(source.read_text(encoding="utf-8"))
        told = {**{name: str(kept[name]) for name in MEMBERS if kept.get(name)}, **told}
    if "baseUrl" not in told:
        ways = f"run `fields login`, which writes {source}, or set FIELDS_BASE with FIELDS_KEY or FIELDS_TOKEN"
        raise ValueError(f"Nobody has logged in: {ways}.")
    return told


def write_login(login: Mapping[str, Optional[str]], file: Optional[Union[str, Path]] = None) -> Path:
    """Keeps a login, in a file of mode 600, written beside and renamed; answers where."""
    path = Path(file) if file else login_file()
    kept = {name: login[name] for name in MEMBERS if login.get(name)}
    write_beside(path, json.dumps(kept, indent=2).encode() + b"\n", 0o600)
    return path
