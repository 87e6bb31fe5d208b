import { Type, type Static } from 'typebox';
import { closedObject, dateSchema, uuidSchema } from '../../kit/validation/schemaParts.js';

/** How far a backfill is, as answers show it. */
export const BackfillProgress = closedObject('EnrollmentBackfill', {
  enrollment_id: uuidSchema('The enrollment that it belongs to'),
  status: Type.Enum(['waiting', 'running', 'completed'], {
    description:
      '`waiting`: for the end of the ingest, the first day, or its turn; `completed`: every day was looked through, and what was found is made or is tried again by itself',
  }),
  from: dateSchema('The first of its days'),
  to: dateSchema('The last of its days; later ones are made as their scenes appear'),
  days: Type.Integer({ minimum: 0, description: 'How many days these are' }),
  days_left: Type.Integer({
    minimum: 0,
    description:
      'Days whose scenes are still searched for, or whose images are being made: 31 together, the newest first',
  }),
});
export type BackfillProgress = Static<typeof BackfillProgress>;
