import json
import threading
import unittest
from datetime import date, datetime
from typing import Any, Dict, List, Optional
from unittest import mock

import requests
from cases import StandInCase, needs
from partner_fields import Conflict, Interrupted, JobFailed, Unavailable, same_job
from stand_in import LOST, Answer, Asked

SENT = {"partyId": "a-b", "resourceId": "c", "crop": "CORN", "gddStartDate": "2026-05-01", "gddEndDate": "2026-09-30"}
MISSING = Answer(404, {"error": {"code": "HWA-04101", "message": "HWA-04101: No job has the id."}})
TAKEN = Answer(409, {"error": {"code": "GDD-04103", "message": "GDD-04103: The id is used."}, "traceId": "t"})
AWAY = Answer(503, {"error": {"code": "ServiceUnavailable", "message": "Away."}}, {"Retry-After": "4"})
INSIGHT = {"insightId": "i", "kind": "GDD", "total": 1642.1, "temperatureUnit": "C", "daily": [], "method": {}}


def job(status: str = "SUCCEEDED", **echo: Any) -> Answer:
    body = {**SENT, "resourceType": "FIELD", "temperatureUnit": "C", **echo}
    return Answer(200, {"status": status, "message": "", "insightId": "i", "partnerRequestBody": body}, {"Retry-After": "1"})


class Creation(StandInCase):
    def create(self, *answers: Any) -> Dict[str, Any]:
        return self.service(*answers).gdd.create("corn", **SENT)

    @property
    def operations(self) -> List[str]:
        return [path.split(":")[-1] for path in self.paths]

    def test_a_create_that_got_503_and_was_stored_is_fetched_and_not_repeated(self) -> None:
        for lost in (AWAY, LOST, Answer(500, b""), Answer(504), Answer(202, b"{}", cut_at=1)):
            with self.subTest(lost):
                self.assertEqual(self.create(lost, job("WAITING"))["status"], "WAITING")
                self.assertEqual(self.operations, ["create", "fetch"])

    def test_so_is_one_that_timed_out(self) -> None:
        fields = self.service(job("WAITING"))
        send = fields.connection.session.send
        late = [requests.ReadTimeout("Read timed out.")]
        with mock.patch.object(fields.connection.session, "send") as sending:
            sending.side_effect = lambda *given, **told: send(*given, **told) if not late else self.fail_with(late.pop())
            self.assertEqual(fields.gdd.create("corn", **SENT)["status"], "WAITING")
        self.assertEqual(self.operations, ["fetch"])

    def fail_with(self, error: Exception) -> None:
        raise error

    def test_one_that_was_not_stored_is_repeated_under_its_id(self) -> None:
        self.create(AWAY, MISSING, LOST, MISSING, job("WAITING"))
        self.assertEqual(self.operations, ["create", "fetch"] * 2 + ["create"])
        self.assertEqual(self.waited, [4, 2])
        self.assertEqual({asked.json["requestPath"] for asked in self.stand_in.asked}, {"/v1/gdd/corn"})

    def test_an_id_that_has_the_very_same_job_is_no_conflict(self) -> None:
        self.assertEqual(self.create(TAKEN, job("RUNNING"))["status"], "RUNNING")

    def test_one_that_has_another_job_is_refused_in_the_words_of_the_service(self) -> None:
        for answers in ((TAKEN, job(crop="SOYBEAN")), (LOST, job(crop="SOYBEAN"), TAKEN, job(crop="SOYBEAN"))):
            with self.subTest(len(answers)), self.assertRaises(Conflict) as raised:
                self.create(*answers)
            self.assertEqual((raised.exception.message, raised.exception.trace_id), ("GDD-04103: The id is used.", "t"))

    def test_a_bug_of_the_service_is_not_called_again(self) -> None:
        with self.assertRaises(Unavailable):
            self.create(Answer(500, {"error": {"code": "InternalError", "message": "Oh."}}))
        self.assertEqual(self.operations, ["create"])

    def test_five_repetitions_are_all(self) -> None:
        with self.assertRaises(Unavailable):
            self.service(lambda asked: AWAY if asked.path.endswith("create") else MISSING).gdd.create("corn", **SENT)
        self.assertEqual(self.operations.count("create"), 6)

    def test_days_may_be_those_of_python_and_None_is_left_out(self) -> None:
        fields = self.service(job("WAITING"))
        days = {"gddStartDate": date(2026, 5, 1), "gddEndDate": datetime(2026, 9, 30, 12)}
        fields.gdd.create("corn", **{**SENT, **days}, startEvent=None)
        self.assertEqual(self.stand_in.asked[0].json["partnerRequestBody"], {**SENT, "resourceType": "Field"})


