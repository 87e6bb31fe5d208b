"""The boundary of the field around a point."""

from service import days_ago, fields, service

point = service["pointOnSurface"]
insight = fields.boundary.at(
    point["longitude"],
    point["latitude"],
    start=days_ago(23),
    end=days_ago(10),
    party=service["partyId"],
    farm=service["farmId"],
)
print(f"The boundary is in {insight.save('boundary.geojson')}.")
