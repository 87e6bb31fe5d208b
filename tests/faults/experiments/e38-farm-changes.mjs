import { livedThrough } from '../livedThrough.mjs';

export const experiment = {
  id: 'E38',
  restsOn: ['farm', 'storage'],
  title: 'fields that are created, changed and deleted by processes that die at a write',
  passLine:
    'each field is whole or as it was; a change has an eTag of its own; a deletion is complete or has not begun',
  run: async (context) => (await livedThrough('farmChanges', context, { rounds: context.size(300, 3_000) }))[0],
};
