import { enrolDays } from '../enrolDays.mjs';

export const experiment = {
  id: 'E33',
  title: 'enrollments that begin and are stopped while scenes of their place are found and made',
  passLine: 'an image of every scene of who goes on, and none that was begun after a stop',
  run: (context) => enrolDays(context, context.size(200, 2_000)),
};
