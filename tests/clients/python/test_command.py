import argparse
import base64
import contextlib
import io
import json
import os
import re
import shlex
import stat
import subprocess
import sys
import time
import unittest
from email.utils import formatdate
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional
from unittest import mock

from cases import ROOT, StandInCase
from partner_fields import Fields
from partner_fields.cli import main, parser
from partner_fields.terminal import day, file
from stand_in import LOST, Answer, Asked, StandIn

FARM = str(ROOT / "examples/farm.geojson")
NAMES = ("login", "doctor", "status", "events", "gdd", "boundary", "enroll", "images", "observations", "farm import")
COMMANDS = [name.split() for name in NAMES]
PERIOD = ["--start", "2026-05-28", "--end", "2026-08-26"]


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def rows(self) -> List[Dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def enrollment(**more: Any) -> Dict[str, Any]:
    counts = {"total_fields": 22, "processed_fields": 22, "failed_fields": 0}
    told = {"created_date_time": "2026-08-27T06:00:00Z", "message": "", "errors": None}
    period = {"start_date": "2026-05-28", "end_date": "2026-08-26"}
    return {"enrollment_id": "e-1", "status": "completed", "request_metadata": period, **counts, **told, **more}


def page(*items: Any, **more: Any) -> Answer:
    return Answer(200, {"items": list(items), "cursor": None, **more})


def by_path(answers: Dict[str, Answer]) -> Callable[[Asked], Answer]:
    """Answers by the beginning of a path, the longest that fits."""

    def said(asked: Asked) -> Answer:
        fitting = [path for path in answers if asked.path.startswith(path)]
        return answers[max(fitting, key=len)] if fitting else Answer(404, {"code": "not_found", "message": asked.path})

    return said


class CommandCase(StandInCase):
    def run_command(self, *argv: str, said: Any = None, terminal: bool = False, **environment: str) -> Ran:
        """A command as it is typed, by the login of the environment, against a stand-in."""
        if said is not None:
            self.stand_in = StandIn(said)
            self.addCleanup(self.stand_in.close)
            environment = {"FIELDS_BASE": self.stand_in.base, "FIELDS_KEY": "k", "FIELDS_TOKEN": "t", **environment}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FIELDS_")}
        self.login = getattr(self, "login", None) or self.folder() / "login.json"
        given = {**kept, "FIELDS_LOGIN": str(self.login), **{name: text for name, text in environment.items() if text}}
        out, err = (Terminal() if terminal else io.StringIO()), io.StringIO()
        fields_open = Fields.open

        def opened(login: Optional[Path] = None) -> Fields:
            fields = fields_open(login)
            self.addCleanup(fields.connection.session.close)
            return fields

        at_once = mock.patch("partner_fields.connection.Connection.pause")
        with mock.patch.dict(os.environ, given, clear=True), at_once, mock.patch.object(Fields, "open", opened):
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                try:
                    code = main(argv)
                except SystemExit as end:
                    code = int(end.code or 0)
        return Ran(code, out.getvalue(), err.getvalue())


class Days(unittest.TestCase):
    def test_they_are_read_as_people_write_them(self) -> None:
        for text in ("2026-05-01", "2026-5-1", "2026/05/01", "20260501", "1.5.2026", "01.05.2026", "1 May 2026", "1. may 2026"):
            self.assertEqual(day(text), "2026-05-01", text)
        for text in ("May 1, 2026", "May 1st 2026", " MAY  1 2026 "):
            self.assertEqual(day(text), "2026-05-01", text)
        self.assertEqual([day("5/13/2026"), day("13/5/2026"), day("3 sept 2026")], ["2026-05-13", "2026-05-13", "2026-09-03"])

    def test_near_ones_are_those_of_UTC(self) -> None:
        today = time.strftime("%Y-%m-%d", time.gmtime())
        self.assertIn(today, (day("today"), day("0 days ago"), day("yesterday")))
        self.assertEqual(day("2 weeks ago"), day("14 days ago"))

    def test_one_that_may_be_two_is_refused_with_both(self) -> None:
        with self.assertRaisesRegex(argparse.ArgumentTypeError, "2026-01-05 or 2026-05-01"):
            day("1/5/2026")

    def test_what_is_no_day_is_told_how_to_be_written(self) -> None:
        for text in ("2026-02-30", "May 2026", "may 32 2026", "1 mayor 2026", "1.5.26", "2026-05/01", "", "soon"):
            with self.assertRaisesRegex(argparse.ArgumentTypeError, "write it as 2026-05-01"):
                day(text)


class Files(StandInCase):
    def test_one_is_found_in_the_quotes_of_another_program(self) -> None:
        path = self.folder() / "Müller & Söhne.geojson"
        path.write_text("{}")
        self.assertEqual(file(f'"{path}"'), path)

    def test_one_below_the_home_folder_is_found(self) -> None:
        home = self.folder()
        (home / "farm.geojson").write_text("{}")
        with mock.patch.dict(os.environ, {"HOME": str(home), "USERPROFILE": str(home)}):
            self.assertEqual(file("~/farm.geojson"), home / "farm.geojson")

    def test_of_one_that_is_not_there_the_near_name_is_told(self) -> None:
        folder = self.folder()
        (folder / "farm.geojson").write_text("{}")
        with self.assertRaisesRegex(argparse.ArgumentTypeError, r"did you mean .*farm\.geojson"):
            file(str(folder / "farm.gejson"))
        with self.assertRaisesRegex(argparse.ArgumentTypeError, "there is no file"):
            file(str(folder / "none" / "farm.geojson"))


class Output(CommandCase):
    LISTS = {"/v1/enrollments": page(enrollment()), "/v1/jobs": page()}

    def test_a_pipe_gets_JSON_lines_with_all_members(self) -> None:
        (row,) = self.run_command("status", said=by_path(self.LISTS)).rows
        self.assertEqual((row["kind"], row["id"], row["processed_fields"]), ("enrollment", "e-1", 22))

    def test_a_terminal_gets_a_table_without_empty_columns(self) -> None:
        head, line = self.run_command("status", said=by_path(self.LISTS), terminal=True).out.splitlines()
        self.assertEqual(head.split(), ["kind", "id", "status", "created", "what"])
        self.assertEqual(line.index("2026-05-28"), head.index("what") + len("22 of 22 fields, "))

    def test_words_of_others_steer_no_terminal(self) -> None:
        said = by_path({**self.LISTS, "/v1/enrollments": page(enrollment(message="\x1b[2Jgone\nand more"))})
        out = self.run_command("status", said=said, terminal=True).out
        self.assertNotIn("\x1b", out)
        self.assertEqual(len(out.splitlines()), 2)

    def test_a_long_cell_is_cut_but_the_last_one_is_whole(self) -> None:
        said = by_path({**self.LISTS, "/v1/enrollments": page(enrollment(enrollment_id="e" * 99, message="m" * 99))})
        line = self.run_command("status", said=said, terminal=True).out.splitlines()[1]
        self.assertNotIn("e" * 49, line)
        self.assertIn("m" * 99, line)

    def test_a_spreadsheet_takes_no_name_for_a_formula(self) -> None:
        tried = {"fields": [{"field_id": "=1+1", "area_ha": 1.5, "errors": None}]}
        ran = self.run_command("enroll", FARM, *PERIOD, "--dry-run", "--as", "csv", said=Answer(200, tried))
        self.assertEqual(ran.out.splitlines(), ["field_id,area_ha,errors", "'=1+1,1.5,"])

    def test_a_reader_that_has_enough_is_no_fault(self) -> None:
        stand_in = StandIn(page(*(enrollment(description="x" * 1000) for _ in range(500))))
        self.addCleanup(stand_in.close)
        command = [sys.executable, "-m", "partner_fields.cli", "status", "--limit", "500"]
        environment = {**os.environ, "FIELDS_BASE": stand_in.base, "FIELDS_KEY": "k"}
        environment.pop("FIELDS_TOKEN", None)
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stderr is not None
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual((process.wait(60), process.stderr.read()), (0, b""))

    def test_each_command_shows_an_example(self) -> None:
        for words in COMMANDS:
            ran = self.run_command(*words, "--help")
            self.assertEqual(ran.code, 0)
            self.assertIn(f"example:\n  fields {' '.join(words)}", ran.out)

    def test_each_example_can_be_typed_and_each_line_of_the_README(self) -> None:
        folder = self.folder()
        for name in ("fields.zip", "farm.geojson", "examples/farm.geojson", "examples/fields.geojson", ".local/service.json"):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text("{}")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder)
        examples = [self.run_command(*words, "--help").out.split("example:\n  ")[1] for words in COMMANDS]
        page = (ROOT / "clients/python/README.md").read_text(encoding="utf-8")
        lines = re.findall(r"^fields [a-z].*$", page, re.MULTILINE)
        self.assertGreaterEqual(len(lines), len(COMMANDS))
        for line in (*examples, *lines):
            typed = shlex.split(line.split(" > ")[0], comments=True)[1:]
            self.assertTrue(callable(parser().parse_args(typed).run), line)


