import { UnitMessage } from '../../shared/imagery/units/unitMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/** Queue imagery-late-poison — sends the message of a unit that is still to be done again; its row counts the attempts. */
export const upkeepImageryLatePoison = queueFunction({
  name: 'upkeepImageryLatePoison',
  queue: 'imagery-late-poison',
  message: UnitMessage,
  handle: ({ unit }, { imagery }) => imagery.units.revive(unit),
});
