"""What there is: a submission is tried out without storing it, the fields and the newest jobs are listed."""

import json
import sys
from itertools import islice
from service import days_ago, fields

path = sys.argv[1] if len(sys.argv) > 1 else "examples/fields.geojson"
for field in fields.try_out(path, start=days_ago(20), end=days_ago(0)):
    faults = " ".join(error["message"] for error in field["errors"] or [])
    print(f"{field['field_id']}: {faults or str(field['area_ha']) + ' ha, sound'}")

listed = list(fields.list_fields())
features = [
    {
        "type": "Feature",
        "properties": {name: field[name] for name in ("field_id", "group", "area_ha", "newest_picture")},
        "geometry": field["geometry"],
    }
    for field in listed
]
with open("listed.geojson", "w", encoding="utf-8") as file:
    json.dump({"type": "FeatureCollection", "features": features}, file, separators=(",", ":"))
newest = max((field["newest_picture"] or "" for field in listed), default="")
print(f"{len(listed)} fields are in listed.geojson; the newest picture is of {newest or 'no day yet'}.")

# The token needs the role Jobs.Read.
for job in islice(fields.jobs(), 5):
    print(f"{job['jobCreatedDateTime'][:10]} {job['kind']} {job.get('crop', '')}: {job['status']}")