class ExitCodes(CommandCase):
    REFUSAL = {"code": "unauthorized", "message": "The Api-Key header holds no valid key.", "trace_id": "7bba"}

    def test_1_what_the_service_refuses_in_its_own_words(self) -> None:
        ran = self.run_command("observations", said=Answer(401, self.REFUSAL))
        self.assertEqual((ran.code, ran.out), (1, ""))
        for word in ("The Api-Key header holds no valid key.", "401", "unauthorized", "7bba"):
            self.assertIn(word, ran.err)

    def test_2_what_cannot_be_meant(self) -> None:
        self.assertEqual(self.run_command("observations", "--since", "soon", said=page()).code, 2)
        self.assertEqual(self.run_command("boundary", "41.5", "-92.9", said=page()).code, 2)
        self.assertEqual(self.run_command("--nonsense").code, 2)

    def test_2_a_file_that_no_insight_can_be_saved_as_before_a_job_is_made(self) -> None:
        ran = self.run_command("gdd", "Ridge", "--crop", "corn", *PERIOD, "--save", "season.png", said=page())
        self.assertEqual((ran.code, self.paths), (2, []))
        self.assertIn(".svg", ran.err)

    def test_2_nobody_has_logged_in(self) -> None:
        ran = self.run_command("observations")
        self.assertEqual(ran.code, 2)
        self.assertIn("fields login", ran.err)

    def test_3_a_service_that_is_away_or_too_busy(self) -> None:
        for said in (LOST, Answer(503, {}, {"Retry-After": "1"}), Answer(429, {}, {"Retry-After": "1"})):
            self.assertEqual(self.run_command("observations", said=said).code, 3)

    def test_130_Ctrl_C_says_what_goes_on(self) -> None:
        answers = {"/v1/enrollments": Answer(202, enrollment(status="received"))}
        with mock.patch("partner_fields.enrollments.Enrollment.refresh", side_effect=KeyboardInterrupt):
            ran = self.run_command("enroll", FARM, *PERIOD, said=by_path(answers))
        self.assertEqual(ran.code, 130)
        self.assertIn("Enrollment e-1 goes on at the service", ran.err)
        self.assertIn("fields status", ran.err)


