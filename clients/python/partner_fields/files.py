"""Files on this machine: whole or not there, under names that every system takes."""

from __future__ import annotations

import os
import re
import uuid
from pathlib import Path


def write_beside(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Writes a file whole or not at all: beside its place, then renamed. Folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{uuid.uuid4().hex}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode), "wb") as file:
            file.write(data)
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def folder_name(field_id: str) -> str:
    """A field id as the name of a folder: as it is, but for those that Windows keeps for devices, such as `con` and `aux.1`."""
    return re.sub(r"(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)", r"\1_", field_id)
