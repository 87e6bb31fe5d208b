import { Type, type Static } from 'typebox';
import { LAYER_NAMES } from '../../scenes/layers/layers.js';
import {
  closedObject,
  dateSchema,
  dateTimeSchema,
  nullable,
  listPageSchema,
  pageParameters,
  uuidSchema,
} from '../../kit/validation/schemaParts.js';
import { MOST_GROUP_UNITS } from './fieldGroup.js';
import { enrollmentStatuses, imageSources } from './enrollment.js';

const instant = (description: string) => dateTimeSchema(`${description}; UTC with microseconds`);

const layers = Type.Array(
  Type.Object(
    { layer: Type.Enum(LAYER_NAMES, { description: 'Also the image_type of its files' }) },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems: LAYER_NAMES.length, uniqueItems: true, description: 'Images made of each field-date' },
);

const metadata = {
  image_source: Type.Enum(imageSources, { description: 'The satellite imagery source' }),
  start_date: dateSchema('First day of monitoring'),
  end_date: dateSchema('Last day of monitoring, inclusive'),
  layers,
};

/** Form part `request` of a submission (specification 2.4). */
export const SubmittedRequest = closedObject('EnrollmentRequest', {
  ...metadata,
  description: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'A text of one line, echoed in answers; control, zero-width, direction and private-use characters are refused, joiners are not',
    }),
  ),
});
export type SubmittedRequest = Static<typeof SubmittedRequest>;

/** [longitude, latitude] in degrees; further numbers are dropped. */
const Position = Type.Array(Type.Number(), { minItems: 2, maxItems: 4 });
const polygonRings = (options: object) =>
  Type.Array(Type.Array(Position, { minItems: 4 }), { minItems: 1, ...options });
const geometryType = <N extends string>(name: N) => Type.Enum([name], { description: 'The kind of geometry' });
const closedRings = 'Closed rings, the outer one first; each position longitude first, WGS 84';

const PolygonGeometry = Type.Object(
  { type: geometryType('Polygon'), coordinates: polygonRings({ description: closedRings }) },
  { title: 'PolygonGeometry' },
);

const MultiPolygonGeometry = Type.Object(
  {
    type: geometryType('MultiPolygon'),
    coordinates: Type.Array(polygonRings({}), { minItems: 1, description: `Polygons, each of rings. ${closedRings}` }),
  },
  { title: 'MultiPolygonGeometry' },
);

/** The boundary of a field. */
export const FieldGeometry = (description: string) =>
  Type.Union([PolygonGeometry, MultiPolygonGeometry], { description });

const FieldFeature = Type.Object(
  {
    type: Type.Enum(['Feature'], { description: 'The kind of GeoJSON object' }),
    properties: Type.Object(
      {
        field_id: Type.String({
          minLength: 1,
          maxLength: 128,
          description: 'Unique in the enrollment whatever the letter case; also a segment of storage paths',
        }),
        group: Type.Optional(
          nullable(
            Type.String({ maxLength: MOST_GROUP_UNITS }),
            'Such as its farm or its grower: lists of fields show it and can be filtered by it. Without this property the field keeps the group that it has; null or an empty text takes it out of it',
          ),
        ),
      },
      { description: 'Others are ignored' },
    ),
    geometry: FieldGeometry('Where the field lies'),
  },
  { title: 'FieldFeature' },
);

/** Form part `geojson`, as the OpenAPI document shows it; the check itself is made for large files. */
export const SubmittedGeoJson = Type.Object(
  {
    type: Type.Enum(['FeatureCollection'], { description: 'The kind of GeoJSON object' }),
    features: Type.Array(FieldFeature, {
      minItems: 1,
      description: 'One feature a field, at most 250 unless agreed otherwise',
    }),
  },
  { title: 'FieldCollection' },
);

const fault = {
  code: Type.String({ description: 'Which fault it is' }),
  message: Type.String({ description: 'What is wrong with the field and what to do' }),
};

const FieldError = closedObject('FieldError', {
  field_id: nullable(Type.String(), 'Null for the enrollment as a whole'),
  ...fault,
});

/** The faults of one field; null when there are none. */
export const faultsOfField = nullable(
  Type.Array(closedObject('FieldFault', fault)),
  'Null when nothing is wrong with the field',
);

/** One enrollment as answers show it (specification 2.4). */
export const EnrollmentRecord = closedObject('Enrollment', {
  enrollment_id: uuidSchema('Given by the service'),
  message: Type.String({ description: 'The status in words' }),
  description: nullable(Type.String(), 'As it was submitted'),
  request_metadata: Type.Object(metadata, { additionalProperties: false, description: 'As it was submitted' }),
  status: Type.Enum(enrollmentStatuses, {
    description: '`completed`: fields ingested and monitoring scheduled; it says nothing about images yet',
  }),
  total_fields: Type.Integer({ minimum: 0, description: 'Fields of the submission' }),
  processed_fields: Type.Integer({ minimum: 0, description: 'Fields ingested and scheduled so far' }),
  failed_fields: Type.Integer({ minimum: 0, description: 'Fields that are not monitored; see errors' }),
  created_date_time: instant('When the enrollment was accepted'),
  completed_date_time: nullable(instant('When ingest ended')),
  errors: nullable(Type.Array(FieldError), 'Fields that failed; null when none did'),
});
export type EnrollmentRecord = Static<typeof EnrollmentRecord>;

/** Query of a submission. */
export const SubmitParameters = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({ description: 'true: everything is checked and answered with 200, nothing is stored' }),
  ),
});

/** What a dry run of a submission answers. */
export const SubmissionTrial = closedObject('SubmissionTrial', {
  fields: Type.Array(
    closedObject('TriedField', {
      field_id: Type.String({ description: 'As it was submitted' }),
      area_ha: nullable(Type.Number(), 'Hectares on the ellipsoid; null when the boundary is not sound'),
      errors: faultsOfField,
    }),
    { description: 'In the order of the submitted features' },
  ),
});
export type SubmissionTrial = Static<typeof SubmissionTrial>;

/** Query of the list. */
export const ListParameters = Type.Object({
  status: Type.Optional(Type.Enum(enrollmentStatuses, { description: 'Only enrollments of this status' })),
  ...pageParameters('`cursor` of the page before, with the same status', 200),
});

/** Answer of the list. */
export const EnrollmentPage = listPageSchema('EnrollmentPage', EnrollmentRecord, 'Newest first');