class Login(CommandCase):
    def test_one_is_kept_though_it_does_not_open_everything(self) -> None:
        forbidden = Answer(403, {"error": {"code": "Forbidden", "message": "It needs Farm.Read."}, "traceId": "t"})
        answers = {"/health": Answer(200, {"version": "0.2.0"}), "/v1/jobs": page(), "/parties": forbidden}
        stand_in = StandIn(by_path(answers))
        self.addCleanup(stand_in.close)
        self.assertEqual(self.run_command("login", stand_in.base, FIELDS_TOKEN="t").code, 0)
        self.assertEqual(json.loads(self.login.read_text()), {"baseUrl": stand_in.base, "jwt": "t"})

    def test_one_that_opens_something_is_kept_for_its_owner_alone(self) -> None:
        answers = {"/health": Answer(200, {"version": "0.2.0"}), "/v1/fields": page(), "/v1/auth/sas-token": access()}
        stand_in = StandIn(by_path(answers))
        self.addCleanup(stand_in.close)
        source = self.folder() / "service.json"
        source.write_text(json.dumps({"baseUrl": stand_in.base, "apiKey": "k", "blobEndpoint": stand_in.base, "partyId": "p"}))
        ran = self.run_command("login", str(source))
        self.assertEqual(ran.code, 0, ran)
        self.assertEqual(json.loads(self.login.read_text())["apiKey"], "k")
        if os.name == "posix":
            self.assertEqual(stat.S_IMODE(self.login.stat().st_mode), 0o600)

    def test_one_that_is_refused_is_not_kept(self) -> None:
        answers = {"/health": Answer(200, {"version": "0.2.0"}), "/v1/fields": Answer(401, ExitCodes.REFUSAL)}
        stand_in = StandIn(by_path(answers))
        self.addCleanup(stand_in.close)
        ran = self.run_command("login", stand_in.base, FIELDS_KEY="wrong")
        self.assertEqual((ran.code, self.login.exists()), (1, False))

    def test_secrets_are_no_arguments_which_others_on_the_machine_can_read(self) -> None:
        ran = self.run_command("login", "https://fields.contoso.com")
        self.assertEqual(ran.code, 2)
        self.assertIn("FIELDS_KEY", ran.err)
        self.assertNotIn("--key", self.run_command("login", "--help").out)


