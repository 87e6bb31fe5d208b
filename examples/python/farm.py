"""A party with a farm and its fields from a GeoJSON file, then degree days and the boundary of one of them.

Run again it changes what it made before.
"""

from service import fields, service

PARTY, FARM = "5e0d1c1e-2f7a-4c0b-9a54-1f5f0b3f7a10", "0b9c7b58-1d52-4e5e-8f43-5f1f8f1f2d11"
farm = fields.farm

farm.parties.put(PARTY, name="Miller")
farm.farms.put(PARTY, FARM, name="Home farm")
done = farm.imports.run("examples/fields.geojson", partyId=PARTY, farmId=FARM)
print(f"{done['status']}: {done['written']} fields written, {done['failed']} not")

# The file calls the field north-40; jobs take UUIDs, so its id is one made of that name.
FIELD = next(farm.fields.list(PARTY, propertyFilters="sourceId eq north-40"))["id"]
print(f"The field north-40 has the id {FIELD}.")

# The examples of both kinds of jobs, told of this field instead of the demo party's.
corners = farm.fields.get(PARTY, FIELD)["geometry"]["coordinates"][0][1:]
longitude, latitude = (sum(numbers) / len(corners) for numbers in zip(*corners))
point = {"longitude": longitude, "latitude": latitude}
service.update(partyId=PARTY, farmId=FARM, fieldIds=[FIELD], pointOnSurface=point)
import gdd  # noqa: E402, F401
import boundary  # noqa: E402, F401
