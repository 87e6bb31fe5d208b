"""The service that `npm start` has started, or that of SERVICE_FILE, as the package `partner_fields` has it."""

import json
import os
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

# A program of yours has the package from pip.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients/python"))
from partner_fields import Fields  # noqa: E402

path = os.environ.get("SERVICE_FILE", f"{os.environ.get('LOCAL_DIR', '.local')}/service.json")
fields = Fields.open(path)
service = json.loads(Path(path).read_text(encoding="utf-8"))


def days_ago(days):
    return (datetime.now(timezone.utc) - timedelta(days=days)).date()
