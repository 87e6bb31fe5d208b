"""The boundary of the field around a point."""

import time
from service import create, days_ago, ended, insight, service

path = f"/v1/smart-boundary/example-{time.time_ns()}"
create(
    "smartBoundary",
    path,
    {
        "partyId": service["partyId"],
        "resourceType": "Farm",
        "resourceId": service["farmId"],
        "imageStartDate": days_ago(23),
        "imageEndDate": days_ago(10),
        "pointOnSurface": service["pointOnSurface"],
    },
)
job = ended("smartBoundary", path)
with open("boundary.geojson", "wb") as file:
    file.write(insight(job, "application/geo+json"))
print("The boundary is in boundary.geojson.")
