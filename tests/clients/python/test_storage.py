import json
import unittest
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path
from typing import Any, List
from unittest import mock

from cases import StandInCase, needs
from partner_fields import Fields, FieldsError, NotFound
from partner_fields.files import folder_name, write_beside
from stand_in import Answer, Asked

NOW = datetime(2026, 5, 9, 12, tzinfo=timezone.utc)
DAYS = [
    {"date": "2026-05-01", "clear_percent": 100, "layers": ["ndvi", "true-color"]},
    {"date": "2026-05-04", "clear_percent": 3.5, "layers": []},
    {"date": "2026-05-06", "clear_percent": 88.5, "layers": ["ndvi"]},
]
STATISTICS = """date,layer,mean,p2,p50,p98,clear_percent,scene\r
2026-05-01,ndvi,0.714286,0.402118,0.731044,0.846112,100,S2B_1\r
2026-05-06,ndvi,0.7,,0.7,0.8,88.5,"S2,A"\r
"""


class StorageCase(StandInCase):
    """The service gives tokens that are numbered; storage refuses those of `ended`."""

    hours = 8.0
    ended: List[str]
    files: Any

    def open(self) -> Fields:
        self.ended, self.tokens = [], 0
        fields = self.service(self.answer)
        fields.storage._blob_endpoint = self.stand_in.base
        return fields

    def answer(self, asked: Asked) -> Answer:
        path, _, query = asked.path.partition("?")
        dated = {"Date": format_datetime(NOW, usegmt=True)}
        if path == "/v1/auth/sas-token":
            self.tokens += 1
            ends = (NOW + timedelta(hours=self.hours)).isoformat().replace("+00:00", "Z").replace(":", "%3A")
            access = {"account_name": "a", "file_system": "fs", "path": "demo/field-imagery"}
            return Answer(200, {**access, "sas_token": f"se={ends}&sig=s{self.tokens}%3D"}, dated)
        if path == "/v1/fields":
            listed = [{"field_id": each, "group": None} for each in ("north 40", "a+b")]
            return Answer(200, {"items": listed, "cursor": None}, dated)
        if query.split("sig=")[1] in self.ended:
            return Answer(403, b"<Error><Code>AuthenticationFailed</Code><Message>Expired.</Message></Error>")
        body = self.files.get(path.replace("/fs/demo/field-imagery/sentinel-2/", ""))
        return Answer(404, b"<Error><Code>BlobNotFound</Code></Error>") if body is None else Answer(200, body)


class Tokens(StorageCase):
    files = {"f/index.json": json.dumps({"fieldimagery:dates": DAYS}).encode()}

    def test_one_token_is_used_while_it_is_good(self) -> None:
        fields = self.open()
        for _ in "123":
            self.assertEqual(len(list(fields.images("f"))), 3)
        self.assertEqual(self.tokens, 1)

    def test_one_that_storage_refuses_is_renewed_and_the_file_read(self) -> None:
        fields = self.open()
        list(fields.images("f"))
        self.ended.append("s1%3D")
        self.assertEqual(len(list(fields.images("f"))), 3)
        self.assertEqual(self.tokens, 2)

    def test_a_refusal_of_the_new_one_too_is_an_error_of_storage(self) -> None:
        fields = self.open()
        self.ended += ["s1%3D", "s2%3D"]
        with self.assertRaises(FieldsError) as raised:
            list(fields.images("f"))
        self.assertEqual((raised.exception.code, raised.exception.message), ("AuthenticationFailed", "Expired."))

    def test_the_clock_of_the_service_says_when_one_ends_though_this_one_is_a_year_off(self) -> None:
        # The stand-in dates its answers 2026-05-09, whatever day it is here.
        fields = self.open()
        self.hours = 0.2
        fields.storage.folder()
        fields.storage.folder()
        self.assertEqual(self.tokens, 1)
        self.hours = 0.05
        fields = self.open()
        fields.storage.folder()
        fields.storage.folder()
        self.assertEqual(self.tokens, 2)

    def test_the_key_does_not_go_to_storage(self) -> None:
        fields = self.open()
        list(fields.images("f"))
        self.assertNotIn("Api-Key", self.stand_in.asked[-1].headers)


