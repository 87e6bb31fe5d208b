"""What each command of `fields` does: it asks the package, shows rows, and answers the exit code."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
import tempfile
import warnings
from itertools import islice
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

from .doctor import examine
from .files import write_beside
from .login import read_login, write_login
from .service import Fields
from .terminal import file, is_table, say, show
from .values import Json

Arguments = argparse.Namespace
REFUSED, AWAY = 1, 3
STATUS = ["kind", "id", "status", "created", "what", "images", "errors", "message"]


def login(args: Arguments) -> int:
    """Keeps who calls which service, once it has been tried."""
    given = _login_of(args.service)
    with tempfile.TemporaryDirectory() as folder:
        checks = list(examine(Fields.open(write_login(given, Path(folder) / "login.json"))))
    code = _report(checks, args)
    opened = {check["result"] for check in checks if check["check"].startswith(("key", "token"))}
    # Storage may be out of reach here, and a role may be missing: what the login opens is of use all the same.
    if "fine" not in opened or "wrong" in opened:
        return code or REFUSED
    say(f"Kept in {write_login(given)}, readable by you alone.")
    return 0


def _login_of(service: str) -> Dict[str, str]:
    """A login from a file such as `.local/service.json`; or an address, with the secrets of the environment or the user."""
    if not service.startswith(("http://", "https://")):
        return read_login(file(service))
    secrets = {"apiKey": ("FIELDS_KEY", "API key"), "jwt": ("FIELDS_TOKEN", "Token")}
    given = {"baseUrl": service}
    for name, (variable, label) in secrets.items():
        secret = os.environ.get(variable, "")
        if not secret and sys.stdin.isatty():
            secret = getpass.getpass(f"{label} (Enter for none): ")
        if secret.strip():
            given[name] = secret.strip()
    if len(given) == 1:
        raise ValueError("a login needs a key or a token: type one when asked, or set FIELDS_KEY or FIELDS_TOKEN")
    return given


def gdd(args: Arguments) -> int:
    """Degree days of fields, from a day of planting to another."""
    fields = Fields.open(args.login)
    land = [_chosen(fields.farm.fields, name, "field") for name in args.field]
    rows = [
        {
            **{"partyId": field["partyId"], "resourceId": field["id"], "crop": args.crop.replace(" ", "_").upper()},
            **{"gddStartDate": args.start, "gddEndDate": args.end, "temperatureUnit": args.unit},
        }
        for field in land
    ]
    if args.save:
        if len(rows) != 1:
            raise ValueError("--save takes the insight of one field; name one")
        insight = fields.gdd.run(**rows[0], on_status=_status)
        say(f"Saved as {insight.save(args.save)}")
        found: List[Json] = [{**insight, "status": "SUCCEEDED"}]
    else:
        found = fields.gdd.run_many(rows)
    named = [{"field": _name(field), **each} for field, each in zip(land, found)]
    show(named, ["field", "crop", "status", "total", "temperatureUnit", "days", "code", "message"], args.form)
    return 0 if all(each["status"] == "SUCCEEDED" for each in named) else REFUSED


def boundary(args: Arguments) -> int:
    """The boundary of the field around a point."""
    fields = Fields.open(args.login)
    if abs(args.lat) > 90:
        raise ValueError(f"{args.lat} is no latitude; longitude comes first")
    farm = _chosen(fields.farm.farms, args.farm, "farm")
    whose = {"party": farm["partyId"], "farm": farm["id"]}
    insight = fields.boundary.at(args.lon, args.lat, start=args.start, end=args.end, **whose)
    if args.save:
        say(f"Saved as {insight.save(args.save)}")
    show([insight], ["areaHectares", "confidence", "imageDate", "insightId", "message"], args.form)
    return 0


def enroll(args: Arguments) -> int:
    """Fields of a file, monitored for a period."""
    fields = Fields.open(args.login)
    wanted: Json = {"start": args.start, "end": args.end, "layers": args.layer or ["ndvi"], "id": args.id}
    if args.dry_run:
        tried = fields.try_out(args.file, **wanted)
        show(tried, ["field_id", "area_ha", "errors"], args.form)
        return REFUSED if any(field["errors"] for field in tried) else 0
    enrollment = fields.enroll(args.file, **wanted, description=args.description)
    say(f"Enrollment {enrollment.id}")
    if not args.no_wait:
        # Fields that are left out are all told below.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            enrollment.wait(images=not args.fields_only, on_progress=say)
    show([_enrollment(enrollment.state)], STATUS, args.form)
    for fault in enrollment.errors:
        say(f"{fault['field_id']}: {fault['code']}: {fault['message']}")
    return 0


def _enrollment(state: Json) -> Json:
    period = f"{state['request_metadata']['start_date']} to {state['request_metadata']['end_date']}"
    what = f"{state['processed_fields']} of {state['total_fields']} fields, {period}"
    return {"kind": "enrollment", "id": state["enrollment_id"], "created": state["created_date_time"][:10], "what": what, **state}


def _job(job: Json, kind: str) -> Json:
    created = str(job.get("jobCreatedDateTime", ""))[:10]
    return {"kind": kind, "id": job.get("requestPath", ""), "created": created, "what": job.get("crop", ""), **job}


def status(args: Arguments) -> int:
    """The newest enrollments and jobs, or one of them."""
    fields = Fields.open(args.login)
    show(_one(fields, args.what) if args.what else _newest(fields, args.limit), STATUS, args.form)
    return 0


def _one(fields: Fields, what: str) -> List[Json]:
    """An enrollment by its id, a job by its request path."""
    if "/" not in what:
        enrollment = fields.enrollment(what)
        backfill = enrollment.backfill()
        images = f"{backfill['days'] - backfill['days_left']} of {backfill['days']} days"
        return [{**_enrollment(enrollment.state), "images": images}]
    kinds = {"gdd": fields.gdd, "smart-boundary": fields.boundary}
    folder, job_id = what.rstrip("/").split("/")[-2:]
    if folder not in kinds:
        raise ValueError(f"{what} is no job; its path begins with /v1/gdd/ or /v1/smart-boundary/")
    return [_job({**kinds[folder].fetch(job_id), "requestPath": what}, folder)]


def _newest(fields: Fields, limit: int) -> Iterator[Json]:
    if fields.connection.key:
        for enrollment in islice(fields.enrollments(), limit):
            yield _enrollment(enrollment.state)
    if fields.connection.token:
        for job in islice(fields.jobs(), limit):
            yield _job(job, job["kind"])


def images(args: Arguments) -> int:
    """The images of a field, saved as GeoTIFFs."""
    fields = Fields.open(args.login)

    def saved() -> Iterator[Json]:
        image = None
        for image in fields.images(args.field, since=args.since, layers=args.layer):
            path = None if args.list else str(image.save(args.to))
            facts = {"field_id": image.field_id, "date": image.date, "layer": image.layer}
            yield {**facts, "clear_percent": image.clear_percent, "file": path}
        if image is None:
            say(f"There are no images of {args.field}; `fields observations` names fields that have some.")

    show(saved(), ["field_id", "date", "layer", "clear_percent", "file"], args.form)
    return 0


def observations(args: Arguments) -> int:
    """What was seen of the fields."""
    table = Fields.open(args.login).observations(since=args.since, fields=args.field or None, group=args.group)
    rows = table if isinstance(table, list) else table.to_dict("records")
    shown = [{**row, "date": str(row["date"])[:10]} for row in rows if not args.layer or row["layer"] in args.layer]
    show(shown, ["field_id", "group", "date", "layer", "mean", "p2", "p50", "p98", "clear_percent", "scene"], args.form)
    return 0


def events(args: Arguments) -> int:
    """What has happened, from a cursor on."""
    kept = Path(args.keep).expanduser() if args.keep else None
    cursor = args.cursor or (kept.read_text("ascii").strip() if kept and kept.exists() else None)

    def told() -> Iterator[Json]:
        for event in Fields.open(args.login).events(cursor, follow=args.follow, types=args.type):
            yield event
            if kept and event.cursor:
                write_beside(kept, event.cursor.encode("ascii"))

    columns = ["time", "type", "subject", "data"]
    if args.follow and is_table(args.form):
        for event in told():
            show([event], columns, "lines")
    else:
        show(told(), columns, args.form)
    return 0


def farm_import(args: Arguments) -> int:
    """Fields of a file, into the service's farm data."""
    fields = Fields.open(args.login)
    party = _chosen(fields.farm.parties, args.party, "party")["id"]
    options = {"farmId": args.farm, "idProperty": args.id, "nameProperty": args.name, "mode": args.mode}
    given = {name: value for name, value in options.items() if value}
    done = fields.farm.imports.run(args.file, partyId=party, on_progress=_written, **given)
    show([done], ["id", "status", "total", "written", "failed", "message"], args.form)
    for fault in done["errors"]:
        say(str(fault))
    return REFUSED if done["failed"] else 0


