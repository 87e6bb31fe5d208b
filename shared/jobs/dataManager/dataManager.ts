import type { Polygon } from '../../geo/shapes/geoJson.js';
import type { InteriorPoint } from '../../geo/shapes/interiorPoint.js';

export interface Party {
  readonly id: string;
}

export interface Farm {
  readonly id: string;
  readonly partyId: string;
}

/** A field as the data manager has it. */
export interface DataManagerField {
  readonly id: string;
  readonly partyId: string;
  readonly farmId?: string;
  readonly name?: string;
  /** Where the field lies; absent when its geometry has no area. */
  readonly point?: InteriorPoint | undefined;
}

/** The status of a field that a Smart Boundary job makes for its search alone. */
export const SEARCH_REGION = 'SearchRegion';

/** A field as the service writes it. */
export interface DataManagerFieldWrite {
  readonly farmId: string;
  /** At most 100 characters. */
  readonly name: string;
  /** At most 500 characters. */
  readonly description: string;
  readonly geometry: Polygon;
  /** A word for the kind of field. */
  readonly status?: string;
}

/** Which insight of which resource; `modelId` is the solution id. */
export interface InsightKey {
  readonly partyId: string;
  readonly modelId: string;
  readonly resourceType: 'Field' | 'Farm';
  readonly resourceId: string;
  readonly insightId: string;
  /** Fencing token of the attempt that writes. */
  readonly epoch?: number;
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
 * One tenant's data manager, as far as jobs need it. Every write carries its own id, so each call may be repeated.
 * All methods throw DataManagerError.
 */
export interface DataManager {
  getParty(partyId: string, signal?: AbortSignal): Promise<Party>;
  getFarm(partyId: string, farmId: string, signal?: AbortSignal): Promise<Farm>;
  getField(partyId: string, fieldId: string, signal?: AbortSignal): Promise<DataManagerField>;
  /** Creates the field or merges into it. */
  putField(partyId: string, fieldId: string, field: DataManagerFieldWrite, signal?: AbortSignal): Promise<void>;
  putInsight(key: InsightKey, insight: InsightWrite, signal?: AbortSignal): Promise<void>;
  putInsightAttachment(key: InsightKey, attachment: InsightAttachment, signal?: AbortSignal): Promise<void>;
  /** Removes an insight, whose attachments must be removed before; does nothing when it is absent. */
  removeInsight(key: InsightKey, signal?: AbortSignal): Promise<void>;
  /** Does nothing when the attachment is absent. */
  removeInsightAttachment(key: InsightKey, attachmentId: string, signal?: AbortSignal): Promise<void>;
}

/** `exhausted`: the quota of insights is used up. */
export type DataManagerFaultKind = 'not_found' | 'conflict' | 'unavailable' | 'bad_request' | 'exhausted';

/** A failed call of the data manager. */
export class DataManagerError extends Error {
  readonly kind: DataManagerFaultKind;
  /** HTTP status that farm data answers with; 0 when it is none of its refusals. */
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: DataManagerFaultKind,
    message: string,
    options: ErrorOptions & { readonly status?: number; readonly retryAfterSeconds?: number } = {},
  ) {
    super(message, options);
    this.name = 'DataManagerError';
    this.kind = kind;
    this.status = options.status ?? 0;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
