"""Growing degree days of last year's corn on one field: the job, its total and its chart."""

import json
import time
from service import create, ended, insight, service

year = time.gmtime().tm_year - 1
path = f"/v1/gdd/example-{time.time_ns()}"
create(
    "gdd",
    path,
    {
        "partyId": service["partyId"],
        "resourceType": "Field",
        "resourceId": service["fieldIds"][0],
        "crop": "CORN",
        "gddStartDate": f"{year}-05-01",
        "gddEndDate": f"{year}-09-30",
    },
)
job = ended("gdd", path)
record = json.loads(insight(job))
print(f"{record['total']} °{record['temperatureUnit']}·day in {record['days']} days")
with open("gdd.svg", "wb") as file:
    file.write(insight(job, "image/svg+xml"))
print("The chart is in gdd.svg.")