def doctor(args: Arguments) -> int:
    """What is wrong with address, clock, rights and storage, and what to do."""
    return _report(list(examine(Fields.open(args.login))), args)


def _report(checks: List[Json], args: Arguments) -> int:
    if is_table(args.form):
        for check in checks:
            print(f"{check['result']:9}  {check['check']}: {check['found']}")
            if check["result"] != "fine":
                print(f"{'':9}  do: {check['do']}")
    else:
        show(checks, ["check", "result", "found", "do"], args.form)
    results = {check["result"] for check in checks}
    return AWAY if "away" in results else REFUSED if "wrong" in results else 0


def _status(job: Json) -> None:
    say(str(job["status"]))


def _written(state: Json) -> None:
    say(f"{state['status']}: {state['written']} of {state['total']} written, {state['failed']} failed")


def _chosen(resources: Any, wanted: Optional[str], what: str) -> Json:
    """The party, farm or field that an id, a name or the id of its file stands for; the only one there is unless told."""
    filters: List[Json] = [{}]
    if wanted is not None:
        by_name = [{"names": wanted}, {"propertyFilters": f"sourceId eq {wanted}"}]
        filters = [{"ids": wanted}] if _is_id(wanted) else by_name
    found: List[Json] = []
    for query in filters:
        found = found or list(islice(resources.list(**query), 11))
    if len(found) == 1:
        return found[0]
    others: List[Json] = found or list(islice(resources.list(), 11))
    names = ", ".join(f"{_name(each)} ({each['id']})" for each in others)
    raise ValueError(f"name one {what} by its id or name; {'several fit' if found else 'there are'}: {names or 'none'}")


def _name(resource: Json) -> str:
    """What people call it: its name, else the id that it has in the file it came from, else its id."""
    return str(resource.get("name") or (resource.get("properties") or {}).get("sourceId") or resource["id"])


def _is_id(text: str) -> bool:
    return len(text) == 36 and text.count("-") == 4
