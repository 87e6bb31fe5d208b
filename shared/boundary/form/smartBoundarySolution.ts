import { boundaryFaults } from '../../kit/errors/boundaryFaults.js';
import type { JsonObject } from '../../kit/json/json.js';
import type { Solution } from '../../jobs/operations/solution.js';
import type { SmartBoundaryCreateBody } from './smartBoundarySchemas.js';

/** The Smart Boundary jobs: operations below /solutions/partnerAgPowered.smartBoundary. */
export const smartBoundarySolution: Solution = {
  id: 'partnerAgPowered.smartBoundary',
  segment: 'smart-boundary',
  faults: boundaryFaults,
  messages: {
    WAITING: 'MESA-01001: The Smart Boundary job is queued.',
    RUNNING: 'IMG-01002: The Smart Boundary job is running.',
    SUCCEEDED: 'IMG-02001: The Smart Boundary job has completed; read its insight by insightId.',
    CANCELLED: 'MSIMAGE-02002: The Smart Boundary job has been cancelled.',
  },
  echo: ({ imageStartDate = '', imageEndDate = '', pointOnSurface = {}, ...resource }) => ({
    modelSpec: { imageStartDate, imageEndDate, pointOnSurface },
    ...resource,
  }),
  fetchEcho: (parameters) => parameters,
};

/** The parameters as stored: the flat form, the resource type in upper case, properties in one order. */
export function storedSmartBoundaryParameters({ partnerRequestBody: body }: SmartBoundaryCreateBody): JsonObject {
  const { longitude, latitude } = body.pointOnSurface;
  return {
    imageStartDate: body.imageStartDate,
    imageEndDate: body.imageEndDate,
    partyId: body.partyId,
    pointOnSurface: { longitude, latitude },
    resourceType: 'FARM',
    resourceId: body.resourceId,
  };
}
