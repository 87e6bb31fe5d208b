import {
  DataManagerError,
  type DataManager,
  type DataManagerFaultKind,
  type DataManagerField,
  type DataManagerFieldWrite,
  type Farm,
  type InsightAttachment,
  type InsightKey,
  type InsightWrite,
  type Party,
} from '../../jobs/dataManager/dataManager.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { getLand } from '../land/getLand.js';
import type { InsightOwner, FarmInsightRecord, StoredMeasurement } from '../insights/farmInsight.js';
import { partyKeyOf } from '../land/land.js';
import { mergePatch } from '../wire/mergePatch.js';
import { InsightWriter, type InsightContent, type PutInsightPorts } from '../insights/putInsight.js';
import { putLand, type PutLandPorts } from './putLand.js';
import { shapesHere, type ShapeWork } from '../land/shapeWork.js';

export type OwnDataManagerPorts = Omit<PutLandPorts, 'checkQuota'> &
  PutInsightPorts & {
    /** Reads geometries; in the event loop when absent. */
    readonly shapes?: ShapeWork;
  };

/** Who writes the search fields of Smart Boundary. */
const SEARCH = 'partnerAgPowered.smartBoundary';

/** The data manager of a tenant whose farm data the service itself keeps, as far as jobs need one. */
export function ownDataManager(tenant: string, ports: OwnDataManagerPorts): DataManager {
  const { land, shapes = shapesHere } = ports;
  const insights = new InsightWriter(ports);
  // Jobs are admitted elsewhere: what they write is not held to quotas.
  const put = putLand({ ...ports, checkQuota: () => Promise.resolve() });
  const ownerOf = (key: InsightKey): InsightOwner => {
    const { partyId, modelId, resourceType, resourceId } = key;
    return { tenant, partyId, modelId, resourceType, resourceId };
  };
  const authorOf = ({ modelId, epoch = 0 }: InsightKey) => ({ by: modelId, epoch });
  const read = getLand({ land });
  return asDataManager({
    getParty: async (partyId: string): Promise<Party> => ({ id: (await read(partyKeyOf(tenant, partyId))).id }),
    getFarm: async (partyId: string, id: string): Promise<Farm> => read({ kind: 'farm', tenant, partyId, id }),
    getField: async (partyId: string, id: string): Promise<DataManagerField> => {
      const { packed, ...field } = await read({ kind: 'field', tenant, partyId, id });
      return { ...field, point: packed && (await shapes.point(tenant, packed)) };
    },
    putField: async (partyId: string, id: string, field: DataManagerFieldWrite): Promise<void> => {
      await put({ kind: 'field', tenant, partyId, id }, { body: { ...field }, by: SEARCH });
    },
    putInsight: async (key: InsightKey, insight: InsightWrite): Promise<void> => {
      await insights.put(ownerOf(key), key.insightId, authorOf(key), (before) => mergedInsight(before, insight));
    },
    putInsightAttachment: async (key: InsightKey, attachment: InsightAttachment): Promise<void> => {
      const { id, name, contentType, data } = attachment;
      const file = { insightId: key.insightId, originalFileName: name, contentType, bytes: data };
      await insights.putFile(ownerOf(key), id, authorOf(key), file);
    },
    removeInsight: (key: InsightKey) => insights.withdraw('insight', ownerOf(key), key.insightId, authorOf(key)),
    removeInsightAttachment: (key: InsightKey, id: string) =>
      insights.withdraw('attachment', ownerOf(key), id, authorOf(key)),
  });
}

/** An insight with a write merged into it; null removes a measurement. */
function mergedInsight(before: FarmInsightRecord | undefined, write: InsightWrite): InsightContent {
  const { name, description, status, properties } = { ...before, ...write };
  const texts = Object.entries({ name, description, status, properties }).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(texts),
    modelVersion: write.modelVersion,
    from: write.from.getTime(),
    to: write.to.getTime(),
    measurements: mergePatch(before?.measurements ?? {}, write.measurements) as Record<string, StoredMeasurement>,
  };
}

const kinds: Readonly<Record<number, DataManagerFaultKind>> = {
  400: 'bad_request',
  403: 'exhausted',
  404: 'not_found',
  409: 'conflict',
};

/** The same methods, whose refusals are those of a data manager: jobs tell their callers of no other. */
function asDataManager(methods: DataManager): DataManager {
  const wrapped = Object.entries(methods).map(([name, method]) => {
    const call = async (...args: unknown[]): Promise<unknown> => {
      try {
        return await (method as (...all: unknown[]) => Promise<unknown>)(...args);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const { status } = error.fault;
        throw new DataManagerError(kinds[status] ?? 'unavailable', error.message, { cause: error, status });
      }
    };
    return [name, call] as const;
  });
  return Object.fromEntries(wrapped) as unknown as DataManager;
}
