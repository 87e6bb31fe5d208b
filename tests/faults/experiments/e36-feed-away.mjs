import { livedThrough } from '../livedThrough.mjs';

export const experiment = {
  id: 'E36',
  restsOn: ['imagery', 'scenes'],
  title: 'a catalogue that is away for two days',
  passLine: 'all known after it is back, and new scenes within 20 minutes again',
  run: async (context) => (await livedThrough('feedDays', context, { days: context.size(8, 20), away: [3, 5] }))[0],
};