def access() -> Answer:
    told = {"account_name": "account", "file_system": "imagery", "path": "c/field-imagery"}
    return Answer(200, {**told, "sas_token": "se=2036-01-01T00%3A00%3A00Z&sig=s"})


class Doctor(CommandCase):
    HEALTH = Answer(200, {"version": "0.2.0"})

    def examine(self, **answers: Answer) -> "tuple[int, Dict[str, Dict[str, str]]]":
        """What it says by check; an answer is named by the last part of its path."""
        usual = {"health": self.HEALTH, "fields": page(), "sas-token": access(), "jobs": page(), "parties": page()}
        paths = {"health": "/health", "fields": "/v1/fields", "sas-token": "/v1/auth/sas-token", "jobs": "/v1/jobs"}
        said = {paths.get(name, f"/{name}"): answer for name, answer in {**usual, **answers}.items()}
        claims = base64.urlsafe_b64encode(json.dumps({"roles": ["Jobs.Read"], "exp": time.time() + 7200}).encode()).decode()
        self.stand_in = StandIn(by_path(said))
        self.addCleanup(self.stand_in.close)
        variables = {"FIELDS_BASE": self.stand_in.base, "FIELDS_BLOB_ENDPOINT": self.stand_in.base}
        ran = self.run_command("doctor", **variables, FIELDS_KEY="k", FIELDS_TOKEN=f"h.{claims.rstrip('=')}.s")
        return ran.code, {row["check"]: row for row in ran.rows}

    def test_where_all_is_well_it_says_what_may_be_done(self) -> None:
        code, checks = self.examine()
        self.assertEqual((code, {row["result"] for row in checks.values()}), (0, {"fine"}))
        self.assertEqual(list(checks), ["address", "clock", "key", "storage", "token: Jobs", "token: Farm"])
        self.assertRegex(checks["token: Jobs"]["found"], r"Jobs\.Read for 2\.0 h")

    def test_a_wrong_clock(self) -> None:
        slow = Answer(200, {"version": "0.2.0"}, {"Date": formatdate(time.time() + 600, usegmt=True)})
        code, checks = self.examine(health=slow)
        self.assertEqual((code, checks["clock"]["result"]), (1, "wrong"))
        self.assertIn("10 min behind", checks["clock"]["found"])
        self.assertIn("NTP", checks["clock"]["do"])

    def test_another_program_at_the_address(self) -> None:
        for answer in (Answer(200, {"status": "ok"}), Answer(404, b"<html>nginx</html>")):
            code, checks = self.examine(health=answer)
            self.assertEqual((code, list(checks)), (1, ["address"]))

    def test_a_service_that_is_away(self) -> None:
        ran = self.run_command("doctor", FIELDS_BASE="http://127.0.0.1:1", FIELDS_KEY="k")
        self.assertEqual((ran.code, ran.rows[0]["result"]), (3, "away"))

    def test_a_key_that_is_refused(self) -> None:
        code, checks = self.examine(fields=Answer(401, ExitCodes.REFUSAL))
        self.assertEqual((code, checks["key"]["result"]), (1, "wrong"))
        self.assertNotIn("storage", checks)

    def test_a_token_without_the_role(self) -> None:
        refusal = {"error": {"code": "Forbidden", "message": "It needs Farm.Read."}, "traceId": "t"}
        code, checks = self.examine(parties=Answer(403, refusal))
        self.assertEqual((code, checks["token: Farm"]["result"]), (0, "not given"))
        self.assertIn("Forbidden It needs Farm.Read.", checks["token: Farm"]["found"])
        self.assertIn("Farm.ReadWrite", checks["token: Farm"]["do"])

    def test_storage_that_refuses(self) -> None:
        code, checks = self.examine(imagery=Answer(403, b"<Error><Code>AuthorizationFailure</Code></Error>"))
        self.assertEqual((code, checks["storage"]["result"]), (1, "wrong"))

    def test_what_is_not_given_is_no_fault(self) -> None:
        ran = self.run_command("doctor", said=by_path({"/health": self.HEALTH, "/v1/jobs": page()}), FIELDS_KEY="", FIELDS_TOKEN="")
        self.assertEqual((ran.code, [row["result"] for row in ran.rows]), (0, ["fine", "fine", "not given", "not given"]))

    def test_on_a_terminal_each_fault_has_its_remedy_below_it(self) -> None:
        out = self.run_command("doctor", said=by_path({"/health": self.HEALTH}), FIELDS_KEY="", terminal=True).out
        self.assertRegex(out, r"not given  key: no enrollments.*\n +do: fields login")


