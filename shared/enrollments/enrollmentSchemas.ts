import { Type, type Static } from 'typebox';
import { LAYER_NAMES } from '../imagery/layers.js';
import { enrollmentStatuses, imageSources } from './enrollment.js';

const day = (description: string) => Type.String({ format: 'date', description });
const instant = (description: string) =>
  Type.String({ format: 'date-time', description: `${description}; UTC with microseconds` });
const orNull = <S extends ReturnType<typeof instant>>(schema: S) => Type.Union([schema, Type.Null()]);

const layers = Type.Array(
  Type.Object(
    { layer: Type.Enum(LAYER_NAMES, { description: 'Also the image_type of its files' }) },
    {
      additionalProperties: false,
    },
  ),
  { minItems: 1, maxItems: LAYER_NAMES.length, uniqueItems: true, description: 'Images made of each field-date' },
);

const metadata = {
  image_source: Type.Enum(imageSources, { description: 'The satellite imagery source' }),
  start_date: day('First day of monitoring'),
  end_date: day('Last day of monitoring, inclusive'),
  layers,
};

/** Form part `request` of a submission (specification 2.4). */
export const SubmittedRequest = Type.Object(
  {
    ...metadata,
    description: Type.Optional(
      Type.String({
        maxLength: 1000,
        pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
        description: 'a text without control characters, echoed in answers',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SubmittedRequest = Static<typeof SubmittedRequest>;

/** Form part `geojson`, as the OpenAPI document shows it; the check itself is made for large files. */
export const SubmittedGeoJson = Type.Object({
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(
    Type.Object({
      type: Type.Literal('Feature'),
      properties: Type.Object({
        field_id: Type.String({
          minLength: 1,
          maxLength: 128,
          description: 'Unique in the enrollment whatever the letter case; also a segment of storage paths',
        }),
      }),
      geometry: Type.Object({
        type: Type.Enum(['Polygon', 'MultiPolygon']),
        coordinates: Type.Array(Type.Unknown(), { description: 'Longitude first, WGS 84' }),
      }),
    }),
    { minItems: 1, description: 'One feature a field, at most 250 unless agreed otherwise' },
  ),
});

/** One enrollment as answers show it (specification 2.4). */
export const EnrollmentRecord = Type.Object(
  {
    enrollment_id: Type.String({ format: 'uuid' }),
    message: Type.String(),
    description: Type.Union([Type.String(), Type.Null()]),
    request_metadata: Type.Object(metadata, { additionalProperties: false }),
    status: Type.Enum(enrollmentStatuses, {
      description: '`completed`: fields ingested and monitoring scheduled; it says nothing about images yet',
    }),
    total_fields: Type.Integer({ minimum: 0 }),
    processed_fields: Type.Integer({ minimum: 0, description: 'Fields ingested and scheduled so far' }),
    failed_fields: Type.Integer({ minimum: 0, description: 'Fields that are not monitored; see errors' }),
    created_date_time: instant('When the enrollment was accepted'),
    completed_date_time: orNull(instant('When ingest ended')),
    errors: Type.Union([
      Type.Array(
        Type.Object(
          {
            field_id: Type.Union([Type.String(), Type.Null()], { description: 'Null for the enrollment as a whole' }),
            code: Type.String(),
            message: Type.String(),
          },
          { additionalProperties: false },
        ),
      ),
      Type.Null(),
    ]),
  },
  { additionalProperties: false },
);
export type EnrollmentRecord = Static<typeof EnrollmentRecord>;

/** Query of the list. */
export const ListParameters = Type.Object({
  status: Type.Optional(Type.Enum(enrollmentStatuses, { description: 'Only enrollments of this status' })),
  cursor: Type.Optional(
    Type.String({ maxLength: 512, description: '`cursor` of the page before, with the same status' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Page size, 50 when absent; above 200 is 200' })),
});

export const EnrollmentPage = Type.Object(
  {
    items: Type.Array(EnrollmentRecord, { description: 'Newest first' }),
    cursor: Type.Union([Type.String(), Type.Null()], { description: 'Null on the last page' }),
  },
  { additionalProperties: false },
);
