import type { EnrollmentRecord } from '../../shared/enrollments/enrollmentSchemas.js';

/** Examples for the OpenAPI document. */
export const receivedExample: EnrollmentRecord = {
  enrollment_id: '0c4f0f8e-31f2-4d63-9a52-7b7c1e5f0c11',
  message: 'Enrollment received OK.',
  description: 'North farm, season 2026',
  request_metadata: {
    image_source: 'sentinel-2-l2a',
    start_date: '2026-04-01',
    end_date: '2026-10-31',
    layers: [{ layer: 'ndvi' }, { layer: 'true-color' }],
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

export const pageExample = { items: [completedExample], cursor: null };
