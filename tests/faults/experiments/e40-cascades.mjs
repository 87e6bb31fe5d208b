import { livedThrough } from '../livedThrough.mjs';

export const experiment = {
  id: 'E40',
  restsOn: ['farm', 'work'],
  title: 'cascade deletes of 3,000 fields while writers are at work and processes die',
  passLine: 'no child, insight or blob is left; writers were refused, or what they wrote is gone',
  run: async (context) =>
    (await livedThrough('farmCascades', context, { rounds: context.size(2, 20), fields: 3_000 }))[0],
};
