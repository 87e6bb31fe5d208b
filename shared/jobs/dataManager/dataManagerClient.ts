import {
  type DataManager,
  DataManagerError,
  type DataManagerField,
  type DataManagerFieldWrite,
  type Farm,
  type InsightAttachment,
  type InsightKey,
  type InsightWrite,
  type Party,
} from './dataManager.js';
import { resourceAnswer, unexpected } from './answerParts.js';
import { farmOf, fieldOf, partyOf } from './dataManagerAnswers.js';
import { DataManagerTransport, type TransportOptions } from './dataManagerTransport.js';
import { ingestOf, scenePageOf } from './sceneAnswers.js';
import type { DataManagerScene, DataManagerSceneQuery, IngestJob, SceneRequest } from './scenes.js';

const MERGE_PATCH = 'application/merge-patch+json';
const PROVIDER = 'SentinelHub';
const INGEST = ['scenes', 'satellite', 'ingest-data'];
/** Far more than 15 days hold; a longer list repeats itself. */
const MOST_SCENE_PAGES = 20;

/**
 * One tenant's data manager over REST `2023-11-01-preview`.
 *
 * @see https://learn.microsoft.com/rest/api/data-manager-for-agri
 */
export class DataManagerClient implements DataManager {
  readonly #transport: DataManagerTransport;

  constructor(options: TransportOptions) {
    this.#transport = new DataManagerTransport(options);
  }