class SameJob(unittest.TestCase):
    def test_a_job_is_compared_by_its_meaning(self) -> None:
        point = {"longitude": -93.0, "latitude": 42}
        for why, sent, echo, is_same in (
            ("upper case", {"resourceType": "Field"}, {"resourceType": "FIELD"}, True),
            ("the unit that was left out", {}, {"temperatureUnit": "C"}, True),
            ("the event that was left out", {"startEvent": "PLANTING"}, {}, True),
            ("null is absent", {"startEvent": None}, {}, True),
            ("imagery in modelSpec", {"pointOnSurface": point}, {"modelSpec": {"pointOnSurface": point}}, True),
            ("numbers by value, in any order", {"at": point}, {"at": {"latitude": 42.0, "longitude": -93}}, True),
            ("another unit", {}, {"temperatureUnit": "F"}, False),
            ("another point", {"pointOnSurface": point}, {"pointOnSurface": {**point, "latitude": 41}}, False),
            ("a member more", {}, {"crop": "CORN"}, False),
        ):
            with self.subTest(why):
                self.assertEqual(same_job(sent, echo), is_same)


class Running(StandInCase):
    def test_a_job_is_looked_at_as_often_as_the_service_asks_until_its_insight_is_there(self) -> None:
        fields = self.service(job("WAITING"), job("WAITING"), job("RUNNING"), job(), Answer(200, INSIGHT))
        seen: List[str] = []
        insight = fields.gdd.run(**SENT, on_status=lambda state: seen.append(state["status"]))
        self.assertEqual((insight["total"], seen, self.waited), (1642.1, ["WAITING", "RUNNING", "SUCCEEDED"], [1, 1]))

    def test_each_run_makes_an_id_of_its_own_once(self) -> None:
        fields = self.service(lambda asked: job() if asked.method == "POST" else Answer(200, INSIGHT))
        fields.gdd.run(**SENT)
        fields.gdd.run(**SENT)
        ids = [asked.json["requestPath"] for asked in self.stand_in.asked if asked.method == "POST"]
        self.assertEqual([ids.count(each) for each in dict.fromkeys(ids)], [2, 2])

    def test_a_job_that_failed_is_an_error_with_its_code_message_and_id(self) -> None:
        failed = {"status": "FAILED", "message": "GDD-05001: No such field.", "e2eId": "e", "partnerRequestBody": {}}
        with self.assertRaises(JobFailed) as raised:
            self.service(job(), Answer(200, failed)).gdd.run(jobId="corn", **SENT)
        error = raised.exception
        self.assertEqual((error.code, error.message, error.trace_id), ("GDD-05001", "GDD-05001: No such field.", "e"))
        self.assertIn("job corn", str(error))

    def test_Ctrl_C_says_which_job_goes_on(self) -> None:
        fields = self.service(job("WAITING"))
        fields.connection.pause = mock.Mock(side_effect=KeyboardInterrupt)  # type: ignore[method-assign]
        with self.assertRaisesRegex(Interrupted, "Job corn goes on .*ended.'corn'.*cancel.'corn'"):
            fields.gdd.run(jobId="corn", **SENT)

    def test_an_insight_is_saved_in_the_form_that_its_name_ends_with(self) -> None:
        fields = self.service(Answer(200, INSIGHT), Answer(200, b"<svg/>"))
        insight = fields.insight("i")
        place = insight.save(self.folder() / "new" / "chart.SVG")
        self.assertEqual(place.read_bytes(), b"<svg/>")
        self.assertEqual(self.stand_in.asked[1].headers["Accept"], "image/svg+xml")
        with self.assertRaisesRegex(ValueError, "chart.png"):
            insight.save("chart.png")


