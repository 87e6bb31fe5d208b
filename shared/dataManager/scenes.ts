/** The scenes service of a data manager: it fetches satellite scenes of a field and serves them as files. */

/** Images of Sentinel-2: bands by their product names, and the scene classification. */
export type SceneImage = 'B02' | 'B03' | 'B04' | 'B08' | 'SCL';

/** Which scenes of which field. Calendar days are UTC days of acquisition, both included. */
export interface SceneQuery {
  readonly partyId: string;
  readonly fieldId: string;
  readonly from: string;
  readonly to: string;
  readonly collection: 'sentinel-2-l2a';
}

export interface SceneRequest extends SceneQuery {
  readonly images: readonly SceneImage[];
  /** Metres. */
  readonly resolution: 10 | 20 | 60;
  /** Whose licence at the provider pays; the secret by reference, the data manager reads it. */
  readonly credentials: {
    readonly clientId: string;
    readonly clientSecret: { readonly keyVaultUri: string; readonly keyName: string; readonly keyVersion: string };
  };
}

/** An ingest as it stands; a status we don't know counts as running. */
export interface IngestJob {
  readonly id: string;
  readonly status: 'running' | 'succeeded' | 'failed' | 'cancelled';
  readonly message?: string;
  readonly errorCode?: string;
}

export interface SceneFile {
  /** Name of the image, such as `B02`. */
  readonly name: string;
  /** Metres. */
  readonly resolution: number;
  /** Opaque name for `readSceneFile`; never an address. */
  readonly filePath: string;
}

export interface Scene {
  readonly id: string;
  /** UTC day of the acquisition, YYYY-MM-DD. */
  readonly date: string;
  /** Product name at the provider, such as `S2B_MSIL2A_20230821T170859_…`. */
  readonly itemId?: string;
  /** 0–100. */
  readonly cloudCoverPercent?: number;
  readonly files: readonly SceneFile[];
}

/** All methods throw DataManagerError. */
export interface SceneService {
  /** Starts an ingest; one of this id that exists already is read instead. A 429 is not waited out: `throttled`. */
  startSceneIngest(jobId: string, request: SceneRequest, signal?: AbortSignal): Promise<IngestJob>;
  getSceneIngest(jobId: string, signal?: AbortSignal): Promise<IngestJob>;
  /** Newest first. */
  listScenes(query: SceneQuery, signal?: AbortSignal): Promise<readonly Scene[]>;
  /** The bytes of one file. @param maxBytes a larger file is `unavailable` */
  readSceneFile(filePath: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array>;
}
