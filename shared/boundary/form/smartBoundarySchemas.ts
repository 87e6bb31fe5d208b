import { Type, type Static } from 'typebox';
import { jobCreateBody } from '../../jobs/operations/jobSchemas.js';
import { ALSO_TAKEN } from '../../kit/validation/documentedForm.js';
import { closedObject, dateSchema, uuidSchema } from '../../kit/validation/schemaParts.js';
import { FIRST_IMAGERY_DAY } from './smartBoundaryRules.js';

/** Place of the wanted field: decimal degrees, WGS 84. */
const PointOnSurface = Type.Object(
  {
    longitude: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees, negative west of Greenwich' }),
    latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees, negative south of the equator' }),
  },
  { additionalProperties: false, description: 'A point inside the field' },
);

const imagery = {
  imageStartDate: dateSchema(
    `First day of imagery, at most 14 days before the last; ${FIRST_IMAGERY_DAY} at the earliest`,
  ),
  imageEndDate: dateSchema('Last day of imagery, inclusive; not in the future'),
  pointOnSurface: PointOnSurface,
};

const resource = {
  partyId: uuidSchema('The data manager party that asks for the prediction: 36 characters in either case'),
  resourceId: uuidSchema('The farm that imagery is acquired for: 36 characters in either case'),
};

const whatItIs = { description: 'What `resourceId` is' };

/** The parameters of a Smart Boundary job as create and cancel echo them: those of imagery in `modelSpec`. */
export const SmartBoundaryModelEcho = closedObject('SmartBoundaryJobModelEcho', {
  modelSpec: Type.Object(imagery, { additionalProperties: false, description: 'Imagery that was asked for' }),
  ...resource,
  resourceType: Type.Enum(['FARM'], whatItIs),
});

/** The parameters of a Smart Boundary job as fetch echoes them, all on one level. */
export const SmartBoundaryFlatEcho = closedObject('SmartBoundaryJobEcho', {
  ...imagery,
  ...resource,
  resourceType: Type.Enum(['FARM'], whatItIs),
});

/** Body of a Smart Boundary create (specification 2.3). */
export const SmartBoundaryCreateBody = jobCreateBody(
  'SmartBoundaryJobCreate',
  'smart-boundary',
  closedObject('SmartBoundaryJobParameters', {
    ...imagery,
    ...resource,
    resourceType: Type.Enum(['Farm'], { ...whatItIs, [ALSO_TAKEN]: ['FARM'] }),
  }),
);
export type SmartBoundaryCreateBody = Static<typeof SmartBoundaryCreateBody>;
