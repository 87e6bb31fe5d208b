"""What there is: a submission is tried out without storing it, the fields and the newest jobs are listed."""

import json
import sys
from itertools import islice
from urllib.parse import urlencode
from service import call, days_ago, multipart, service

key = {"Api-Key": service["apiKey"]}
request = {
    "image_source": "sentinel-2-l2a",
    "start_date": days_ago(20),
    "end_date": days_ago(0),
    "layers": [{"layer": "ndvi"}],
}
kind, body = multipart(request, sys.argv[1] if len(sys.argv) > 1 else "examples/fields.geojson")
tried = call(f"{service['baseUrl']}/v1/enrollments?dry_run=true", body, {**key, "Content-Type": kind})[0]
for field in json.loads(tried)["fields"]:
    faults = " ".join(error["message"] for error in field["errors"] or [])
    print(f"{field['field_id']}: {faults or str(field['area_ha']) + ' ha, sound'}")


def pages(path, query, headers):
    """The items of all pages; a page is asked for when the one before was read."""
    while True:
        page = json.loads(call(f"{service['baseUrl']}{path}?{urlencode(query)}", headers=headers)[0])
        yield from page["items"]
        if page["cursor"] is None:
            return
        query = {**query, "cursor": page["cursor"]}


fields = list(pages("/v1/fields", {"limit": 250}, key))
features = [
    {
        "type": "Feature",
        "properties": {name: field[name] for name in ("field_id", "group", "area_ha", "newest_picture")},
        "geometry": field["geometry"],
    }
    for field in fields
]
with open("listed.geojson", "w", encoding="utf-8") as file:
    json.dump({"type": "FeatureCollection", "features": features}, file, separators=(",", ":"))
newest = max((field["newest_picture"] or "" for field in fields), default="")
print(f"{len(fields)} fields are in listed.geojson; the newest picture is of {newest or 'no day yet'}.")

# The token needs the role Jobs.Read.
token = {"Authorization": f"Bearer {service['jwt']}"}
for job in islice(pages("/v1/jobs", {"limit": 5}, token), 5):
    print(f"{job['jobCreatedDateTime'][:10]} {job['kind']} {job.get('crop', '')}: {job['status']}")
