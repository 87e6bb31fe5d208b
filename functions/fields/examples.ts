import type { FieldRecord } from '../../shared/enrollments/lists/fieldSchemas.js';
import { receivedExample, requestExample } from '../enrollments/examples.js';

const example: FieldRecord = {
  field_id: 'north-6',
  group: 'Hill Farm',
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [13.14, 48.29],
        [13.145, 48.29],
        [13.145, 48.293],
        [13.14, 48.293],
        [13.14, 48.29],
      ],
    ],
  },
  bbox: [13.14, 48.29, 13.145, 48.293],
  area_ha: 12.3687,
  enrollments: [
    {
      enrollment_id: receivedExample.enrollment_id,
      status: 'completed',
      layers: ['ndvi', 'true-color'],
      start_date: requestExample.start_date,
      end_date: requestExample.end_date,
    },
  ],
  errors: null,
  newest: { date: '2026-06-19', outcome: 'cloud', clear_percent: 12.5, layers: [] },
  newest_picture: '2026-06-17',
};

/** A page for the OpenAPI document. */
export const fieldPageExample = { items: [example], cursor: null };
