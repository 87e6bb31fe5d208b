import { describeFields } from '../../shared/enrollments/describeFields.js';
import { timerFunction } from '../../shared/triggers/timerFunction.js';

/** Every night at 04:10 UTC and at each start — writes to the rows of fields of before lists what lists show of them. */
export const upkeepFieldLists = timerFunction({
  name: 'upkeepFieldLists',
  schedule: '0 10 4 * * *',
  runAtStart: true,
  handle: async (services) => ({ described: await describeFields(services)() }),
});
