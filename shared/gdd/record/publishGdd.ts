import type { Measurement } from '../../jobs/dataManager/dataManager.js';
import { deterministicId } from '../../kit/ids.js';
import type { Insight, Publication } from '../../jobs/insight/jobInsight.js';
import type { SolutionId } from '../../jobs/job.js';
import type { GddRecord } from '../form/gddRecord.js';

const solution: SolutionId = 'partnerAgPowered.gdd';

/** The insight of a record: the record, and its publication for the data manager. */
export const gddInsight = (record: GddRecord): Insight => ({
  insightId: record.insightId,
  record,
  files: [],
  publication: gddPublication(record),
});

/** A record in the form of the data manager: measurements, properties and the record as an attachment. */
export function gddPublication(record: GddRecord): Publication {
  const { insightId, partyId, resourceId, crop, gddStartDate, gddEndDate } = record;
  return {
    key: { partyId, modelId: solution, resourceType: 'Field', resourceId, insightId },
    insight: {
      modelVersion: record.modelVersion,
      from: new Date(`${gddStartDate}T00:00:00Z`),
      to: new Date(`${gddEndDate}T23:59:59Z`),
      measurements: measurementsOf(record),
      name: `GDD ${crop} ${gddStartDate} to ${gddEndDate}`,
      description: 'Growing degree-days of a field between two days, with their parts by source.',
      properties: {
        crop,
        temperatureUnit: record.temperatureUnit,
        method: record.method.name,
        lowerLimit: record.method.lower,
        ...(record.method.upper !== null && { upperLimit: record.method.upper }),
        gddStartDate,
        gddEndDate,
        asOf: record.asOf,
        days: record.days,
        jobId: record.jobId,
      },
    },
    attachments: [
      {
        id: deterministicId(insightId, 'gdd.json'),
        name: 'gdd.json',
        contentType: 'application/json',
        data: Buffer.from(JSON.stringify(record), 'utf8'),
      },
    ],
  };
}

function measurementsOf(record: GddRecord): Readonly<Record<string, Measurement | null>> {
  const measured = (value: number): Measurement => ({ unit: record.temperatureUnit, value });
  return {
    gdd: measured(record.total),
    gddObserved: measured(record.observedTotal),
    gddProvisional: measured(record.provisionalTotal),
    gddForecast: measured(record.forecastTotal),
    gddNormal: measured(record.normalTotal),
    // Null removes the value of an earlier calculation of the same insight.
    gddDepartureFromNormal: record.normal === undefined ? null : measured(record.normal.departure),
  };
}
