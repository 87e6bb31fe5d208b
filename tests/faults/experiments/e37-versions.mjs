import { livedThrough } from '../livedThrough.mjs';

export const experiment = {
  id: 'E37',
  restsOn: ['imagery', 'scenes'],
  title: 'second collection, better versions, two datastrips, items without files that can be used',
  passLine:
    'a product opens for a better version alone, both datastrips are products, the second collection opens nothing',
  run: async (context) =>
    (await livedThrough('feedDays', context, { days: context.size(12, 40), plan: { repeated: 0.5 } }))[0],
};
