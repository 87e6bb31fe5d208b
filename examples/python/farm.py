"""A party with a farm and its fields from a GeoJSON file, then degree days and the boundary of one of them.

Run again it changes what it made before.
"""

import json
import time
import urllib.parse
from service import call, service

PARTY, FARM = "5e0d1c1e-2f7a-4c0b-9a54-1f5f0b3f7a10", "0b9c7b58-1d52-4e5e-8f43-5f1f8f1f2d11"
VERSION = "api-version=2023-11-01-preview"


def ask(path, body=None, kind=None, method=None):
    headers = {"Authorization": f"Bearer {service['jwt']}", **({"Content-Type": kind} if kind else {})}
    return json.loads(call(f"{service['baseUrl']}{path}", body, headers, method)[0])


def patch(path, members):
    ask(f"{path}?{VERSION}", json.dumps(members).encode(), "application/merge-patch+json", "PATCH")


patch(f"/parties/{PARTY}", {"name": "Miller"})
patch(f"/parties/{PARTY}/farms/{FARM}", {"name": "Home farm"})

with open("examples/fields.geojson", "rb") as file:
    state = ask(f"/v1/imports?partyId={PARTY}&farmId={FARM}", file.read(), "application/geo+json")
while state["status"] in ("Waiting", "Running"):
    time.sleep(1)
    state = ask(f"/v1/imports/{state['id']}")
print(f"{state['status']}: {state['written']} fields written, {state['failed']} not")

# The file calls the field north-40; jobs take UUIDs, so its id is one made of that name.
query = urllib.parse.urlencode({"propertyFilters": "sourceId eq north-40"})
FIELD = ask(f"/parties/{PARTY}/fields?{VERSION}&{query}")["value"][0]["id"]
print(f"The field north-40 has the id {FIELD}.")

# The examples of both kinds of jobs, told of this field instead of the demo party's.
corners = ask(f"/parties/{PARTY}/fields/{FIELD}?{VERSION}")["geometry"]["coordinates"][0][1:]
longitude, latitude = (sum(numbers) / len(corners) for numbers in zip(*corners))
point = {"longitude": longitude, "latitude": latitude}
service.update(partyId=PARTY, farmId=FARM, fieldIds=[FIELD], pointOnSurface=point)
import gdd  # noqa: E402, F401
import boundary  # noqa: E402, F401
