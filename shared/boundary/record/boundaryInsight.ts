import { deterministicId } from '../../kit/ids.js';
import type { Insight, Publication } from '../../jobs/insight/jobInsight.js';
import type { SolutionId } from '../../jobs/job.js';
import { COG_TYPE } from '../../raster/write/encodeCog.js';
import type { Grid } from '../../geo/grid/grid.js';
import { boundaryGeoJson } from './boundaryGeoJson.js';
import { boundaryPicture } from './boundaryPicture.js';
import type { BoundaryRecord } from './boundaryRecord.js';
import type { ScenePicture } from '../stack/scenePicture.js';

const solution: SolutionId = 'partnerAgPowered.smartBoundary';
/** Longest value of a property in the data manager. */
const LONGEST_VALUE = 150;

/** The insight of a record. It belongs to the farm of the request, where the caller can find it. */
export const boundaryInsight = (record: BoundaryRecord, picture: ScenePicture | undefined, region: Grid): Insight => ({
  insightId: record.insightId,
  record,
  files: [
    { contentType: 'image/svg+xml', data: Buffer.from(boundaryPicture(record, picture, region), 'utf8') },
    ...(picture === undefined ? [] : [{ contentType: COG_TYPE, data: picture.geoTiff }]),
  ],
  publication: boundaryPublication(record),
});

/** What the data manager gets of a record. */
export function boundaryPublication(record: BoundaryRecord): Publication {
  const { insightId, partyId, resourceId, imageStartDate, imageEndDate } = record;
  return {
    key: { partyId, modelId: solution, resourceType: 'Farm', resourceId, insightId },
    insight: {
      modelVersion: `boundary/${record.modelVersion}`,
      from: new Date(`${imageStartDate}T00:00:00Z`),
      to: new Date(`${imageEndDate}T23:59:59Z`),
      measurements: {
        area: { unit: 'ha', value: record.areaHectares },
        perimeter: { unit: 'm', value: record.perimeterMeters },
        confidence: { value: record.confidence },
      },
      name: `Field boundary, ${record.areaHectares.toFixed(2)} ha`,
      description: 'Boundary of the field at a point, predicted from satellite scenes; the outline is attached.',
      properties: propertiesOf(record),
    },
    attachments: [
      {
        id: deterministicId(insightId, 'boundary.geojson'),
        name: 'boundary.geojson',
        contentType: 'application/geo+json',
        data: Buffer.from(boundaryGeoJson(record), 'utf8'),
      },
    ],
  };
}

function propertiesOf(record: BoundaryRecord): Readonly<Record<string, string | number>> {
  const used = record.scenes.filter(({ isUsed }) => isUsed).map(({ date }) => date);
  return {
    longitude: record.pointOnSurface.longitude,
    latitude: record.pointOnSurface.latitude,
    confidenceClass: record.confidenceClass,
    method: record.method,
    imageStartDate: record.imageStartDate,
    imageEndDate: record.imageEndDate,
    datesUsed: used.join(' ').slice(0, LONGEST_VALUE),
    searchFieldId: record.searchRegion.fieldId,
    asOf: record.asOf,
    jobId: record.jobId,
  };
}
