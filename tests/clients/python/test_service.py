"""Every operation of the package against the service that `npm start` starts; `SERVICE_FILE` names it."""

import json
import os
import socket
import threading
import unittest
import uuid
from datetime import date, timedelta
from typing import Any, List

import requests
from cases import ROOT, StandInCase, needs
from partner_fields import Conflict, Event, Fields, JobFailed, NotFound, Refused

FILE = os.environ.get("SERVICE_FILE", "")
EXAMPLE = ROOT / "examples/fields.geojson"
TODAY = date.today()
SEASON = {"crop": "CORN", "gddStartDate": "2025-05-01", "gddEndDate": "2025-09-30"}


@unittest.skipUnless(FILE, "no service: SERVICE_FILE is not set")
class ServiceCase(StandInCase):
    told: Any

    @classmethod
    def setUpClass(cls) -> None:
        with open(FILE, encoding="utf-8") as file:
            cls.told = json.load(file)
        cls.fields = Fields.open(FILE)
        # The first call begins the log; what happens within the minute after it may not be told.
        list(cls.fields.events())

    @classmethod
    def tearDownClass(cls) -> None:
        cls.fields.connection.session.close()


class Jobs(ServiceCase):
    def test_degree_days_of_one_field_then_of_many(self) -> None:
        body = {"partyId": self.told["partyId"], **SEASON}
        insight = self.fields.gdd.run(resourceId=self.told["fieldIds"][0], **body)
        self.assertEqual((insight["days"], len(insight.frame())), (153, 153))
        chart = insight.save(self.folder() / "gdd.svg")
        self.assertIn("<svg", chart.read_text(encoding="utf-8"))
        rows = self.fields.gdd.run_many([{**body, "resourceId": each} for each in (*self.told["fieldIds"][:2], "x")])
        self.assertEqual([row["status"] for row in rows], ["SUCCEEDED", "SUCCEEDED", "REFUSED"])
        self.assertEqual(rows[0]["total"], insight["total"])
        self.assertIn(insight["jobId"], {each["requestPath"].split("/")[-1] for each in self.fields.jobs(kind="gdd")})

    def test_the_same_job_under_its_id_is_no_conflict_and_another_is(self) -> None:
        body = {"partyId": self.told["partyId"], "resourceId": self.told["fieldIds"][0], **SEASON}
        job_id = str(uuid.uuid4())
        created = self.fields.gdd.create(job_id, **body)
        self.assertEqual(self.fields.gdd.create(job_id, **body)["e2eId"], created["e2eId"])
        with self.assertRaisesRegex(Conflict, "GDD-04103"):
            self.fields.gdd.create(job_id, **{**body, "crop": "SOYBEAN"})
        self.assertEqual(self.fields.gdd.ended(job_id)["status"], "SUCCEEDED")
        with self.assertRaisesRegex(Conflict, "GDD-04102"):
            self.fields.gdd.cancel(job_id)
        with self.assertRaisesRegex(NotFound, "HWA-04101"):
            self.fields.gdd.fetch("nobody")

    def test_a_job_of_a_field_that_is_not_there_fails_with_its_code(self) -> None:
        with self.assertRaisesRegex(JobFailed, "^GDD-05001"):
            self.fields.gdd.run(partyId=self.told["partyId"], resourceId=str(uuid.uuid4()), **SEASON)

    def test_the_boundary_around_a_point(self) -> None:
        point = self.told["pointOnSurface"]
        whom = {"party": self.told["partyId"], "farm": self.told["farmId"]}
        days = {"start": TODAY - timedelta(23), "end": TODAY - timedelta(10)}
        insight = self.fields.boundary.at(point["longitude"], point["latitude"], **whom, **days)
        self.assertGreater(insight["areaHectares"], 1)
        boundary = json.loads(insight.save(self.folder() / "field.geojson").read_bytes())
        self.assertEqual(boundary["type"], "Feature")


