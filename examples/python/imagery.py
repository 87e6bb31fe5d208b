"""Field imagery: fields are submitted from a file, the newest picture of one of them is read from storage."""

import sys
from service import days_ago, fields

path = sys.argv[1] if len(sys.argv) > 1 else "examples/fields.geojson"
enrollment = fields.enroll(path, start=days_ago(20), end=days_ago(0), layers=["ndvi", "true-color"])
print(f"Enrollment {enrollment.id}: {enrollment.status}")
enrollment.wait(on_progress=print)

*_, newest = fields.images("north-40", layers=["true-color"])
newest.save("true-color.tiff")
print(f"{newest.date}: {newest.clear_percent} % clear; the picture is in true-color.tiff.")
