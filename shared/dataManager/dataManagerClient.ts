import {
  type DataManager,
  DataManagerError,
  type Farm,
  type Field,
  type InsightAttachment,
  type InsightKey,
  type InsightWrite,
  type Party,
} from './dataManager.js';
import { farmOf, fieldOf, measurementNames, partyOf, resourceAnswer } from './dataManagerAnswers.js';
import { DataManagerTransport, type TransportOptions } from './dataManagerTransport.js';

export type DataManagerClientOptions = TransportOptions;

const MERGE_PATCH = 'application/merge-patch+json';

/**
 * One tenant's data manager over REST `2023-11-01-preview`.
 *
 * @see https://learn.microsoft.com/rest/api/data-manager-for-agri
 */
export class DataManagerClient implements DataManager {
  readonly #transport: DataManagerTransport;

  constructor(options: DataManagerClientOptions) {
    this.#transport = new DataManagerTransport(options);
  }

  async getParty(partyId: string, signal?: AbortSignal): Promise<Party> {
    return partyOf(await this.#get(['parties', partyId], signal), partyId);
  }

  async getFarm(partyId: string, farmId: string, signal?: AbortSignal): Promise<Farm> {
    return farmOf(await this.#get(['parties', partyId, 'farms', farmId], signal), partyId, farmId);
  }

  async getField(partyId: string, fieldId: string, signal?: AbortSignal): Promise<Field> {
    return fieldOf(await this.#get(['parties', partyId, 'fields', fieldId], signal), partyId, fieldId);
  }

  async putInsight(key: InsightKey, insight: InsightWrite, signal?: AbortSignal): Promise<void> {
    const { modelVersion, from, to, measurements, name, description, status, properties } = insight;
    const span = { insightStartDateTime: wireInstant(from), insightEndDateTime: wireInstant(to) };
    await this.#patchInsight(
      key,
      { modelVersion, ...span, measurements, name, description, status, properties },
      signal,
    );
  }

  async putInsightAttachment(key: InsightKey, attachment: InsightAttachment, signal?: AbortSignal): Promise<void> {
    const { id, name, contentType, data } = attachment;
    const body = new FormData();
    body.set('insightId', key.insightId);
    body.set('name', name);
    body.set('originalFileName', name);
    body.set('file', new Blob([Buffer.from(data)], { type: contentType }), name);
    const segments = [...ownerSegments(key), 'insight-attachments', id];
    resourceAnswer(await this.#transport.send({ method: 'PATCH', segments, content: { body }, signal }), id);
  }

  async withdrawInsight(key: InsightKey, signal?: AbortSignal): Promise<void> {
    const names = await this.#measurementNames(key, signal);
    if (names === undefined) return;
    const measurements = Object.fromEntries(names.map((name) => [name, null]));
    await this.#patchInsight(key, { status: 'Withdrawn', measurements }, signal);
  }

  /** Undefined when there is no such insight. */
  async #measurementNames(key: InsightKey, signal?: AbortSignal): Promise<readonly string[] | undefined> {
    try {
      return measurementNames(await this.#get(insightSegments(key), signal), key.insightId);
    } catch (cause) {
      if (cause instanceof DataManagerError && cause.kind === 'not_found') return undefined;
      throw cause;
    }
  }

  #get(segments: readonly string[], signal: AbortSignal | undefined): Promise<unknown> {
    return this.#transport.send({ method: 'GET', segments, signal });
  }

  async #patchInsight(key: InsightKey, patch: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<void> {
    const content = { type: MERGE_PATCH, body: JSON.stringify(patch) };
    const answer = await this.#transport.send({ method: 'PATCH', segments: insightSegments(key), content, signal });
    resourceAnswer(answer, key.insightId);
  }
}

function ownerSegments({ partyId, modelId, resourceType, resourceId }: InsightKey): readonly string[] {
  return ['parties', partyId, 'models', modelId, 'resource-types', resourceType, 'resources', resourceId];
}

function insightSegments(key: InsightKey): readonly string[] {
  return [...ownerSegments(key), 'insights', key.insightId];
}

/** `yyyy-MM-ddTHH:mm:ssZ`, the only form the data manager takes. */
function wireInstant(at: Date): string {
  return at.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