class Imagery(ServiceCase):
    def test_an_enrolled_field_has_images_and_observations_with_a_token_that_has_ended_too(self) -> None:
        days = {"start": TODAY - timedelta(20), "end": TODAY}
        self.assertEqual(self.fields.try_out(EXAMPLE, **days)[0]["errors"], None)
        enrollment = self.fields.enroll(EXAMPLE, **days, layers=["ndvi", "true-color"]).wait()
        self.assertEqual((enrollment.status, enrollment.backfill()["status"]), ("completed", "completed"))
        self.assertIn(enrollment.id, [each.id for each in self.fields.enrollments(status="completed")])
        self.assertIn("north-40", [each["field_id"] for each in self.fields.list_fields()])

        since = TODAY - timedelta(20)
        images = list(self.fields.images("north-40", since=since, layers=["true-color"]))
        folder = self.fields.storage.folder()
        self.fields.storage._folder = folder._replace(sas_token=folder.sas_token.replace("se=2", "se=1"))
        saved = images[-1].save(self.folder())
        self.assertEqual(saved.read_bytes()[:4], b"II*\0")

        seen = self.fields.observations(since=since, fields=["north-40"])
        rows = seen if isinstance(seen, list) else seen.to_dict("records")
        self.assertEqual({row["layer"] for row in rows}, {"ndvi"})
        self.assertTrue(all(-1 <= row["p2"] <= row["mean"] <= row["p98"] <= 1 for row in rows))

    @needs("rasterio")
    def test_an_image_is_opened(self) -> None:
        self.fields.enroll(EXAMPLE, start=TODAY - timedelta(20), end=TODAY).wait()
        with next(self.fields.images("north-40", layers=["ndvi"])).open() as dataset:
            self.assertEqual((dataset.count, dataset.dtypes, dataset.nodata), (1, ("float32",), -9999))

    @needs("geopandas")
    def test_a_frame_is_enrolled(self) -> None:
        import geopandas

        frame = geopandas.read_file(EXAMPLE).to_crs(32615).rename(columns={"field_id": "name"})
        trial = self.fields.try_out(frame, start=TODAY, end=TODAY, id="name")
        self.assertEqual([(each["field_id"], each["errors"]) for each in trial], [("north-40", None)])

    def test_what_is_refused_says_where(self) -> None:
        with self.assertRaises(Refused) as raised:
            self.fields.enroll(EXAMPLE, start="2026-04-31", end=TODAY, layers=["nvdi"])
        self.assertEqual((raised.exception.status, raised.exception.code), (422, "validation_error"))
        self.assertEqual(len(raised.exception.details), 2)

    def test_a_submission_cut_off_and_repeated_makes_one_enrollment(self) -> None:
        cutting = Cutting(self.told["baseUrl"])
        self.addCleanup(cutting.close)
        fields = Fields(cutting.base, key=self.told["apiKey"], timeout=60)
        self.addCleanup(fields.connection.session.close)
        fields.connection.pause = lambda seconds: None  # type: ignore[method-assign]
        described = f"cut off {uuid.uuid4()}"
        enrollment = fields.enroll(EXAMPLE, start=TODAY, end=TODAY, description=described)
        self.assertEqual(cutting.cut, 1)
        made = [each.id for each in self.fields.enrollments() if each.state["description"] == described]
        self.assertEqual(made, [enrollment.id])


