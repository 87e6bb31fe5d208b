"""The boundary of the field around a point."""

import time
from service import days_ago, ended, insight, operate, service

path = f"/v1/smart-boundary/example-{time.time_ns()}"
operate(
    "smartBoundary:create",
    {
        "requestPath": path,
        "partnerRequestBody": {
            "partyId": service["partyId"],
            "resourceType": "Farm",
            "resourceId": service["farmId"],
            "imageStartDate": days_ago(23),
            "imageEndDate": days_ago(10),
            "pointOnSurface": service["pointOnSurface"],
        },
    },
)
job = ended("smartBoundary", path)
with open("boundary.geojson", "wb") as file:
    file.write(insight(job, "application/geo+json"))
print("The boundary is in boundary.geojson.")
