import type {
  EnrollmentRecord,
  SubmissionTrial,
  SubmittedRequest,
} from '../../shared/enrollments/record/enrollmentSchemas.js';
import type { BackfillProgress } from '../../shared/imagery/discovery/backfillSchemas.js';

/** Examples for the OpenAPI document. */
export const requestExample: SubmittedRequest = {
  image_source: 'sentinel-2-l2a',
  start_date: '2026-04-01',
  end_date: '2026-10-31',
  layers: [{ layer: 'ndvi' }, { layer: 'true-color' }],
  description: 'North farm, season 2026',
};

const ring = [
  [13.14, 48.29],
  [13.145, 48.29],
  [13.145, 48.293],
  [13.14, 48.293],
  [13.14, 48.29],
];

export const geoJsonExample = {
  type: 'FeatureCollection',
  features: ['north-6', 'north-7'].map((field_id, index) => ({
    type: 'Feature',
    properties: { field_id },
    geometry: {
      type: 'Polygon',
      coordinates: [ring.map(([longitude = 0, latitude = 0]) => [longitude, latitude + 0.005 * index])],
    },
  })),
};

export const receivedExample: EnrollmentRecord = {
  enrollment_id: '0c4f0f8e-31f2-4d63-9a52-7b7c1e5f0c11',
  message: 'Enrollment received OK.',
  description: 'North farm, season 2026',
  request_metadata: {
    image_source: requestExample.image_source,
    start_date: requestExample.start_date,
    end_date: requestExample.end_date,
    layers: requestExample.layers,
  },
  status: 'received',
  total_fields: 2,
  processed_fields: 0,
  failed_fields: 0,
  created_date_time: '2026-05-01T12:34:56.123000Z',
  completed_date_time: null,
  errors: null,
};

export const completedExample: EnrollmentRecord = {
  ...receivedExample,
  message: 'Enrollment ingested and scheduled, but for 1 of its fields; see errors.',
  status: 'completed',
  processed_fields: 1,
  failed_fields: 1,
  completed_date_time: '2026-05-01T12:35:02.456000Z',
  errors: [
    {
      field_id: 'north-7',
      code: 'self_crossing',
      message: 'The boundary crosses or overlaps itself near longitude 13.141200, latitude 48.290100; repair it there.',
    },
  ],
};

export const trialExample: SubmissionTrial = {
  fields: [
    { field_id: 'north-6', area_ha: 12.3687, errors: null },
    {
      field_id: 'north-7',
      area_ha: null,
      errors: [
        {
          code: 'self_crossing',
          message:
            'The boundary crosses or overlaps itself near longitude 13.141200, latitude 48.290100; repair it there.',
        },
      ],
    },
  ],
};

export const pageExample = { items: [completedExample], cursor: null };

export const backfillExample: BackfillProgress = {
  enrollment_id: receivedExample.enrollment_id,
  status: 'running',
  from: '2026-04-01',
  to: '2026-05-01',
  days: 31,
  days_left: 31,
};