  async getParty(partyId: string, signal?: AbortSignal): Promise<Party> {
    return partyOf(await this.#get(['parties', partyId], signal), partyId);
  }

  async getFarm(partyId: string, farmId: string, signal?: AbortSignal): Promise<Farm> {
    return farmOf(await this.#get(['parties', partyId, 'farms', farmId], signal), partyId, farmId);
  }

  async getField(partyId: string, fieldId: string, signal?: AbortSignal): Promise<DataManagerField> {
    return fieldOf(await this.#get(['parties', partyId, 'fields', fieldId], signal), partyId, fieldId);
  }

  async putField(partyId: string, fieldId: string, field: DataManagerFieldWrite, signal?: AbortSignal): Promise<void> {
    const segments = ['parties', partyId, 'fields', fieldId];
    const content = { type: MERGE_PATCH, body: JSON.stringify(field) };
    fieldOf(await this.#transport.send({ method: 'PATCH', segments, content, signal }), partyId, fieldId);
  }

  async startSceneIngest(jobId: string, request: SceneRequest, signal?: AbortSignal): Promise<IngestJob> {
    const content = { type: 'application/json', body: JSON.stringify(wireIngest(request)) };
    const segments = [...INGEST, jobId];
    try {
      const order = { method: 'PUT', segments, content, signal, endsWhenThrottled: true } as const;
      return ingestOf(await this.#transport.send(order), jobId);
    } catch (cause) {
      if (cause instanceof DataManagerError && cause.kind === 'conflict') return this.getSceneIngest(jobId, signal);
      throw cause;
    }
  }

  async getSceneIngest(jobId: string, signal?: AbortSignal): Promise<IngestJob> {
    return ingestOf(await this.#get([...INGEST, jobId], signal), jobId);
  }

  async listScenes(query: DataManagerSceneQuery, signal?: AbortSignal): Promise<readonly DataManagerScene[]> {
    const scenes: DataManagerScene[] = [];
    let page: Readonly<Record<string, string>> | undefined = {};
    for (let count = 0; page !== undefined; count += 1) {
      if (count >= MOST_SCENE_PAGES) throw unexpected(`more than ${MOST_SCENE_PAGES} pages of scenes`);
      const wireQuery = { ...wireSceneQuery(query), ...page };
      const answer = await this.#transport.send({ method: 'GET', segments: ['scenes'], query: wireQuery, signal });
      const { scenes: found, next } = scenePageOf(answer);
      scenes.push(...found);
      page = next;
    }
    return scenes;
  }

  readSceneFile(filePath: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array> {
    const segments = ['scenes', 'downloadFiles'];
    return this.#transport.download({ method: 'GET', segments, query: { filePath }, signal }, maxBytes);
  }

  async putInsight(key: InsightKey, insight: InsightWrite, signal?: AbortSignal): Promise<void> {
    const { modelVersion, from, to, measurements, name, description, status, properties } = insight;
    const span = { insightStartDateTime: wireInstant(from), insightEndDateTime: wireInstant(to) };
    const patch = { modelVersion, ...span, measurements, name, description, status, properties };
    const content = { type: MERGE_PATCH, body: JSON.stringify(patch) };
    const answer = await this.#transport.send({ method: 'PATCH', segments: insightSegments(key), content, signal });
    resourceAnswer(answer, key.insightId);
  }

  async putInsightAttachment(key: InsightKey, attachment: InsightAttachment, signal?: AbortSignal): Promise<void> {
    const { id, name, contentType, data } = attachment;
    const body = new FormData();
    body.set('insightId', key.insightId);
    body.set('name', name);
    body.set('originalFileName', name);
    body.set('file', new Blob([Buffer.from(data)], { type: contentType }), name);
    const segments = attachmentSegments(key, id);
    resourceAnswer(await this.#transport.send({ method: 'PATCH', segments, content: { body }, signal }), id);
  }

  removeInsight(key: InsightKey, signal?: AbortSignal): Promise<void> {
    return this.#remove(insightSegments(key), signal);
  }

  removeInsightAttachment(key: InsightKey, attachmentId: string, signal?: AbortSignal): Promise<void> {
    return this.#remove(attachmentSegments(key, attachmentId), signal);
  }

  async #remove(segments: readonly string[], signal?: AbortSignal): Promise<void> {
    try {
      await this.#transport.remove({ method: 'DELETE', segments, signal });
    } catch (cause) {
      if (!(cause instanceof DataManagerError) || cause.kind !== 'not_found') throw cause;
    }
  }

  #get(segments: readonly string[], signal: AbortSignal | undefined): Promise<unknown> {
    return this.#transport.send({ method: 'GET', segments, signal });
  }
}

function ownerSegments({ partyId, modelId, resourceType, resourceId }: InsightKey): readonly string[] {
  return ['parties', partyId, 'models', modelId, 'resource-types', resourceType, 'resources', resourceId];
}

function attachmentSegments(key: InsightKey, attachmentId: string): readonly string[] {
  return [...ownerSegments(key), 'insight-attachments', attachmentId];
}

function insightSegments(key: InsightKey): readonly string[] {
  return [...ownerSegments(key), 'insights', key.insightId];
}

function wireSpan({ from, to }: DataManagerSceneQuery): {
  readonly startDateTime: string;
  readonly endDateTime: string;
} {
  return { startDateTime: `${from}T00:00:00Z`, endDateTime: `${to}T23:59:59Z` };
}

function wireIngest({ images, resolution, credentials, ...query }: SceneRequest): Readonly<Record<string, unknown>> {
  return {
    partyId: query.partyId,
    associatedResource: { type: 'Field', id: query.fieldId },
    collection: query.collection,
    provider: PROVIDER,
    ...wireSpan(query),
    data: { imageNames: images, imageFormats: ['TIF'], imageResolutions: [resolution] },
    credentials: { kind: 'OAuthClientCredentials', ...credentials },
  };
}

function wireSceneQuery(query: DataManagerSceneQuery): Readonly<Record<string, string>> {
  return {
    provider: PROVIDER,
    partyId: query.partyId,
    associatedResourceId: query.fieldId,
    associatedResourceType: 'Field',
    collection: query.collection,
    ...wireSpan(query),
    maxPageSize: '50',
  };
}

/** `yyyy-MM-ddTHH:mm:ssZ`, the only form that the data manager accepts. */
function wireInstant(at: Date): string {
  return at.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
