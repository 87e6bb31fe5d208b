import { isJsonObject } from '../../http/exchange.js';
import type { MapBox } from '../../../../../shared/geo/grid/grid.js';
import { boxAround } from '../../../../../shared/geo/shapes/box.js';
import type { Resource, ResourceStore } from '../resourceStore.js';
import { wireInstant } from '../upsert.js';
import type { IngestRequest } from './ingestRules.js';
import type { SceneOddity } from './sceneScript.js';

/** How an ingest ends that doesn't succeed. */
export interface IngestFailure {
  readonly status: 'Failed' | 'Cancelled';
  readonly errorCode: string;
  readonly message: string;
}

/** One ingest as it is kept. */
export interface IngestJob {
  readonly id: string;
  readonly request: IngestRequest;
  /** [west, south, east, north] of the field, degrees. */
  readonly region: MapBox;
  readonly createdAt: number;
  readonly oddity: SceneOddity | undefined;
  /** Set from the beginning when it is to fail. */
  readonly failure: IngestFailure | undefined;
}

const WAITING_MS = 1_000;
const RUNNING_MS = 2_000;
const SLOW_MS = 3_600_000;

/** Where ingests are kept; each is a resource of the data manager's store, so that they survive with it. */
export class IngestJobs {
  readonly #store: ResourceStore;
  readonly #now: () => Date;

  constructor(store: ResourceStore, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  find(id: string): IngestJob | undefined {
    const stored = this.#store.find(`ingests/${id}`);
    return stored === undefined ? undefined : (stored as unknown as IngestJob);
  }

  list(): readonly IngestJob[] {
    return this.#store.list('ingests') as unknown as readonly IngestJob[];
  }

  add(job: Omit<IngestJob, 'createdAt'>): IngestJob {
    const added = { ...job, createdAt: this.#now().getTime() };
    this.#store.put(`ingests/${job.id}`, added);
    return added;
  }

  /** How far the ingest has come by the clock. */
  statusOf({ createdAt, oddity, failure }: IngestJob): 'Waiting' | 'Running' | 'Succeeded' | 'Failed' | 'Cancelled' {
    const ageMs = this.#now().getTime() - createdAt;
    if (ageMs < WAITING_MS) return 'Waiting';
    if (ageMs < WAITING_MS + (oddity === 'slow' ? SLOW_MS : RUNNING_MS)) return 'Running';
    return failure?.status ?? 'Succeeded';
  }

  /** The ingest in the data manager's words. @param message for one that succeeded */
  shown(job: IngestJob, message: string): Readonly<Record<string, unknown>> {
    const status = this.statusOf(job);
    const isOver = status !== 'Waiting' && status !== 'Running';
    const created = wireInstant(new Date(job.createdAt));
    return {
      id: job.id,
      partyId: job.request.partyId,
      associatedResource: { type: 'Field', id: job.request.fieldId },
      collection: job.request.collection,
      provider: job.request.provider,
      status,
      createdDateTime: created,
      lastActionDateTime: wireInstant(this.#now()),
      ...(isOver ? endOf(job, message) : {}),
    };
  }
}

function endOf({ failure, createdAt }: IngestJob, message: string): Readonly<Record<string, unknown>> {
  const durationInSeconds = (WAITING_MS + RUNNING_MS) / 1000;
  const times = {
    startTime: wireInstant(new Date(createdAt + WAITING_MS)),
    endTime: wireInstant(new Date(createdAt + WAITING_MS + RUNNING_MS)),
    durationInSeconds,
  };
  if (failure === undefined) return { message, ...times };
  return { message: failure.message, errorCode: failure.errorCode, ...times };
}

/** The box round a field's geometry; undefined when it has none. */
export function regionOf(field: Resource): MapBox | undefined {
  const { geometry } = field;
  if (!isJsonObject(geometry) || (geometry['type'] !== 'Polygon' && geometry['type'] !== 'MultiPolygon'))
    return undefined;
  const numbers = [geometry['coordinates']].flat(4) as number[];
  const positions = Array.from(
    { length: numbers.length / 2 },
    (_, k) => [numbers[2 * k] ?? 0, numbers[2 * k + 1] ?? 0] as const,
  );
  return boxAround(positions);
}
