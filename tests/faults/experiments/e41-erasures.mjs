import { livedThrough } from '../livedThrough.mjs';

export const experiment = {
  id: 'E41',
  restsOn: ['farm', 'operate', 'work'],
  title: 'erasures of parties and tenants by processes that die, then the restore of an older backup',
  passLine: 'nothing of what was erased is there, neither before nor after the restore',
  run: async (context) => (await livedThrough('farmErasures', context, { rounds: context.size(30, 300) }))[0],
};
