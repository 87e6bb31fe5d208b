import json
import unittest

from cases import ROOT, StandInCase, needs
from partner_fields import Refused
from stand_in import LOST, Answer

FILE = ROOT / "examples/fields.geojson"


class Lists(StandInCase):
    def test_a_list_goes_on_with_the_query_of_nextLink_at_the_own_address_alone(self) -> None:
        link = "https://elsewhere.example/parties/p%20q/farms?api-version=2023-11-01-preview&skipToken=x%2Fy"
        fields = self.service(Answer(200, {"value": [{"id": 1}], "nextLink": link}), Answer(200, {"value": [{"id": 2}]}))
        listed = list(fields.farm.farms.list("p q", names=["a", "b"], maxPageSize=10))
        self.assertEqual(listed, [{"id": 1}, {"id": 2}])
        first, second = self.paths
        self.assertEqual(first, "/parties/p%20q/farms?api-version=2023-11-01-preview&names=a&names=b&maxPageSize=10")
        self.assertEqual(second, "/parties/p%20q/farms?api-version=2023-11-01-preview&skipToken=x%2Fy")

    def test_the_fields_of_a_party_are_one_collection(self) -> None:
        links = [{"rel": "next", "href": "https://elsewhere.example/x?skipToken=y"}]
        fields = self.service(Answer(200, {"features": [1], "links": links}), Answer(200, {"features": [2]}))
        self.assertEqual(fields.farm.geojson("p"), {"type": "FeatureCollection", "features": [1, 2]})


class Writes(StandInCase):
    def test_a_change_is_a_merge_patch_that_may_depend_on_what_was_read(self) -> None:
        fields = self.service(Answer(200, {"id": "f"}))
        fields.farm.fields.put("p", "f", name="North", description=None, if_match='"1"')
        (asked,) = self.stand_in.asked
        self.assertEqual((asked.method, asked.json), ("PATCH", {"name": "North", "description": None}))
        self.assertEqual(asked.headers["Content-Type"], "application/merge-patch+json")
        self.assertEqual(asked.headers["If-Match"], '"1"')


class Imports(StandInCase):
    STATES = [
        Answer(200, {"id": "i", "status": status, "message": "No shapes."})
        for status in ("Waiting", "Running", "Succeeded", "Failed")
    ]

    def test_a_file_is_sent_once_by_its_type_and_waited_for(self) -> None:
        waiting, running, succeeded, _ = self.STATES
        fields = self.service(LOST, waiting, running, succeeded)
        state = fields.farm.imports.run(str(FILE), partyId="p", mode="replace")
        self.assertEqual(state["status"], "Succeeded")
        lost, sent, *_ = self.stand_in.asked
        self.assertEqual((lost.body, lost.headers), (FILE.read_bytes(), sent.headers))
        self.assertEqual(sent.headers["Content-Type"], "application/geo+json")
        self.assertEqual(sent.path, "/v1/imports?partyId=p&mode=replace")

    def test_one_that_failed_as_a_whole_is_an_error(self) -> None:
        with self.assertRaisesRegex(Refused, "No shapes."):
            self.service(self.STATES[3]).farm.imports.run(FILE, partyId="p")

    @needs("geopandas")
    def test_a_frame_goes_with_its_columns_as_JSON_has_them(self) -> None:
        import geopandas
        import pandas

        frame = geopandas.read_file(FILE).assign(day=pandas.Timestamp("2026-05-01"), ha=float("nan"), nr=7)
        self.service(self.STATES[2]).farm.imports.run(frame, partyId="p")
        (feature,) = json.loads(self.stand_in.asked[0].body)["features"]
        told = {"field_id": "north-40", "day": "2026-05-01T00:00:00", "ha": None, "nr": 7}
        self.assertEqual(feature["properties"], told)


if __name__ == "__main__":
    unittest.main()
