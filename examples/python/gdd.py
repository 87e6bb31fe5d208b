"""Growing degree days of last year's corn on one field: the job, its total and its chart."""

import time
from service import fields, service

year = time.gmtime().tm_year - 1
insight = fields.gdd.run(
    partyId=service["partyId"],
    resourceId=service["fieldIds"][0],
    crop="CORN",
    gddStartDate=f"{year}-05-01",
    gddEndDate=f"{year}-09-30",
)
print(f"{insight['total']} °{insight['temperatureUnit']}·day in {insight['days']} days")
print(f"The chart is in {insight.save('gdd.svg')}.")
