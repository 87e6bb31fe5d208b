import { livedThrough } from '../livedThrough.mjs';

export const experiment = {
  id: 'E28',
  restsOn: ['imagery', 'scenes'],
  title: 'fields at the edges of tiles and of zones, of whose home tile the catalogue lacks overpasses; nights missed',
  passLine: 'an image of every day on which any tile shows the field whole, and of no other, all on one grid',
  run: async (context) => (await livedThrough('holeDays', context, { days: context.size(40, 300) }))[0],
};
