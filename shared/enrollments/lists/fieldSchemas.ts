import { Type, type Static } from 'typebox';
import { rightHanded } from '../../geo/shapes/rightHanded.js';
import { LAYER_NAMES } from '../../scenes/layers/layers.js';
import { outcomes } from '../fields/fieldDate.js';
import type { Answer } from '../../kit/answer/answer.js';
import {
  closedObject,
  dateSchema,
  nullable,
  listPageSchema,
  pageParameters,
  uuidSchema,
} from '../../kit/validation/schemaParts.js';
import { enrollmentStatuses } from '../record/enrollment.js';
import { faultsOfField, FieldGeometry } from '../record/enrollmentSchemas.js';
import { areaOf } from './enrollmentView.js';
import { MOST_GROUP_UNITS } from '../record/fieldGroup.js';
import type { FieldEntry } from './listFields.js';

const layerNames = (description: string) => Type.Array(Type.Enum(LAYER_NAMES), { description });

/** Query of the list of fields. */
export const FieldListParameters = Type.Object({
  group: Type.Optional(
    Type.String({
      maxLength: MOST_GROUP_UNITS,
      description:
        'Only fields of exactly this group; empty: only fields without one. A page may be short, even empty: go on while there is a `cursor`',
    }),
  ),
  ...pageParameters('`cursor` of the page before, with the same group', 250),
});

const FieldEnrollment = closedObject('FieldEnrollment', {
  enrollment_id: uuidSchema('The enrollment'),
  status: Type.Enum(enrollmentStatuses, { description: '`in_progress` while its other fields are ingested' }),
  layers: layerNames('Images made for it'),
  start_date: dateSchema('First day of monitoring'),
  end_date: dateSchema('Last day of monitoring, inclusive'),
});

const NewestDay = closedObject('NewestDay', {
  date: dateSchema('UTC day of the acquisition'),
  outcome: Type.Enum(outcomes, { description: '`done` when there are files; else why not' }),
  clear_percent: nullable(Type.Number(), 'Null when it was not looked at'),
  layers: layerNames('Layers that were made'),
});

const FieldRecord = closedObject('Field', {
  field_id: Type.String({ description: 'As it was submitted; also a segment of storage paths' }),
  group: nullable(Type.String(), 'The `group` that was submitted last with it, such as its farm'),
  geometry: FieldGeometry('Boundary to be drawn: six decimals, at most about 1,000 positions'),
  bbox: Type.Array(Type.Number(), {
    minItems: 4,
    maxItems: 4,
    description: 'West, south, east, north; west > east across the antimeridian',
  }),
  area_ha: Type.Number({ description: 'Hectares on the ellipsoid' }),
  enrollments: Type.Array(FieldEnrollment, { description: 'Those that monitor it; none once all are stopped' }),
  errors: faultsOfField,
  newest: nullable(NewestDay, 'The last day on which a scene shows it'),
  newest_picture: nullable(dateSchema('The last day with files')),
});
export type FieldRecord = Static<typeof FieldRecord>;

/** Answer of the list. */
export const FieldPage = listPageSchema(
  'FieldPage',
  FieldRecord,
  'In no order of their own, the same from page to page',
);

/** A page of fields as an answer. */
export const fieldsAnswer = (fields: readonly FieldEntry[], cursor: string | null): Answer => ({
  status: 200,
  json: { items: fields.map(fieldRecord), cursor },
});

function fieldRecord({ fieldId, group, outline, failure, newest, newestPicture, enrollments }: FieldEntry): object {
  return {
    field_id: fieldId,
    group: group === '' ? null : group,
    geometry: rightHanded(outline.geometry),
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
