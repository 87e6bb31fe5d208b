import { Type, type Static } from 'typebox';
import { jobCreateBody } from '../../jobs/operations/jobSchemas.js';
import { ALSO_TAKEN } from '../../kit/validation/documentedForm.js';
import { closedObject, dateSchema, uuidSchema } from '../../kit/validation/schemaParts.js';
import { crops } from '../days/crops.js';

/** What the first day of a GDD job is to the crop. */
export const startEvents = ['PLANTING', 'EMERGENCE', 'GREEN_UP', 'OTHER'] as const;

const common = {
  partyId: uuidSchema('The data manager party that owns the field: 36 characters in either case'),
  resourceId: uuidSchema('The field the degree days are for: 36 characters in either case'),
  crop: Type.Enum(crops, { description: 'Decides limits and stages' }),
  gddStartDate: dateSchema('Planting date of the crop'),
  gddEndDate: dateSchema('Target date, inclusive'),
  startEvent: Type.Optional(
    Type.Enum(startEvents, { description: 'What gddStartDate is, for the growth stages; PLANTING when absent' }),
  ),
};

/** The parameters of a GDD job as answers echo them. */
export const GddEcho = closedObject('GddJobEcho', {
  ...common,
  resourceType: Type.Enum(['FIELD'], { description: 'What `resourceId` is' }),
  temperatureUnit: Type.Enum(['C', 'F'], { description: 'Unit of the insight' }),
});

/** Body of a GDD create (specification 2.2). */
export const GddCreateBody = jobCreateBody(
  'GddJobCreate',
  'gdd',
  closedObject('GddJobParameters', {
    ...common,
    resourceType: Type.Enum(['Field'], { description: 'What `resourceId` is', [ALSO_TAKEN]: ['FIELD'] }),
    temperatureUnit: Type.Optional(Type.Enum(['c', 'f'], { description: 'c when absent', [ALSO_TAKEN]: ['C', 'F'] })),
  }),
);
export type GddCreateBody = Static<typeof GddCreateBody>;
