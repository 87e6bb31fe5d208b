import type { InsightAttachment, InsightKey, InsightWrite } from '../dataManager/dataManager.js';
import type { JsonObject } from '../json.js';

/** A file stored beside the record, read at GET /v1/insights/{insightId} by content type. */
export interface InsightFile {
  readonly contentType: string;
  readonly data: Uint8Array;
}

/** What a finished job leaves behind, in the form that is stored and published. */
export interface Insight {
  readonly insightId: string;
  /** The JSON record; the first property is insightId. */
  readonly record: JsonObject;
  /** Representations that can't be made from the record alone (a picture with pixels). */
  readonly files: readonly InsightFile[];
  readonly publication: Publication;
}

/** An insight in the words of the data manager. It follows from the record alone. */
export interface Publication {
  readonly key: InsightKey;
  readonly insight: InsightWrite;
  readonly attachments: readonly InsightAttachment[];
}
