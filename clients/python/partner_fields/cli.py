"""The command `fields`: tables on a terminal, JSON lines on a pipe, progress on stderr.

Exit codes: 0, 1 refused, 2 usage, 3 the service is away, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any, Callable, Optional, Sequence

from . import commands as do
from .errors import FieldsError, Limited, Unavailable
from .terminal import day, file, say
from .version import __version__

Run = Callable[[argparse.Namespace], int]
USAGE, INTERRUPTED = 2, 130


def parser() -> argparse.ArgumentParser:
    """What can be typed."""
    main_parser = argparse.ArgumentParser(prog="fields", description="Degree days, field boundaries and field imagery.")
    main_parser.add_argument("--version", action="version", version=__version__)
    commands = main_parser.add_subparsers(metavar="COMMAND", required=True)
    _add_connection(commands)
    _add_jobs(commands)
    _add_imagery(commands)
    farm = commands.add_parser("farm", help="farm data").add_subparsers(metavar="COMMAND", required=True)
    _add_farm(farm)
    return main_parser


def _command(commands: Any, run: Run, name: str, example: str) -> argparse.ArgumentParser:
    """A command with what all of them take; its help is what its function says, with an example."""
    about = (run.__doc__ or "").strip()
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=about[0].lower() + about[1:].rstrip("."),
        description=about,
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(run=run)
    forms = ["table", "jsonl", "csv"]
    command.add_argument("--as", dest="form", default="auto", choices=forms, help="table on a terminal, else JSON lines")
    if run is not do.login:
        command.add_argument("--login", metavar="FILE", type=file, help="another login, such as .local/service.json of npm start")
    return command


def _add_connection(commands: Any) -> None:
    command = _command(commands, do.login, "login", "fields login .local/service.json")
    command.add_argument("service", help="address, whose key and token are asked for; or a file that has all three")
    _command(commands, do.doctor, "doctor", "fields doctor")
    command = _command(commands, do.status, "status", "fields status")
    command.add_argument("what", nargs="?", metavar="ID", help="an enrollment's id or a job's path; the newest when absent")
    command.add_argument("--limit", type=int, default=10, help="of each kind (10)")
    command = _command(commands, do.events, "events", "fields events --follow --keep cursor.txt")
    command.add_argument("--follow", action="store_true", help="wait for further ones, until Ctrl-C")
    command.add_argument("--cursor", help="go on from here")
    command.add_argument("--keep", metavar="FILE", help="keep the cursor here, and go on from it next time")
    command.add_argument("--type", action="append", help="such as 'partner.job.*'; all when absent")


def _add_jobs(commands: Any) -> None:
    command = _command(commands, do.gdd, "gdd", 'fields gdd north-40 --crop corn --start "1 May 2025" --end 2025-09-30')
    command.add_argument("field", nargs="+", metavar="FIELD", help="id or name")
    command.add_argument("--crop", required=True, help="canola, corn, cotton, soybean, sugar beet, winter wheat")
    command.add_argument("--start", required=True, type=day, metavar="DAY", help="planting date")
    command.add_argument("--end", required=True, type=day, metavar="DAY", help="target date, past or to come")
    command.add_argument("--unit", default="c", type=str.lower, choices=["c", "f"])
    forms = _named(".json", ".csv", ".svg")
    command.add_argument("--save", metavar="FILE", type=forms, help="the insight as .json, .csv or .svg")
    command = _command(commands, do.boundary, "boundary", "fields boundary -92.9725 41.5182 --save field.geojson")
    command.add_argument("lon", type=float, metavar="LON", help="degrees, WGS 84, west is negative")
    command.add_argument("lat", type=float, metavar="LAT")
    command.add_argument("--start", type=day, metavar="DAY", help="first day of the scenes; at most 14 days")
    command.add_argument("--end", type=day, metavar="DAY")
    command.add_argument("--farm", help="id or name of whose insight it is; your only farm unless told")
    forms = _named(".geojson", ".json", ".tif", ".tiff")
    command.add_argument("--save", metavar="FILE", type=forms, help="the insight as .geojson, .json or .tiff")


def _add_imagery(commands: Any) -> None:
    layers = ["ndvi", "vegetation", "scouting", "true-color"]
    command = _command(commands, do.enroll, "enroll", "fields enroll farm.geojson --start 2026-05-28 --end 2026-08-26")
    command.add_argument("file", type=file, metavar="FILE", help="GeoJSON; with geopandas a shapefile, GeoPackage or KML too")
    command.add_argument("--start", required=True, type=day, metavar="DAY")
    command.add_argument("--end", required=True, type=day, metavar="DAY")
    command.add_argument("--layer", action="append", choices=layers, help="once for each; ndvi when absent")
    command.add_argument("--id", default="field_id", metavar="COLUMN", help="the column with the ids (field_id)")
    command.add_argument("--description")
    command.add_argument("--dry-run", action="store_true", help="say what would become of each field, and store nothing")
    command.add_argument("--no-wait", action="store_true", help="return as soon as it is submitted")
    command.add_argument("--fields-only", action="store_true", help="return once the fields are checked, before their images")
    command = _command(commands, do.images, "images", 'fields images Ridge --since "2 weeks ago" --to pictures')
    command.add_argument("field", metavar="FIELD")
    command.add_argument("--since", type=day, metavar="DAY")
    command.add_argument("--layer", action="append", choices=layers, help="once for each; all when absent")
    command.add_argument("--to", default=".", type=_target, metavar="FOLDER", help="saved as FIELD/DAY/LAYER.tiff below it")
    command.add_argument("--list", action="store_true", help="only list them")
    command = _command(commands, do.observations, "observations", "fields observations --since 2026-06-01 --as csv > season.csv")
    command.add_argument("field", nargs="*", metavar="FIELD", help="all when absent")
    command.add_argument("--since", type=day, metavar="DAY")
    command.add_argument("--group")
    command.add_argument("--layer", action="append", choices=layers[:2], help="both when absent")


def _add_farm(commands: Any) -> None:
    command = _command(commands, do.farm_import, "import", "fields farm import fields.zip --party Miller")
    command.add_argument("file", type=file, metavar="FILE", help="GeoJSON, zipped shapefile, KML, KMZ or ndjson")
    command.add_argument("--party", help="id or name; your only party unless told")
    command.add_argument("--farm", metavar="ID", help="id of the farm of all fields")
    command.add_argument("--id", metavar="PROPERTY", help="the property that is the id")
    command.add_argument("--name", metavar="PROPERTY", help="the property that is the name")
    command.add_argument("--mode", choices=["merge", "replace"], help="whether members that the file lacks stay (merge) or go")


def _target(text: str) -> Path:
    return Path(text).expanduser()


def _named(*endings: str) -> Callable[[str], Path]:
    """A file to be written, whose name ends with one of these: asked before anything is done."""

    def target(text: str) -> Path:
        if not text.lower().endswith(endings):
            raise argparse.ArgumentTypeError(f"{text}: the name ends with one of {', '.join(endings)}")
        return _target(text)

    return target


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Runs the command that was typed and answers its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A pipe takes UTF-8 on every system; a terminal what it can show.
            stream.reconfigure(errors="replace", **({} if stream.isatty() else {"encoding": "utf-8"}))
    args = parser().parse_args(argv)
    try:
        return int(args.run(args))
    except FieldsError as error:
        say(f"fields: {error}")
        return do.AWAY if isinstance(error, (Limited, Unavailable)) else do.REFUSED
    except BrokenPipeError:
        # Whoever read the output, such as `head`, has enough; nothing is left to be flushed at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, ImportError, OSError) as fault:
        say(f"fields: {fault}")
        return USAGE
    except (KeyboardInterrupt, EOFError) as interruption:
        say(f"{interruption} `fields status` shows how far it is." if str(interruption) else "Interrupted.")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
