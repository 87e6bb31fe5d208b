"""Field imagery: fields are submitted from a file, the newest picture of one of them is read from storage."""

import json
import sys
import time
import urllib.error
import urllib.request
import uuid
from service import call, days_ago, multipart, service, storage, trust

key = {"Api-Key": service["apiKey"]}
request = {
    "image_source": "sentinel-2-l2a",
    "start_date": days_ago(20),
    "end_date": days_ago(0),
    "layers": [{"layer": "ndvi"}, {"layer": "true-color"}],
}
kind, body = multipart(request, sys.argv[1] if len(sys.argv) > 1 else "examples/fields.geojson")
headers = {**key, "Content-Type": kind, "Idempotency-Key": uuid.uuid4().hex}
enrollment = json.loads(call(f"{service['baseUrl']}/v1/enrollments", body, headers)[0])
print(f"Enrollment {enrollment['enrollment_id']}: {enrollment['status']}")

# Pictures follow within minutes; the storage token alone opens them.
folder, token, ends_at = storage()
field = f"{folder}/sentinel-2/north-40"
print(f"The token is good until {ends_at:%H:%M} UTC.")


def dates():
    try:
        with urllib.request.urlopen(f"{field}/index.json?{token}", context=trust) as answer:
            return json.load(answer)["fieldimagery:dates"]
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return []
        raise


while not (pictured := [day for day in dates() if "true-color" in day["layers"]]):
    time.sleep(2)
day = pictured[-1]
with open("true-color.tiff", "wb") as file:
    file.write(call(f"{field}/{day['date']}/true-color.tiff?{token}")[0])
print(f"{day['date']}: {day['clear_percent']} % clear; the picture is in true-color.tiff.")
