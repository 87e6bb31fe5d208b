import type { MultiPolygon, Point, Polygon } from '../geo/geoJson.js';
import type { SceneService } from './scenes.js';

export interface Party {
  readonly id: string;
}

export interface Farm {
  readonly id: string;
  readonly partyId: string;
}

export interface Field {
  readonly id: string;
  readonly partyId: string;
  readonly farmId?: string;
  readonly name?: string;
  readonly geometry?: Point | Polygon | MultiPolygon;
}

/** What we write of a field. */
export interface FieldWrite {
  readonly farmId: string;
  /** At most 100 characters. */
  readonly name: string;
  /** At most 500 characters. */
  readonly description: string;
  readonly geometry: Polygon;
}

/** Which insight of which resource; `modelId` is the solution id. */
export interface InsightKey {
  readonly partyId: string;
  readonly modelId: string;
  readonly resourceType: 'Field' | 'Farm';
  readonly resourceId: string;
  readonly insightId: string;
}

export interface Measurement {
  readonly unit?: string;
  readonly value: number;
}

export interface InsightWrite {
  readonly modelVersion: string;
  /** First and last instant the insight speaks of. */
  readonly from: Date;
  readonly to: Date;
  /** Null removes a measurement (JSON merge patch). */
  readonly measurements: Readonly<Record<string, Measurement | null>>;
  readonly name?: string;
  readonly description?: string;
  readonly status?: string;
  /** At most 25 pairs; key ≤ 50, value ≤ 150 characters. */
  readonly properties?: Readonly<Record<string, string | number>>;
}

export interface InsightAttachment {
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
  readonly data: Uint8Array;
}

/**
 * What the jobs need of one tenant's data manager. Every write carries its own id, so each call may be repeated.
 * All methods throw DataManagerError.
 */
export interface DataManager extends SceneService {
  getParty(partyId: string, signal?: AbortSignal): Promise<Party>;
  getFarm(partyId: string, farmId: string, signal?: AbortSignal): Promise<Farm>;
  getField(partyId: string, fieldId: string, signal?: AbortSignal): Promise<Field>;
  /** Creates the field or merges into it. */
  putField(partyId: string, fieldId: string, field: FieldWrite, signal?: AbortSignal): Promise<Field>;
  putInsight(key: InsightKey, insight: InsightWrite, signal?: AbortSignal): Promise<void>;
  putInsightAttachment(key: InsightKey, attachment: InsightAttachment, signal?: AbortSignal): Promise<void>;
  /** Removes an insight; its attachments go before. One that isn't there stays absent. */
  removeInsight(key: InsightKey, signal?: AbortSignal): Promise<void>;
  /** Removes an attachment; one that isn't there stays absent. */
  removeInsightAttachment(key: InsightKey, attachmentId: string, signal?: AbortSignal): Promise<void>;
}

export type DataManagerFaultKind = 'not_found' | 'conflict' | 'denied' | 'throttled' | 'unavailable' | 'bad_request';

/** What went wrong at the data manager, told by the HTTP status alone. Never holds a token. */
export class DataManagerError extends Error {
  readonly kind: DataManagerFaultKind;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: DataManagerFaultKind,
    message: string,
    options: ErrorOptions & { readonly status?: number; readonly retryAfterSeconds?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DataManagerError';
    this.kind = kind;
    this.status = options.status ?? 0;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
