import { Type, type Static } from 'typebox';
import { day, PartnerRequestHeaders, requestPath, uuid } from './jobSchemas.js';
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
  imageStartDate: day(`First day of imagery, at most 14 days before the last; ${FIRST_IMAGERY_DAY} at the earliest`),
  imageEndDate: day('Last day of imagery, inclusive; not in the future'),
  pointOnSurface: PointOnSurface,
};

const resource = {
  partyId: uuid('The data manager party that asks for the prediction: 36 characters in either case'),
  resourceId: uuid('The farm that imagery is acquired for: 36 characters in either case'),
};

const resourceType = <N extends string>(name: N) => Type.Enum([name], { description: 'What `resourceId` is' });

/** `partnerRequestBody` of a Smart Boundary create (specification 2.3). */
export const SmartBoundaryParameters = Type.Object(
  { ...imagery, ...resource, resourceType: resourceType('Farm') },
  { title: 'SmartBoundaryJobParameters', additionalProperties: false },
);

/** The form that create and cancel echo: imagery parameters in `modelSpec`. */
export const SmartBoundaryModelEcho = Type.Object(
  {
    modelSpec: Type.Object(imagery, { additionalProperties: false, description: 'Imagery that was asked for' }),
    ...resource,
    resourceType: resourceType('FARM'),
  },
  { title: 'SmartBoundaryJobModelEcho', additionalProperties: false },
);

/** The flat form that fetch echoes. */
export const SmartBoundaryFlatEcho = Type.Object(
  { ...imagery, ...resource, resourceType: resourceType('FARM') },
  { title: 'SmartBoundaryJobEcho', additionalProperties: false },
);

export const SmartBoundaryCreateBody = Type.Object(
  {
    requestPath: requestPath('smart-boundary'),
    partnerRequestBody: SmartBoundaryParameters,
    partnerRequestHeaders: PartnerRequestHeaders,
  },
  { title: 'SmartBoundaryJobCreate', additionalProperties: false },
);
export type SmartBoundaryCreateBody = Static<typeof SmartBoundaryCreateBody>;
