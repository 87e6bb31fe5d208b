import { Type, type Static } from 'typebox';
import { LAYER_NAMES } from '../imagery/layers/layers.js';
import { outcomes } from '../imagery/records/fieldDate.js';
import type { Answer } from '../answer.js';
import { enrollmentStatuses } from './enrollment.js';
import { faultsOfField, FieldGeometry } from './enrollmentSchemas.js';
import { areaOf } from './enrollmentView.js';
import type { ShownField } from './listFields.js';

const day = (description: string) => Type.String({ format: 'date', description });
const orNull = <S extends ReturnType<typeof day>>(schema: S) => Type.Union([schema, Type.Null()]);
const layerNames = (description: string) => Type.Array(Type.Enum(LAYER_NAMES), { description });

/** Query of the list of fields. */
export const FieldListParameters = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 512, description: '`cursor` of the page before' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Page size, 50 when absent; above 250 is 250' })),
});

const FieldEnrollment = Type.Object(
  {
    enrollment_id: Type.String({ format: 'uuid', description: 'The enrollment' }),
    status: Type.Enum(enrollmentStatuses, { description: '`in_progress` while its other fields are ingested' }),
    layers: layerNames('Images made for it'),
    start_date: day('First day of monitoring'),
    end_date: day('Last day of monitoring, inclusive'),
  },
  { title: 'FieldEnrollment', additionalProperties: false },
);

const NewestDay = Type.Object(
  {
    date: day('UTC day of the acquisition'),
    outcome: Type.Enum(outcomes, { description: '`done` when there are files; else why not' }),
    clear_percent: Type.Union([Type.Number(), Type.Null()], { description: 'Null when it was not looked at' }),
    layers: layerNames('Layers that were made'),
  },
  { title: 'NewestDay', additionalProperties: false },
);

const FieldRecord = Type.Object(
  {
    field_id: Type.String({ description: 'As it was submitted; also a segment of storage paths' }),
    geometry: FieldGeometry('Boundary to be drawn: six decimals, at most about 1,000 positions'),
    bbox: Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description: 'West, south, east, north; west > east across the antimeridian',
    }),
    area_ha: Type.Number({ description: 'Hectares on the ellipsoid' }),
    enrollments: Type.Array(FieldEnrollment, { description: 'Those that monitor it; none once all are stopped' }),
    errors: faultsOfField,
    newest: Type.Union([NewestDay, Type.Null()], { description: 'The last day on which a scene shows it' }),
    newest_picture: orNull(day('The last day with files')),
  },
  { title: 'Field', additionalProperties: false },
);
export type FieldRecord = Static<typeof FieldRecord>;

export const FieldPage = Type.Object(
  {
    items: Type.Array(FieldRecord, { description: 'In no order of their own, the same from page to page' }),
    cursor: Type.Union([Type.String(), Type.Null()], { description: 'Null on the last page' }),
  },
  { title: 'FieldPage', additionalProperties: false },
);

/** A page of fields as an answer. */
export const fieldsAnswer = (fields: readonly ShownField[], cursor: string | null): Answer => ({
  status: 200,
  json: { items: fields.map(fieldRecord), cursor },
});

function fieldRecord({ fieldId, outline, failure, newest, newestPicture, enrollments }: ShownField): object {
  return {
    field_id: fieldId,
    geometry: outline.geometry,
    bbox: outline.bbox,
    area_ha: areaOf(outline.areaHa),
    enrollments: enrollments.map(({ enrollmentId, status, layers, startDate, endDate }) => ({
      enrollment_id: enrollmentId,
      status,
      layers,
      start_date: startDate,
      end_date: endDate,
    })),
    errors: failure === undefined ? null : [failure],
    newest:
      newest === null
        ? null
        : {
            date: newest.date,
            outcome: newest.outcome,
            clear_percent: newest.clearPercent,
            layers: newest.layers,
          },
    newest_picture: newestPicture,
  };
}