class Images(StorageCase):
    files = {
        "north%2040/index.json": json.dumps({"fieldimagery:dates": DAYS}).encode(),
        "north%2040/2026-05-01/ndvi.tiff": b"II*\0one",
    }

    def test_those_since_a_day_of_some_layers_oldest_first(self) -> None:
        fields = self.open()
        listed = [(image.date, image.layer) for image in fields.images("north 40")]
        self.assertEqual(listed, [("2026-05-01", "ndvi"), ("2026-05-01", "true-color"), ("2026-05-06", "ndvi")])
        since = [image.date for image in fields.images("north 40", since=datetime(2026, 5, 2), layers=["ndvi"])]
        self.assertEqual(since, ["2026-05-06"])
        self.assertEqual(list(fields.images("nobody")), [])

    def test_one_is_saved_below_a_folder_or_under_a_name(self) -> None:
        image, gone, _ = self.open().images("north 40")
        folder = self.folder()
        self.assertEqual(image.save(folder), folder / "north 40" / "2026-05-01" / "ndvi.tiff")
        self.assertEqual(image.save(folder / "x.TIF").read_bytes(), b"II*\0one")
        with self.assertRaises(NotFound):
            gone.save(folder)
        kept = [path for path in folder.rglob("*") if path.is_file()]
        self.assertEqual(len(kept), 2)

    def test_that_of_a_field_whose_name_Windows_keeps_is_saved_beside_it(self) -> None:
        self.files = {name.replace("north%2040", "aux"): data for name, data in Images.files.items()}
        folder = self.folder()
        self.assertEqual(next(self.open().images("aux")).save(folder), folder / "aux_" / "2026-05-01" / "ndvi.tiff")

    @needs("rasterio")
    def test_one_is_opened_by_rasterio(self) -> None:
        import numpy
        import rasterio

        file = self.folder() / "x.tiff"
        grid = {"driver": "GTiff", "width": 3, "height": 2, "count": 1, "dtype": "float32", "crs": "EPSG:32615"}
        grid["transform"] = rasterio.transform.from_origin(500_000, 4_600_000, 10, 10)
        with rasterio.open(file, "w", **grid) as made:
            made.write(numpy.full((1, 2, 3), 0.5, "float32"))
        self.files = {**Images.files, "north%2040/2026-05-01/ndvi.tiff": file.read_bytes()}
        with next(self.open().images("north 40")).open() as dataset:
            self.assertEqual((dataset.read(1).tolist(), dataset.crs.to_epsg()), ([[0.5] * 3] * 2, 32615))


class Observations(StorageCase):
    files = {"north%2040/statistics.csv": STATISTICS.encode(), "a%2Bb/statistics.csv": STATISTICS.encode()}
    FIRST = {
        "field_id": "north 40",
        "group": None,
        "date": "2026-05-01",
        "layer": "ndvi",
        "mean": 0.714286,
        "p2": 0.402118,
        "p50": 0.731044,
        "p98": 0.846112,
        "clear_percent": 100.0,
        "scene": "S2B_1",
    }

    def test_without_pandas_they_are_rows(self) -> None:
        with mock.patch.dict("sys.modules", pandas=None):
            rows = self.open().observations()
            self.assertEqual([row["field_id"] for row in rows], ["a+b"] * 2 + ["north 40"] * 2)
            self.assertEqual((rows[2], rows[3]["p2"], rows[3]["scene"]), (self.FIRST, None, "S2,A"))
            since = self.open().observations(since="2026-05-02", fields=["a+b"])
            self.assertEqual([(row["field_id"], row["date"]) for row in since], [("a+b", "2026-05-06")])
            self.assertEqual(self.open().observations(fields=[]), [])

    @needs("pandas")
    def test_with_pandas_they_are_a_frame_that_pivots_to_a_season(self) -> None:
        frame = self.open().observations()
        self.assertEqual(list(frame.columns), list(self.FIRST))
        season = frame.pivot(index="date", columns="field_id", values="mean")
        self.assertEqual(season.loc["2026-05-06", "north 40"], 0.7)
        self.assertEqual(list(self.open().observations(fields=[]).columns), list(self.FIRST))


class Files(StandInCase):
    def test_one_that_cannot_be_written_whole_is_not_there_and_what_was_there_stays(self) -> None:
        place = self.folder() / "x.tiff"
        place.write_bytes(b"before")
        with mock.patch("os.replace", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
            write_beside(place, b"after")
        self.assertEqual((place.read_bytes(), list(place.parent.iterdir())), (b"before", [place]))

    def test_folders_have_names_that_Windows_takes(self) -> None:
        changed = {"aux": "aux_", "CON.north": "CON_.north", "com1": "com1_"}
        for given, name in {**changed, "connor": "connor", "Süd 40": "Süd 40"}.items():
            self.assertEqual(folder_name(given), name)


if __name__ == "__main__":
    unittest.main()