class Work(CommandCase):
    FIELD = {"id": "f" * 36, "partyId": "p", "name": "Ridge"}

    def gdd(self, *names: str, **fields: Any) -> Ran:
        """Degree days where farm data finds these `fields` by a text in the query, and without a filter one called Ridge."""

        def said(asked: Asked) -> Answer:
            if asked.path.startswith("/fields?"):
                found = [field for text, field in fields.items() if asked.path.endswith(text)]
                return Answer(200, {"value": found if asked.path.count("=") > 1 else [self.FIELD]})
            if asked.path.startswith("/v1/insights/"):
                return Answer(200, {"insightId": "i", "total": 1642.1, "temperatureUnit": "C", "days": 153, "daily": []})
            if asked.json["requestPath"].endswith("refused"):
                return Answer(400, {"error": {"code": "GDD-04100", "message": "no"}, "traceId": "t"})
            return Answer(200, {"status": "SUCCEEDED", "insightId": "i", "message": ""})

        season = ["--start", "1 May 2025", "--end", "30.9.2025"]
        return self.run_command("gdd", *names, "--crop", "winter wheat", *season, said=said)

    def test_degree_days_of_a_field_by_its_name(self) -> None:
        ran = self.gdd("Ridge", Ridge=self.FIELD)
        self.assertEqual((ran.code, ran.rows[0]["field"], ran.rows[0]["total"]), (0, "Ridge", 1642.1))
        sent = next(asked.json["partnerRequestBody"] for asked in self.stand_in.asked if "create" in asked.path)
        wanted = {"crop": "WINTER_WHEAT", "gddStartDate": "2025-05-01", "gddEndDate": "2025-09-30", "resourceId": "f" * 36}
        self.assertEqual({name: sent[name] for name in wanted}, wanted)

    def test_a_field_is_found_by_the_id_that_its_file_gave_it(self) -> None:
        ran = self.gdd("north-40", **{"sourceId+eq+north-40": {**self.FIELD, "name": None, "properties": {"sourceId": "north-40"}}})
        self.assertEqual((ran.code, ran.rows[0]["field"]), (0, "north-40"))

    def test_a_name_that_several_or_none_have_is_asked_about(self) -> None:
        for fields in ({}, {"Creek": self.FIELD, "eek": {**self.FIELD, "id": "g" * 36}}):
            ran = self.gdd("Creek", **fields)
            self.assertEqual(ran.code, 2)
            self.assertIn(f"Ridge ({'f' * 36})", ran.err)

    def test_events_go_on_from_the_cursor_that_was_kept(self) -> None:
        kept = self.folder() / "cursor.txt"
        event = {"id": "1", "type": "partner.imagery.available", "time": "2026-08-26T17:00:00Z", "data": {}}
        first = page(event, cursor="c1", has_more=False)
        self.assertEqual(self.run_command("events", "--keep", str(kept), said=first).rows, [event])
        self.assertEqual(kept.read_text(), "c1")
        self.run_command("events", "--keep", str(kept), said=page(cursor="c1", has_more=False))
        self.assertEqual(self.paths, ["/v1/events?cursor=c1"])

    def test_images_are_saved_by_field_day_and_layer_or_only_listed(self) -> None:
        day_of_images = {"date": "2026-08-25", "outcome": "done", "clear_percent": 100, "layers": ["ndvi"]}
        folder = "/imagery/c/field-imagery/sentinel-2/Ridge"
        said = by_path(
            {
                "/v1/auth/sas-token": access(),
                f"{folder}/index.json": Answer(200, {"fieldimagery:dates": [day_of_images]}),
                f"{folder}/2026-08-25/ndvi.tiff": Answer(200, b"II*\0"),
            }
        )
        stand_in = StandIn(said)
        self.addCleanup(stand_in.close)
        login = {"FIELDS_BASE": stand_in.base, "FIELDS_KEY": "k", "FIELDS_BLOB_ENDPOINT": stand_in.base}
        none = self.run_command("images", "Rigde", **login)
        self.assertEqual((none.code, none.out), (0, ""))
        self.assertIn("no images of Rigde", none.err)
        to = self.folder()
        self.assertEqual(self.run_command("images", "Ridge", "--list", "--to", str(to), **login).rows[0]["file"], None)
        (row,) = self.run_command("images", "Ridge", "--to", str(to), **login).rows
        self.assertEqual(Path(row["file"]).read_bytes(), b"II*\0")
        self.assertEqual(Path(row["file"]), to / "Ridge" / "2026-08-25" / "ndvi.tiff")

    def test_a_trial_tells_each_field_and_fails_where_one_does(self) -> None:
        fault = {"code": "self_crossing", "message": "It crosses itself."}
        fields = [{"field_id": "a", "area_ha": 2.5, "errors": None}, {"field_id": "b", "area_ha": None, "errors": [fault]}]
        ran = self.run_command("enroll", FARM, *PERIOD, "--dry-run", said=Answer(200, {"fields": fields}))
        self.assertEqual((ran.code, [row["field_id"] for row in ran.rows]), (1, ["a", "b"]))

    def test_an_import_goes_to_the_only_party(self) -> None:
        done = {"id": "i", "status": "Succeeded", "total": 22, "written": 22, "failed": 0, "errors": []}
        parties = Answer(200, {"value": [{"id": "p", "name": "Miller"}]})
        ran = self.run_command("farm", "import", FARM, said=by_path({"/parties": parties, "/v1/imports": Answer(202, done)}))
        self.assertEqual((ran.code, ran.rows[0]["written"]), (0, 22))
        self.assertIn("partyId=p", self.paths[-1])


if __name__ == "__main__":
    unittest.main()