class Cutting:
    """Hands requests on to a service, and breaks the line when the first answer comes: what was asked for is done."""

    def __init__(self, base: str) -> None:
        host, port = base.split("//")[1].split(":")
        self.target = (host, int(port))
        self.cut = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._lines = [self._listening]
        self.base = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        for line in self._lines:
            line.close()

    def _serve(self) -> None:
        while True:
            try:
                caller, _ = self._listening.accept()
            except OSError:
                return
            service = socket.create_connection(self.target)
            self._lines += [caller, service]
            threading.Thread(target=self._carry, args=(caller, service), daemon=True).start()
            threading.Thread(target=self._answer, args=(service, caller), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass

    def _answer(self, service: socket.socket, caller: socket.socket) -> None:
        if service.recv(1, socket.MSG_PEEK) and self.cut == 0:
            self.cut += 1
            for line in (caller, service):
                line.shutdown(socket.SHUT_RDWR)
            return
        self._carry(service, caller)


class FarmData(ServiceCase):
    def test_a_party_its_farm_and_fields_from_a_file(self) -> None:
        party, farm = str(uuid.uuid4()), str(uuid.uuid4())
        land = self.fields.farm
        land.parties.put(party, name="Miller")
        made = land.farms.put(party, farm, name="Home farm", properties={"size": 5})
        state = land.imports.run(EXAMPLE, partyId=party, farmId=farm)
        self.assertEqual((state["status"], state["written"], land.imports.get(state["id"])["failed"]), ("Succeeded", 1, 0))
        (listed,) = land.fields.list(party, propertyFilters="sourceId eq north-40")
        field = land.fields.get(party, listed["id"])
        self.assertEqual((field["farmId"], field["geometry"]["type"]), (farm, "Polygon"))
        collection = land.geojson(party)
        self.assertEqual(self.fields.try_out(collection, start=TODAY, end=TODAY)[0]["errors"], None)

        land.farms.put(party, farm, if_match=made["eTag"], description="x")
        with self.assertRaises(Conflict) as raised:
            land.farms.put(party, farm, if_match=made["eTag"], description="y")
        self.assertEqual(raised.exception.status, 412)
        with self.assertRaises(Conflict):
            land.farms.remove(party, farm)
        land.fields.remove(party, listed["id"])
        land.farms.remove(party, farm)
        land.parties.remove(party)
        with self.assertRaises(NotFound):
            land.parties.get(party)


class Notices(ServiceCase):
    def test_a_webhook_from_its_creation_to_its_end(self) -> None:
        hooks = self.fields.webhooks
        made = hooks.create("https://fields.example/hook", types=["partner.imagery.*"])
        webhook = made["id"]
        self.assertTrue(made["secret"].startswith("whsec_"))
        self.assertIn(webhook, [each["id"] for each in hooks.list()])
        self.assertEqual(hooks.change(webhook, description="mine")["description"], "mine")
        self.assertNotEqual(hooks.rotate(webhook)["secret"], made["secret"])
        self.assertEqual(list(hooks.deliveries(webhook)), [])
        with self.assertRaises(Conflict) as raised:
            hooks.ping(webhook)
        self.assertEqual(raised.exception.code, "receiver_not_asked")
        try:
            self.assertEqual(hooks.verify(webhook)["id"], webhook)
        except Conflict as refusal:
            self.assertEqual(refusal.code, "receiver_asked_just_now")
        with self.assertRaises(NotFound):
            hooks.redeliver(webhook, "1777876800051")
        hooks.remove(webhook)
        with self.assertRaises(NotFound):
            hooks.get(webhook)

    def test_events_go_on_from_a_cursor(self) -> None:
        told: List[Event] = []
        while not told:
            self.fields.enroll(EXAMPLE, start=TODAY, end=TODAY).wait(images=False)
            told = list(self.fields.events(types=["partner.enrollment.*"]))
        self.assertEqual({event["type"] for event in told}, {"partner.enrollment.completed"})
        later = {event["id"] for event in self.fields.events(told[-1].cursor, types=["partner.enrollment.*"])}
        self.assertEqual(later.intersection(event["id"] for event in told), set())


class Trust(ServiceCase):
    def test_a_certificate_that_nobody_trusts_is_named_as_that(self) -> None:
        stranger = Fields(
            self.told["baseUrl"], key=self.told["apiKey"], blob_endpoint=self.told["blobEndpoint"], session=requests.Session()
        )
        self.addCleanup(stranger.connection.session.close)
        with self.assertRaisesRegex(Exception, "certificate is not trusted .REQUESTS_CA_BUNDLE"):
            list(stranger.images("north-40"))


if __name__ == "__main__":
    unittest.main()
