import { resourceTypes, type InsightOwner, type ResourceType } from '../../shared/farm/insights/farmInsight.js';
import { invalidRequest } from '../../shared/farm/wire/resourceRules.js';

/** Path of the party, farm or field whose insights are read, with the model that has found them out. */
export const OWNER_PATH = 'parties/{partyId}/models/{modelId}/resource-types/{resourceType}/resources/{resourceId}';

export const ownerParams = {
  partyId: 'Id of the party',
  modelId: 'The solution that has found it out, such as partnerAgPowered.gdd',
  resourceType: `One of ${resourceTypes.join(', ')}`,
  resourceId: 'Id of the party, farm or field',
};

/** @throws ServiceError 400 for another type of resource */
export function ownerIn(tenant: string, params: Readonly<Record<string, string>>): InsightOwner {
  const { partyId = '', modelId = '', resourceType = '', resourceId = '' } = params;
  if (!isResourceType(resourceType)) throw invalidRequest(`resourceType must be one of ${resourceTypes.join(', ')}.`);
  return { tenant, partyId, modelId, resourceType, resourceId };
}

const isResourceType = (value: string): value is ResourceType => resourceTypes.some((each) => each === value);

export const ownerPath = ({ partyId, modelId, resourceType, resourceId }: Omit<InsightOwner, 'tenant'>): string =>
  `parties/${partyId}/models/${modelId}/resource-types/${resourceType}/resources/${resourceId}`;
