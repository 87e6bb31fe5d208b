import { idKeyOf, type Authorship, type CommonMembers, type LandKey, type LandKind } from '../land/land.js';

/** What an insight speaks of. */
export const resourceTypes = ['Party', 'Farm', 'Field'] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** The insights that one model has of one party, farm or field. */
export interface InsightOwner {
  readonly tenant: string;
  readonly partyId: string;
  readonly modelId: string;
  readonly resourceType: ResourceType;
  readonly resourceId: string;
}

/** A measured quantity. */
export interface StoredMeasurement {
  readonly unit?: string;
  readonly value: number;
}

/** An insight as it is stored. Instants are milliseconds since 1970 UTC. */
export interface FarmInsightRecord extends CommonMembers, Authorship, Omit<InsightOwner, 'tenant'> {
  readonly id: string;
  readonly eTag: string;
  readonly modelVersion: string;
  readonly from: number;
  readonly to: number;
  readonly measurements: Readonly<Record<string, StoredMeasurement>>;
}

/** A file of an insight, without its content. */
export interface FarmAttachmentRecord extends CommonMembers, Authorship, Omit<InsightOwner, 'tenant'> {
  readonly id: string;
  readonly eTag: string;
  readonly insightId: string;
  readonly originalFileName: string;
  readonly contentType: string;
  readonly bytes: number;
}

const landKindOf: Readonly<Record<ResourceType, LandKind>> = { Party: 'party', Farm: 'farm', Field: 'field' };

/** The same the other way round. */
export const typeOfLand: Readonly<Record<LandKind, ResourceType>> = { party: 'Party', farm: 'Farm', field: 'Field' };

/** The party, farm or field that insights speak of. */
export const landOfOwner = ({ tenant, partyId, resourceType, resourceId }: InsightOwner): LandKey => ({
  kind: landKindOf[resourceType],
  tenant,
  partyId,
  id: resourceId,
});

/** The same words as a prefix of row keys. */
export const resourcePrefix = ({
  resourceType,
  resourceId,
}: Pick<InsightOwner, 'resourceType' | 'resourceId'>): string => `${resourceType}|${idKeyOf(resourceId)}|`;
