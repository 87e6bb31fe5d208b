"""What the tests of the package share: a stand-in for each, and no real waiting."""

import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, List

ROOT = Path(__file__).parents[3]

# Packages that are to be absent, although they are installed.
for name in os.environ.get("WITHOUT", "").split():
    sys.modules[name] = None  # type: ignore[assignment]

from partner_fields import Fields  # noqa: E402
from stand_in import Said, StandIn  # noqa: E402


class StandInCase(unittest.TestCase):
    """A test against a stand-in; what would be slept is kept in `waited`, in seconds."""

    def service(self, *answers: Said, **options: Any) -> Fields:
        self.stand_in = StandIn(*answers)
        self.addCleanup(self.stand_in.close)
        fields = Fields(self.stand_in.base, **{"key": "k", "token": "t", "timeout": 5, **options})
        self.addCleanup(fields.connection.session.close)
        self.waited: List[float] = []
        fields.connection.pause = self.waited.append  # type: ignore[method-assign,assignment]
        return fields

    def folder(self) -> Path:
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        return folder

    @property
    def paths(self) -> List[str]:
        return [asked.path for asked in self.stand_in.asked]


def needs(module: str) -> Any:
    """Skips a test where a package is absent."""
    try:
        __import__(module)
        return lambda test: test
    except ImportError:
        return unittest.skip(f"{module} is absent")
