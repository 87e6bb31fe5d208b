import { livedThrough } from '../livedThrough.mjs';

export const experiment = {
  id: 'E33',
  restsOn: ['enrollments', 'imagery', 'work', 'access'],
  title: 'enrollments that begin, are stopped and purged while scenes of their place are found and made',
  passLine: 'an image of every scene of who goes on, none that was begun after a stop, and nothing of who was purged',
  run: async (context) => (await livedThrough('enrolDays', context, { rounds: context.size(200, 2_000) }))[0],
};