class Many(StandInCase):
    """Jobs by their resource: `bad` is refused, `failed` fails, at `away` the service is away."""

    def answer(self, asked: Asked) -> Answer:
        if asked.method == "GET":
            return Answer(200, {**INSIGHT, "insightId": asked.path.split("/")[-1]})
        told = asked.json
        if asked.path.endswith("create"):
            self.resources[told["requestPath"]] = told["partnerRequestBody"].get("resourceId")
        resource = self.resources[told["requestPath"]]
        if resource == "bad":
            return Answer(400, {"error": {"code": "GDD-04100", "message": "GDD-04100: no UUID."}})
        if resource == "away":
            return Answer(500, {"error": {"code": "InternalError", "message": "Oh."}})
        status = "FAILED" if resource == "failed" else "SUCCEEDED"
        state = {"status": status, "message": "GDD-05001: no.", "insightId": resource, "partnerRequestBody": {}}
        return Answer(200, state)

    def run_many(self, rows: Any, at_once: int = 8) -> Any:
        self.resources: Dict[str, Optional[str]] = {}
        return self.service(self.answer).gdd.run_many(rows, at_once)

    def test_rows_come_back_in_their_order_with_what_they_had_and_one_bad_row_stops_no_other(self) -> None:
        rows = [{**SENT, "resourceId": each, "name": f"field {each}"} for each in ("1", "bad", "2", "failed", "3")]
        out = self.run_many(rows)
        self.assertEqual([row["name"] for row in out], [row["name"] for row in rows])
        self.assertEqual([row["status"] for row in out], ["SUCCEEDED", "REFUSED", "SUCCEEDED", "FAILED", "SUCCEEDED"])
        self.assertEqual([row.get("insightId") for row in out], ["1", None, "2", None, "3"])
        self.assertEqual((out[0]["total"], out[1]["message"], out[3]["code"]), (1642.1, "GDD-04100: no UUID.", "GDD-05001"))

    def test_once_the_service_is_away_no_further_row_is_begun(self) -> None:
        out = self.run_many([{**SENT, "resourceId": each} for each in ("1", "away", "2")], at_once=1)
        self.assertEqual([row["status"] for row in out], ["SUCCEEDED", "UNKNOWN", "NOT_BEGUN"])
        self.assertEqual((out[1]["message"], len(self.resources)), ("Oh.", 2))

    @needs("pandas")
    def test_a_frame_comes_back_as_a_frame_under_its_index(self) -> None:
        import pandas

        frame = pandas.DataFrame([{**SENT, "resourceId": each} for each in "12"], index=["north", "south"])
        frame["gddStartDate"] = pandas.to_datetime(frame["gddStartDate"])
        frame["startEvent"] = float("nan")
        out = self.run_many(frame)
        self.assertEqual((list(out.index), list(out["total"])), (["north", "south"], [1642.1, 1642.1]))
        sent = json.loads(self.stand_in.asked[0].body)["partnerRequestBody"]
        self.assertEqual((sent["gddStartDate"], "startEvent" in sent), ("2026-05-01", False))

    def test_Ctrl_C_ends_the_threads_and_names_the_jobs_that_go_on(self) -> None:
        fields = self.service(job("WAITING"))
        pause = type(fields.connection).pause
        pausing = threading.Event()

        def told(seconds: float) -> None:
            pausing.set()
            pause(fields.connection, 60)

        fields.connection.pause = told  # type: ignore[method-assign]
        with mock.patch("partner_fields.jobs.wait", side_effect=lambda *_, **__: [pausing.wait(), self.interrupt()]):
            with self.assertRaisesRegex(Interrupted, "These jobs go on at the service: corn-1"):
                fields.gdd.run_many([{**SENT, "jobId": "corn-1"}, {**SENT, "jobId": "corn-2"}], at_once=1)
        self.assertEqual({asked.json["requestPath"] for asked in self.stand_in.asked}, {"/v1/gdd/corn-1"})
        self.assertFalse(fields.connection.stop.is_set())

    def interrupt(self) -> None:
        raise KeyboardInterrupt


class Boundaries(StandInCase):
    FARM = {"partyId": "p", "id": "f"}

    def test_a_point_is_enough_where_the_tenant_has_one_farm(self) -> None:
        farms = Answer(200, {"value": [self.FARM]}, {"Date": "Sat, 09 May 2026 23:59:59 GMT"})
        fields = self.service(farms, job("WAITING"), job(), Answer(200, {**INSIGHT, "areaHectares": 60.5}))
        self.assertEqual(fields.boundary.at(-92.97, 41.52)["areaHectares"], 60.5)
        sent = {
            "resourceType": "Farm",
            "partyId": "p",
            "resourceId": "f",
            "imageStartDate": "2026-04-26",
            "imageEndDate": "2026-05-09",
            "pointOnSurface": {"longitude": -92.97, "latitude": 41.52},
        }
        self.assertEqual(self.stand_in.asked[1].json["partnerRequestBody"], sent)

    def test_two_farms_have_to_be_told_apart(self) -> None:
        for farms, there in (([], "no farm"), ([self.FARM] * 2, "more than one farm")):
            with self.subTest(there), self.assertRaisesRegex(ValueError, f"{there}.*farm="):
                self.service(Answer(200, {"value": farms})).boundary.at(-92.97, 41.52)


if __name__ == "__main__":
    unittest.main()
