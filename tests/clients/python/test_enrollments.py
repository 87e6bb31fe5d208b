import json
import unittest
from typing import Any, Dict
from unittest import mock

from cases import ROOT, StandInCase, needs
from partner_fields import Enrollment, Interrupted, Refused, Unavailable
from partner_fields.geojson import submission_part
from stand_in import LOST, Answer

FILE = ROOT / "examples/fields.geojson"
SQUARE = {"type": "Polygon", "coordinates": [[[-93.0, 42.0], [-92.99, 42.0], [-92.99, 42.01], [-93.0, 42.0]]]}


def state(status: str = "completed", **more: Any) -> Answer:
    counts = {"total_fields": 2, "processed_fields": 1, "failed_fields": 0}
    return Answer(200, {"enrollment_id": "e", "status": status, "message": "", "errors": None, **counts, **more})


def backfill(status: str, left: int = 0, since: str = "2026-01-01") -> Answer:
    return Answer(200, {"status": status, "from": since, "days": 31, "days_left": left})


def collection(**properties: Any) -> Dict[str, Any]:
    return {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": properties, "geometry": SQUARE}]}


class Submission(StandInCase):
    def enroll(self, fields: Any, *answers: Any, **options: Any) -> Enrollment:
        return self.service(*(answers or [state("received")])).enroll(fields, start="2026-04-01", end="2026-09-30", **options)

    def test_one_whose_answer_was_lost_is_repeated_under_its_key_with_the_same_bytes(self) -> None:
        busy = Answer(503, {}, {"Retry-After": "1"})
        self.assertEqual(self.enroll(FILE, LOST, busy, state("received")).id, "e")
        asked = self.stand_in.asked
        self.assertEqual(len({(each.headers["Idempotency-Key"], each.body) for each in asked}), 1)
        self.assertEqual(len(asked), 3)

    def test_each_call_has_a_key_of_its_own(self) -> None:
        fields = self.service(state("received"))
        for _ in "12":
            fields.enroll(FILE, start="2026-04-01", end="2026-09-30")
        self.assertEqual(len({asked.headers["Idempotency-Key"] for asked in self.stand_in.asked}), 2)

    def test_one_that_is_given_up_names_its_key_so_that_it_can_be_sent_again(self) -> None:
        with self.assertRaises(Unavailable) as raised:
            self.enroll(FILE, Answer(503), idempotency_key="spring-1")
        self.assertIn("Idempotency-Key spring-1", str(raised.exception))
        fields = self.service(Answer(503))
        fields.connection.pause = mock.Mock(side_effect=KeyboardInterrupt)  # type: ignore[method-assign]
        with self.assertRaisesRegex(Interrupted, "The service may have it.*idempotency_key='spring-1'"):
            fields.enroll(FILE, start="2026-04-01", end="2026-09-30", idempotency_key="spring-1")

    def test_a_GeoJSON_file_goes_as_it_is_beside_the_request(self) -> None:
        self.enroll(str(FILE), layers=["ndvi", "true-color"], description="Spring")
        (asked,) = self.stand_in.asked
        boundary = asked.headers["Content-Type"].split("boundary=")[1].encode()
        _, request, geojson, end = asked.body.split(b"--" + boundary)
        self.assertEqual(end, b"--\r\n")
        self.assertIn(b"\r\n\r\n" + FILE.read_bytes() + b"\r\n", geojson)
        told = json.loads(request.split(b"\r\n\r\n")[1])
        layers = [{"layer": "ndvi"}, {"layer": "true-color"}]
        days = {"start_date": "2026-04-01", "end_date": "2026-09-30"}
        self.assertEqual(told, {"image_source": "sentinel-2-l2a", **days, "layers": layers, "description": "Spring"})

    def test_a_trial_stores_nothing(self) -> None:
        fields = self.service(Answer(200, {"fields": [{"field_id": "a", "area_ha": 1.5, "errors": None}]}))
        self.assertEqual(fields.try_out(FILE, start="2026-04-01", end="2026-09-30")[0]["area_ha"], 1.5)
        self.assertEqual(self.paths, ["/v1/enrollments?dry_run=true"])


class Parts(StandInCase):
    def properties(self, fields: Any, id: str = "field_id") -> Any:
        return json.loads(submission_part(fields, id))["features"][0]["properties"]

    def test_ids_become_texts_and_what_is_not_asked_for_stays_here(self) -> None:
        for given, sent in ((7, "7"), (7.0, "7"), ("a b", "a b"), (2**60 + 1, "1152921504606846977")):
            self.assertEqual(self.properties(collection(nr=given, owner="Miller"), "nr"), {"field_id": sent})
        self.assertEqual(self.properties(collection(field_id="a", group=None)), {"field_id": "a", "group": None})

    def test_a_feature_without_the_id_is_named_with_what_it_has(self) -> None:
        for given in ({"nr": 7}, {"nr": 7, "field_id": None}):
            with self.subTest(given), self.assertRaisesRegex(ValueError, "no 'field_id', so id=.* there are: nr"):
                submission_part(collection(**given))

    def test_a_file_whose_ids_have_another_name_is_read_with_or_without_a_byte_order_mark(self) -> None:
        for mark in ("", "\ufeff"):
            file = self.folder() / "Felder Süd.geojson"
            file.write_text(mark + json.dumps(collection(nr=7)), encoding="utf-8")
            self.assertEqual(self.properties(file, "nr"), {"field_id": "7"})

    @needs("geopandas")
    def test_a_frame_goes_in_WGS_84_whatever_it_is_in(self) -> None:
        import geopandas

        frame = geopandas.GeoDataFrame.from_features(collection(nr=7.0, seen="2026-05-01")["features"], crs=4326)
        frame["seen"] = frame["seen"].astype("datetime64[ns]")
        projected = json.loads(submission_part(frame.to_crs(32615), "nr"))["features"][0]
        self.assertEqual(projected["properties"], {"field_id": "7"})
        for there, given in zip(projected["geometry"]["coordinates"][0], SQUARE["coordinates"][0]):  # type: ignore[arg-type]
            self.assertAlmostEqual(there[0], given[0], 8)
            self.assertAlmostEqual(there[1], given[1], 8)

    @needs("geopandas")
    def test_a_shapefile_is_read_by_geopandas(self) -> None:
        import geopandas

        file = self.folder() / "fields.shp"
        geopandas.GeoDataFrame.from_features(collection(field_id="a")["features"], crs=4326).to_crs(3857).to_file(file)
        feature = json.loads(submission_part(file))["features"][0]
        self.assertEqual(feature["properties"], {"field_id": "a"})
        self.assertAlmostEqual(min(place[0] for place in feature["geometry"]["coordinates"][0]), -93, 8)

    def test_without_geopandas_another_format_is_refused_in_words(self) -> None:
        with mock.patch.dict("sys.modules", geopandas=None), self.assertRaisesRegex(ImportError, "a.shp .*geopandas"):
            submission_part("a.shp")


class Waiting(StandInCase):
    def wait(self, *answers: Answer, **options: Any) -> Enrollment:
        return Enrollment(self.service(*answers).connection, {"enrollment_id": "e"}).wait(**options)

    def test_the_fields_then_the_images_of_past_days_are_waited_for(self) -> None:
        said = []
        answers = (state("in_progress"), state("in_progress"), state(), backfill("running", 31), backfill("completed"))
        self.wait(*answers, on_progress=said.append)
        self.assertEqual(said, ["1 of 2 fields are checked", "0 of 31 days are looked through"])

    def test_a_period_that_has_not_begun_has_nothing_to_wait_for(self) -> None:
        today = {"Date": "Sat, 09 May 2026 12:00:00 GMT"}
        self.wait(state()._replace(headers=today), backfill("waiting", 31, "2026-05-10")._replace(headers=today))
        self.assertEqual(self.waited, [])

    def test_fields_that_are_left_out_are_warned_of(self) -> None:
        fault = {"field_id": "b", "code": "self_crossing", "message": "It crosses itself."}
        with self.assertWarnsRegex(UserWarning, "1 fields are left out.*b: It crosses itself."):
            self.assertEqual(self.wait(state(errors=[fault]), images=False).errors, [fault])

    def test_an_enrollment_of_which_nothing_is_left_is_an_error_in_the_words_of_the_service(self) -> None:
        fault = {"field_id": None, "code": "ingest_failed", "message": "It could not be ingested."}
        with self.assertRaises(Refused) as raised:
            self.wait(state("failed", errors=[fault]))
        self.assertEqual((raised.exception.code, raised.exception.message), ("ingest_failed", "It could not be ingested."))
        self.assertIn("enrollment e", str(raised.exception))

    def test_Ctrl_C_says_that_it_goes_on(self) -> None:
        fields = self.service(state("in_progress"))
        fields.connection.pause = mock.Mock(side_effect=KeyboardInterrupt)  # type: ignore[method-assign]
        with self.assertRaisesRegex(Interrupted, "Enrollment e goes on .*enrollment.'e'"):
            fields.enrollment("e").wait()


if __name__ == "__main__":
    unittest.main()
