import { gddFaults } from '../../kit/errors/catalogue.js';
import type { GddCreateBody } from './gddSchemas.js';
import type { JsonObject } from '../../kit/json/json.js';
import type { Solution } from '../../jobs/operations/solution.js';

/** The GDD jobs: operations below /solutions/partnerAgPowered.gdd. */
export const gddSolution: Solution = {
  id: 'partnerAgPowered.gdd',
  segment: 'gdd',
  faults: gddFaults,
  messages: {
    WAITING: 'GDD-01001: The GDD job is queued.',
    RUNNING: 'GDD-01002: The GDD job is running.',
    SUCCEEDED: 'GDD-02001: The GDD job has completed; read its insight by insightId.',
    CANCELLED: 'GDD-02002: The GDD job has been cancelled.',
  },
  echo: (parameters) => parameters,
  fetchEcho: (parameters) => parameters,
};

/** The parameters as stored and echoed: in upper case, with the default unit, properties in a fixed order. */
export function storedGddParameters({ partnerRequestBody: body }: GddCreateBody): JsonObject {
  return {
    partyId: body.partyId,
    resourceType: 'FIELD',
    resourceId: body.resourceId,
    crop: body.crop,
    gddStartDate: body.gddStartDate,
    gddEndDate: body.gddEndDate,
    temperatureUnit: body.temperatureUnit === 'f' ? 'F' : 'C',
    ...(body.startEvent !== undefined && { startEvent: body.startEvent }),
  };
}
