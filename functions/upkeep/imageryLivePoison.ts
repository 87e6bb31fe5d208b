import { UnitMessage } from '../../shared/imagery/units/unitMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/** Queue imagery-live-poison — sends the message of a unit that is still to be done again; its row counts the attempts. */
export const upkeepImageryLivePoison = queueFunction({
  name: 'upkeepImageryLivePoison',
  queue: 'imagery-live-poison',
  message: UnitMessage,
  handle: ({ unit }, { imagery }) => imagery.units.revive(unit),
});
